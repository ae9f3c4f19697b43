"""What drivers share: weights from NumPy's numbers, data, lines of numbers, parameters that are kept (compare.py reads both)."""

import os
import traceback

import numpy as np
import torch
import torch.nn as nn


def fill(model, seed=0):
    """All parameters from numbers that both sides have; with NOISE they are moved by 1e-6 of themselves."""
    rng = np.random.RandomState(seed)
    for name, p in model.named_parameters():
        shape = tuple(p.shape)
        if len(shape) == 0:
            continue
        if len(shape) == 1:
            a = rng.uniform(-0.1, 0.1, size=shape)
            if name.endswith("weight"):
                a = a + 1.0
        else:
            a = rng.randn(*shape) / np.sqrt(np.prod(shape[1:]))
        if "NOISE" in os.environ:
            a = a * (1 + 1e-6 * np.random.RandomState(int(os.environ["NOISE"])).randn(*shape))
        p.data.copy_(torch.from_numpy(np.asarray(a, dtype=np.float32)))


def quiet(model):
    """Dropout drops nothing from here on."""
    for m in model.modules():
        if isinstance(m, (nn.Dropout, nn.Dropout2d, nn.Dropout3d)):
            m.p = 0.0


def say(key, *values):
    """A line that is compared."""
    print("##\t{}\t{}".format(key, " ".join(f"{float(v):.9g}" for v in values)), flush=True)


class Board:
    """TensorBoard's writer: its numbers are lines that are compared."""

    def __init__(self, *arguments, **options):
        pass

    def add_scalar(self, key, value, step):
        say(f"{key} {step}", value)

    def add_scalars(self, key, values, step):
        say(f"{key} {step}", *values.values())

    def close(self):
        pass

    def flush(self):
        pass


def keep(key, model):
    """Parameters and buffers that are compared."""
    named = {f"{i:04d} {n}": v.detach().cpu().numpy() for i, (n, v) in enumerate(model.state_dict().items())}
    np.savez(os.environ["OUT"] + "-" + key + ".npz", **named)


def array(seed, *shape):
    """Made-up data."""
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def whole(seed, high, *shape):
    """Made-up whole numbers from 0 to below `high`."""
    return torch.from_numpy(np.random.RandomState(seed).randint(0, high, size=shape).astype("int64"))


def fit(key, model, loss_of, optimizer, steps=4):
    """The plainest training, for models whose project has no function for it."""
    for step in range(steps):
        model.train()
        optimizer.zero_grad()
        loss = loss_of(step)
        loss.backward()
        optimizer.step()
        say(f"{key} loss {step}", loss.item())
    keep(key, model)


def attempt(name, run):
    """One of several programs of a driver: what it raises is written, and the next one runs."""
    try:
        run()
    except Exception as error:
        traceback.print_exc()
        print(f"##\t{name}\traised {type(error).__name__}", flush=True)
