"""One registry class builds models, losses and optimizers: what it gives is a module from one caller, an optimizer or a function from another."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
import copy
import torch
from torch import nn


class Registry:
    def __init__(self):
        self.known = {}

    def register(self, name):
        def keep(thing):
            self.known[name] = thing
            return thing
        return keep

    def build(self, cfg, *args, **more):
        cfg = {**more, **cfg}
        kind = cfg.pop("type")
        return (self.known[kind] if isinstance(kind, str) else kind)(*args, **cfg)


ACTS, OPTIMS, LOSSES = Registry(), Registry(), Registry()
for cls in (nn.ReLU, nn.Tanh):
    ACTS.register(cls.__name__)(cls)
for name in ("SGD", "Adam"):
    OPTIMS.register(name)(getattr(torch.optim, name))
LOSSES.register("ce")(nn.CrossEntropyLoss)


@LOSSES.register("l1")
def l1(scale):
    return lambda a: scale * a.abs().mean()


def main():
    x, y = torch.cos(torch.arange(12.0)).view(4, 3), torch.tensor([0, 1, 1, 0])
    for act, how in (("ReLU", {"type": "SGD", "momentum": 0.5}), ("Tanh", {"type": "Adam"})):
        net = nn.Sequential(nn.Linear(3, 2), ACTS.build({"type": act}))
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.sin(torch.arange(p.numel()).float()).view(p.shape))
        opt = OPTIMS.build(how, net.parameters(), lr=0.1)
        ce, extra = LOSSES.build({"type": "ce"}), LOSSES.build({"type": "l1", "scale": 0.3})
        for _ in range(2):
            out = net(x)
            loss = ce(out, y) + extra(out)
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(round(loss.item(), 5))
        print([round(p.sum().item(), 5) for p in net.parameters()], len(copy.deepcopy(opt.state_dict())["param_groups"]))


main()
"""


def test_what_a_registry_builds(tmp_path: Path) -> None:
    """`opt.zero_grad()` asked the optimizer for its parameters, and so did the step ask the function that is a loss."""
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
