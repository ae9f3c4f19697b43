"""What asks to be computed in place and loses nothing by it is no danger: a scan says what a conversion says."""

from __future__ import annotations

from pathlib import Path

from mindport.report.scan import scan
from mindport.source.discover import discover

NET = """\
import torch.nn.functional as F
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(True)
        self.seq = nn.Sequential(nn.Dropout(0.5), nn.ReLU(inplace=True))
        self.acts = [nn.ReLU(inplace=True)]
    def forward(self, x):
        y = F.relu(x + 1, inplace=True)
        return self.act(y) + self.seq(x)
"""


def test_only_the_request_that_nobody_follows_is_reported(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET)
    found = scan(discover([tmp_path]))
    assert [row.line for row in found.rows if row.code == "MP109"] == [8]
