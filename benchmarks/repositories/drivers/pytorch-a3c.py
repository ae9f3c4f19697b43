import types
import numpy as np
import torch
import my_optim
import train as training
from model import ActorCritic
from probe import fill, keep, say


class Stop(Exception):
    pass


class Counter:
    value = 0


class Lock:
    def __enter__(self):
        return self

    def __exit__(self, *what):
        return False


class Env:
    def __init__(self):
        self.rng = np.random.RandomState(0)
        self.observation_space = types.SimpleNamespace(shape=(1, 42, 42))
        self.action_space = types.SimpleNamespace(n=4)
        self.count = 0

    def seed(self, seed):
        pass

    def reset(self):
        return self.rng.randn(1, 42, 42).astype("float32")

    def step(self, action):
        self.count += 1
        if self.count > 40:
            raise Stop
        return self.rng.randn(1, 42, 42).astype("float32"), self.rng.randn(), self.count % 13 == 0, {}


env = Env()
training.create_atari_env = lambda name: env
args = types.SimpleNamespace(seed=1, env_name="none", lr=1e-3, gamma=0.99, gae_lambda=1.0, entropy_coef=0.01, value_loss_coef=0.5, max_grad_norm=50, num_steps=8, max_episode_length=30)
shared = ActorCritic(1, env.action_space)
fill(shared)
shared.share_memory()
optimizer = my_optim.SharedAdam(shared.parameters(), lr=args.lr)
optimizer.share_memory()
counter = Counter()
try:
    training.train(0, args, shared, counter, Lock(), optimizer)
except Stop:
    pass
say("steps", counter.value)
say("sums", *[p.abs().sum().item() for p in shared.parameters()])
keep("shared", shared)
