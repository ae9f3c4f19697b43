import sys
import tempfile
import types
from collections import namedtuple

for name in ("mujoco_py", "d4rl", "tap", "git", "skvideo", "skvideo.io"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["tap"].Tap = object

import numpy as np
import torch
from diffuser.models.diffusion import GaussianDiffusion, ValueDiffusion
from diffuser.models.temporal import TemporalUnet, ValueFunction
from diffuser.sampling import GuidedPolicy, ValueGuide, n_step_guided_p_sample
from diffuser.utils.training import Trainer
from probe import attempt, fill, keep, say

Batch = namedtuple("Batch", "trajectories conditions")
ValueBatch = namedtuple("ValueBatch", "trajectories conditions values")


class Normalizer:
    def normalize(self, x, key):
        return x / 2

    def unnormalize(self, x, key):
        return x * 2


class Episodes(torch.utils.data.Dataset):
    action_dim, normalizer = 2, Normalizer()

    def __init__(self, values=False):
        rng = np.random.RandomState(3)
        self.paths = rng.randn(12, 8, 5).astype("float32")
        self.values = rng.randn(12, 1).astype("float32") if values else None

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        given = {0: self.paths[i, 0, 2:]}
        return Batch(self.paths[i], given) if self.values is None else ValueBatch(self.paths[i], given, self.values[i])


class Renderer:
    def composite(self, path, observations):
        say(f"drawn {path.rsplit('/', 1)[-1]}", np.abs(observations).sum(), *observations.shape)


def plans(attention, predict_epsilon):
    net = TemporalUnet(8, 5, 3, dim=16, dim_mults=(1, 2), attention=attention)
    model = GaussianDiffusion(net, 8, 3, 2, n_timesteps=6, loss_type="l2" if attention else "l1", clip_denoised=True, predict_epsilon=predict_epsilon, action_weight=5, loss_discount=0.9, loss_weights={1: 2.0})
    fill(model, 1)
    return model


def run(name, attention, predict_epsilon):
    model = plans(attention, predict_epsilon)
    trainer = Trainer(model, Episodes(), Renderer(), ema_decay=0.9, train_batch_size=4, train_lr=1e-3, step_start_ema=1, update_ema_every=1, log_freq=1, sample_freq=2, save_freq=2, results_folder=tempfile.mkdtemp(), n_reference=3)
    trainer.train(4)
    trainer.load(0)
    trainer.train(1)
    keep(name, trainer.model)
    keep(name + " ema", trainer.ema_model)
    return trainer


def guided():
    value = ValueDiffusion(ValueFunction(8, 5, 3, dim=16, dim_mults=(1, 2)), 8, 3, 2, n_timesteps=6, loss_type="value_l2")
    fill(value, 4)
    trainer = Trainer(value, Episodes(True), Renderer(), train_batch_size=4, train_lr=1e-3, log_freq=1, sample_freq=0, results_folder=tempfile.mkdtemp())
    trainer.sample_freq = None
    trainer.train(3)
    keep("value", value)
    policy = GuidedPolicy(ValueGuide(value), plans(False, True), Normalizer(), [], sample_fn=n_step_guided_p_sample, scale=0.1, n_guide_steps=2, t_stopgrad=2)
    action, found = policy({0: np.array([0.3, -0.2, 0.9], dtype="float32")}, batch_size=3, verbose=False)
    say("guided", *action, *found.values, np.abs(found.observations).sum())


attempt("plain", lambda: run("plain", False, True))
attempt("attention", lambda: run("attention", True, False))
attempt("guided", guided)
