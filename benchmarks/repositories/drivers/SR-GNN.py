from types import SimpleNamespace
import numpy as np
import torch
from model import SessionGraph, forward, train_test
from probe import attempt, fill, keep, say
from utils import Data, split_validation


def sessions(seed, n):
    rng = np.random.RandomState(seed)
    return [[int(v) for v in rng.randint(1, 30, rng.randint(2, 7))] for _ in range(n)], [int(v) for v in rng.randint(1, 30, n)]


def run(name, **changes):
    opt = SimpleNamespace(**{**dict(hiddenSize=8, batchSize=6, nonhybrid=False, step=2, lr=0.01, l2=1e-5, lr_dc_step=2, lr_dc=0.1), **changes})
    np.random.seed(3)
    train, valid = split_validation(sessions(0, 24), 0.25)
    train, valid = Data(train, shuffle=True), Data(valid)
    model = SessionGraph(opt, 30)
    fill(model)
    for epoch in range(3):
        hit, mrr = train_test(model, train, valid)
        say("%s %d" % (name, epoch), hit, mrr, model.optimizer.param_groups[0]["lr"])
    with torch.no_grad():
        targets, scores = forward(model, np.arange(4), valid)
        say(name + " scores", scores.abs().sum().item(), *targets)
    keep(name, model)


attempt("hybrid", lambda: run("hybrid"))
attempt("global", lambda: run("global", nonhybrid=True, step=1))
