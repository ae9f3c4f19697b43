"""Names of modules that MindSpore's own naming of parameters refuses: spaces, colons, signs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

NAMED = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential()
        for i in range(2):
            self.model.add_module("layer {}".format(i), nn.Linear(3, 3))
        self.other = nn.Module()
        self.other.add_module("initial:3+1", nn.Linear(3, 2))
        self.kinds = nn.ModuleDict({"a b": nn.Linear(2, 2), "x->y": nn.Linear(2, 1)})
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (i + 1))

    def forward(self, x):
        x = getattr(self.other, "initial:3+1")(self.model(x))
        return self.kinds["x->y"](self.kinds["a b"](x))


net = Net()
opt = torch.optim.SGD(net.parameters(), 0.01)
loss = net(torch.ones(2, 3)).sum()
loss.backward()
opt.step()
torch.save(net.state_dict(), "named.pt")
fresh = Net()
fresh.load_state_dict(torch.load("named.pt"))
print(list(net.state_dict()), [n for n, _ in net.named_children()], round(loss.item(), 3), round(fresh(torch.ones(1, 3)).item(), 3))
"""


@pytest.mark.frameworks
def test_names_of_modules_with_any_characters(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, NAMED)
    assert ours == theirs
