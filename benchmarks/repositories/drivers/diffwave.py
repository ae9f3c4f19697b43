import os
import random
import tempfile
import numpy as np
import torch
import diffwave.learner as learner
from diffwave.dataset import from_path
from diffwave.model import DiffWave
from diffwave.params import AttrDict, params as base
from probe import attempt, fill, keep, say

folder = tempfile.mkdtemp()
rng = np.random.RandomState(0)
for i in range(9):
    name = os.path.join(folder, "made%d.wav" % i)
    open(name, "w").close()
    np.save(name + ".npy", rng.uniform(-1, 1, (1, 256 * 8)).astype("float32"))
    np.save(name + ".spec.npy", rng.uniform(0, 1, (10, 8)).astype("float32"))


class Writer:
    def __init__(self, folder, purge_step=0):
        pass

    def add_scalar(self, key, value, step):
        say("%s %d" % (key, step), value)

    def add_audio(self, *rest, **more):
        pass

    add_image = flush = add_audio


learner.SummaryWriter = Writer


def run(name, unconditional):
    chosen = AttrDict(base)
    chosen.override(dict(batch_size=3, n_mels=10, hop_samples=256, crop_mel_frames=4, residual_layers=3, residual_channels=4, dilation_cycle_length=2, unconditional=unconditional, audio_len=512, learning_rate=1e-3, max_grad_norm=1.0))
    random.seed(0)
    model = DiffWave(chosen)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=chosen.learning_rate)
    place = os.path.join(folder, name)
    job = learner.DiffWaveLearner(place, model, from_path([folder], chosen), optimizer, chosen, fp16=False)
    job.train(max_steps=4)
    say(name, job.step, job.grad_norm)
    job.save_to_checkpoint()
    again = DiffWave(chosen)
    second = learner.DiffWaveLearner(place, again, from_path([folder], chosen), torch.optim.Adam(again.parameters(), lr=1e-3), chosen)
    say(name + " restored", second.restore_from_checkpoint(), second.step)
    random.seed(1)
    second.train(max_steps=6)
    keep(name, again)


attempt("mel", lambda: run("mel", False))
attempt("free", lambda: run("free", True))
