import argparse
from types import SimpleNamespace

import torch

saved = {"dim": 3}
options = argparse.Namespace(dim=64, rate=0.1, weight=torch.ones(3))
shape = SimpleNamespace(rows=2, state=torch.zeros(4), later=1)
open_ = SimpleNamespace(**saved)


def fill(one):
    one.later = torch.zeros(2)


def use(given=options):
    #? Tensor | unknown
    given.weight


fill(shape)
#? 64
options.dim
#? 0.1
options.rate
#? Tensor
options.weight.sum(0)
#? Tensor
shape.state
#? 1 | unknown
shape.later
#? unknown
shape.missing
