"""A module that is saved as it is raises when the run ends: said beforehand."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)


net = Net()
torch.save(net, "a.pt")
torch.save(net.state_dict(), "b.pt")
torch.save({"model": net.state_dict(), "step": 3}, "c.pt")
torch.save(obj=net.fc, f="d.pt")
"""


def test_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    told = [finding for finding in convert(discover(tmp_path)).findings if finding.risk == "loud" and finding.api == "torch.save"]
    assert [finding.span.line for finding in told if finding.span] == [12, 15]
