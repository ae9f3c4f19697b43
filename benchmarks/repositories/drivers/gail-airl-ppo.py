import types
import numpy as np
import torch
import gail_airl_ppo.trainer as trainer_module
import gail_airl_ppo.utils as utils
from gail_airl_ppo.algo import ALGOS, PPO, SAC, SACExpert
from gail_airl_ppo.buffer import SerializedBuffer
from probe import attempt, fill, keep, say


class Space:
    def __init__(self, n):
        self.shape, self.rng = (n,), np.random.RandomState(n)

    def sample(self):
        return self.rng.uniform(-1, 1, self.shape).astype("float32")


class Env:
    observation_space, action_space, _max_episode_steps = Space(3), Space(2), 7

    def seed(self, seed):
        self.rng = np.random.RandomState(seed % 1000)

    def reset(self):
        self.t, self.state = 0, self.rng.randn(3).astype("float32")
        return self.state

    def step(self, action):
        self.t += 1
        self.state = np.concatenate([0.5 * self.state[:1] + action[:1], self.state[1:] * 0.9 + action[1:].mean()]).astype("float32")
        return self.state, -float((self.state**2).sum()), self.t >= 7, {}


class Writer:
    def __init__(self, log_dir):
        pass

    def add_scalar(self, name, value, step):
        say(f"{name} {step}", value)


trainer_module.SummaryWriter, trainer_module.sleep, utils.tqdm = Writer, lambda seconds: None, list
shapes = dict(state_shape=(3,), action_shape=(2,), device=torch.device("cpu"), seed=0)


def run(name, algo, parts, steps=24):
    for i, part in enumerate(parts):
        fill(getattr(algo, part), i)
    if hasattr(algo, "critic_target"):
        utils.soft_update(algo.critic_target, algo.critic, 1.0)
    trainer_module.Trainer(env=Env(), env_test=Env(), algo=algo, log_dir="made/" + name, num_steps=steps, eval_interval=12, num_eval_episodes=2).train()
    for part in parts:
        keep(f"{name}-{part}", getattr(algo, part))
    say(name, *(sum(p.abs().sum().item() for p in getattr(algo, part).parameters()) for part in parts))


def sac():
    algo = SAC(**shapes, batch_size=8, buffer_size=64, units_actor=(8, 8), units_critic=(8, 8), start_steps=10)
    run("sac", algo, ["actor", "critic"])
    say("alpha", algo.alpha, algo.log_alpha.item(), sum(p.sum().item() for p in algo.critic_target.parameters()))
    expert = SACExpert(state_shape=(3,), action_shape=(2,), device="cpu", path="made/sac/model/step24/actor.pth", units_actor=(8, 8))
    buffer = utils.collect_demo(Env(), expert, 16, torch.device("cpu"), 0.1, 0.3)
    buffer.save("made/demo/buffer.pth")
    again = SerializedBuffer("made/demo/buffer.pth", torch.device("cpu"))
    say("demo", *(part.float().abs().sum().item() for part in again.sample(6)))


def imitate(name):
    small = dict(units_disc=(8, 8)) if name == "gail" else dict(units_disc_r=(8, 8), units_disc_v=(8, 8))
    algo = ALGOS[name](buffer_exp=SerializedBuffer("made/demo/buffer.pth", torch.device("cpu")), **shapes, rollout_length=12, batch_size=6, units_actor=(8, 8), units_critic=(8, 8), epoch_ppo=2, epoch_disc=2, coef_ent=0.01, **small)
    run(name, algo, ["actor", "critic", "disc"])


attempt("sac", sac)
attempt("ppo", lambda: run("ppo", PPO(**shapes, rollout_length=12, mix_buffer=2, units_actor=(8, 8), units_critic=(8, 8), epoch_ppo=3, coef_ent=0.01), ["actor", "critic"]))
attempt("gail", lambda: imitate("gail"))
attempt("airl", lambda: imitate("airl"))
