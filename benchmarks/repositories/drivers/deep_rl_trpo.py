from types import SimpleNamespace
import numpy as np
import torch
from agents import trpo
from probe import attempt, fill, keep, say


class Env:
    def __init__(self, discrete=False):
        self.rng = np.random.RandomState(0)
        self.action_space = self
        self.discrete = discrete

    def sample(self):
        return self.rng.uniform(-1, 1, 1)

    def reset(self):
        self.state, self.time = self.rng.uniform(-1, 1, 3), 0
        return self.state

    def step(self, action):
        self.time += 1
        self.state = 0.9 * self.state + 0.1 * np.sin(self.time + np.sum(action))
        return self.state, float(self.state[0]), self.time >= 12, {}


def run(name, kind, algo, nets, discrete=False, **options):
    np.random.seed(1)
    env = Env(discrete)
    args = SimpleNamespace(algo=algo, render=False)
    sizes = (3, 2) if discrete else (3, 1, 1.0)
    agent = kind.Agent(env, args, torch.device("cpu"), *sizes, **options)
    for i, net in enumerate(nets):
        fill(getattr(agent, net), i)
    for net in nets:
        target = getattr(agent, net + "_target", None)
        if target is not None:
            target.load_state_dict(getattr(agent, net).state_dict())
    for episode in range(3):
        say(f"{name} {episode}", *agent.run(12), *[v for k, v in sorted(agent.logger.items())])
    agent.eval_mode = True
    say(name + " evaluated", *agent.run(12))
    for net in nets:
        keep(f"{name}-{net}", getattr(agent, net))


attempt("trpo", lambda: run("trpo", trpo, "trpo", ["policy", "old_policy", "vf"], sample_size=12, train_vf_iters=3, policy_losses=[], vf_losses=[], kls=[], backtrack_iters=[], logger={}))
attempt("npg", lambda: run("npg", trpo, "npg", ["policy", "old_policy", "vf"], sample_size=12, train_vf_iters=3, policy_losses=[], vf_losses=[], kls=[], backtrack_iters=[], logger={}))
