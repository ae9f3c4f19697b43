"""A module that is saved as it is comes back as it was: nothing to say beforehand."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.arange(1.0, p.numel() + 1).reshape(p.shape))
torch.save(net, "a.pt")
torch.save({"model": net.state_dict(), "step": 3}, "c.pt")
torch.save(obj=net.fc, f="d.pt")
x = torch.tensor([[1.0, 2.0]])
print(torch.load("a.pt", weights_only=False)(x).tolist(), torch.load("d.pt", weights_only=False)(x).tolist(), torch.load("c.pt")["step"])
"""


def test_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert [finding.message for finding in convert(discover(tmp_path)).findings if finding.risk == "loud" and finding.api == "torch.save"] == []


@pytest.mark.frameworks
def test_modules_come_back(tmp_path: Path) -> None:
    pytest.importorskip("mindspore", reason="this test compares the frameworks")
    from tests.convert.both_sides import printed_by_both

    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours == "[[6.0, 13.0]] [[6.0, 13.0]] 3\n"
