import importlib.machinery
import os
import sys
import types
import numpy as np
import torch


class Table:
    """What main.py asks of a table."""

    def __init__(self, values):
        self.values = values

    def to_numpy(self):
        return self.values


def auc(labels, scores):
    labels, scores = np.asarray(labels), np.asarray(scores)
    pairs = scores[labels > 0.5][:, None] - scores[labels < 0.5][None]
    return float((pairs > 0).mean() + 0.5 * (pairs == 0).mean())


def read(path):
    rng = np.random.RandomState(1 if "train" in path else 2)
    fields = rng.randint(0, 4, (16, 16))
    fields[0] = 3
    return Table(np.concatenate([np.arange(16)[:, None], fields, rng.randn(16, 5), np.tile([[0, 1], [1, 0], [1, 1], [0, 0]], (4, 1))], 1))


pandas, metrics = types.ModuleType("pandas"), types.ModuleType("sklearn.metrics")
pandas.read_csv, metrics.roc_auc_score = read, auc
sys.modules.update({"pandas": pandas, "sklearn": types.ModuleType("sklearn"), "sklearn.metrics": metrics})
for name in ("pandas", "sklearn", "sklearn.metrics"):
    sys.modules[name].__spec__ = importlib.machinery.ModuleSpec(name, None)

import main as module
from probe import attempt, fill, keep, say

os.makedirs("chkpt", exist_ok=True)
models = {}
get_model, test = module.get_model, module.test


def filled(name, *arguments):
    model = models[name] = get_model(name, *arguments)
    fill(model)
    return model


def told(model, loader, count, device):
    found, losses = test(model, loader, count, device)
    say("test", *losses)
    return found, losses


def run(name):
    module.get_model, module.test = filled, told
    module.main("AliExpress_NL", "made", 2, 4, name, 3, 1e-3, 8, 8, 1e-6, "cpu", "chkpt")
    keep(name, models[name])


for name in ("singletask", "sharedbottom", "omoe", "mmoe", "ple", "aitm", "metaheac"):
    attempt(name, lambda: run(name))
