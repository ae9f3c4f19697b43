import tempfile
import numpy as np
import torch
from slac.algo import SlacAlgorithm
from slac.trainer import SlacObservation
from probe import attempt, fill, keep, say


class World:
    _max_episode_steps = 12

    def __init__(self):
        self.rng, self.t = np.random.RandomState(1), 0
        self.action_space = self

    def sample(self):
        return self.rng.uniform(-1, 1, size=2).astype("float32")

    def picture(self):
        return self.rng.randint(0, 255, size=(3, 64, 64)).astype("uint8")

    def reset(self):
        self.t = 0
        return self.picture()

    def step(self, action):
        self.t += 1
        return self.picture(), float(np.sum(action)), self.t == self._max_episode_steps, {}


class Board:
    def add_scalar(self, key, value, step):
        say(f"{key} {step}", value)


def run():
    algo = SlacAlgorithm((3, 64, 64), (2,), 4, torch.device("cpu"), 1, batch_size_sac=6, batch_size_latent=3, buffer_size=40, num_sequences=3, feature_dim=6, z1_dim=4, z2_dim=5, hidden_units=(9, 8))
    for seed, part in enumerate((algo.actor, algo.critic, algo.critic_target, algo.latent)):
        fill(part, min(seed, 2))
    env, seen = World(), SlacObservation((3, 64, 64), (2,), 3)
    state = env.reset()
    seen.reset_episode(state)
    algo.buffer.reset_episode(state)
    t = 0
    for step in range(30):
        t = algo.step(env, seen, t, step < 22)
        if step > 22:
            algo.update_latent(Board())
            algo.update_sac(Board())
    say("kept", len(algo.buffer), algo.log_alpha, algo.alpha, *algo.exploit(seen))
    algo.save_model(tempfile.mkdtemp())
    for name in ("actor", "critic", "critic_target", "latent"):
        keep(name, getattr(algo, name))


attempt("train", run)
