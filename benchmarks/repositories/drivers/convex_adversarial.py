import io
import sys

sys.path.insert(0, "examples")

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset
from attacks import _fgs, _pgd
from problems import Flatten
from trainer import evaluate_baseline, evaluate_madry, evaluate_robust, train_baseline, train_madry, train_robust
from probe import array, attempt, fill, keep, say, whole


def loader(seed, count=6):
    return DataLoader(TensorDataset(torch.sigmoid(array(seed, count, 1, 6, 6)), whole(seed + 1, 3, count)), batch_size=3)


def conv():
    return nn.Sequential(nn.Conv2d(1, 2, 4, stride=2, padding=1), nn.ReLU(), Flatten(), nn.Linear(18, 8), nn.ReLU(), nn.Linear(8, 3))


def fully():
    return nn.Sequential(Flatten(), nn.Linear(36, 10), nn.ReLU(), nn.Linear(10, 3))


def said(name, log):
    for i, line in enumerate(log.getvalue().splitlines()):
        say("%s %d" % (name, i), *[float(word) for word in line.split()])


def robust(name, make, epsilon=0.05, **options):
    model = make()
    fill(model)
    opt = optim.Adam(model.parameters(), lr=1e-2)
    log = io.StringIO()
    for epoch in range(2):
        train_robust(loader(0), model, opt, epsilon, epoch, log, 1, False, clip_grad=1.0, **options)
    said(name, log)
    keep(name, model)
    log = io.StringIO()
    say(name + " average", evaluate_robust(loader(5), model, epsilon, 0, log, 1, **options))
    said(name + " evaluated", log)


def others():
    for name, train, evaluate in (("baseline", lambda l, m, o, e, f: train_baseline(l, m, o, e, f, 1), lambda l, m, e, f: evaluate_baseline(l, m, e, f, 1)), ("madry", lambda l, m, o, e, f: train_madry(l, m, 0.05, o, e, f, 1), lambda l, m, e, f: evaluate_madry(l, m, 0.05, e, f, 1))):
        model = conv()
        fill(model)
        opt = optim.SGD(model.parameters(), lr=1e-2, momentum=0.9)
        log = io.StringIO()
        for epoch in range(2):
            train(loader(0), model, opt, epoch, log)
        evaluate(loader(5), model, 0, log)
        said(name, log)
        keep(name, model)


def attacked():
    model = conv()
    fill(model)
    X, y = torch.sigmoid(array(3, 4, 1, 6, 6)), whole(4, 3, 4)
    say("fgs", _fgs(model, X, y, 0.1)[1])
    say("pgd", _pgd(model, X, y, 0.1, niters=5, alpha=0.02)[1])


attempt("conv", lambda: robust("conv", conv))
attempt("fully", lambda: robust("fully", fully, bounded_input=True))
attempt("l2", lambda: robust("l2", conv, norm_type="l2"))
attempt("others", others)
attempt("attacked", attacked)
