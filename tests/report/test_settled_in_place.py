"""What asks to be computed in place and loses nothing by it is no danger: a scan says what a conversion says."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
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


CHOSEN = """\
from torch import nn
class Net(nn.Module):
    def __init__(self, kind, flag):
        super().__init__()
        if kind == "relu":
            self.act = nn.ReLU(inplace=True)
        else:
            self.act = None
        self.one = nn.PReLU() if flag else nn.ReLU(inplace=True)
        self.conv = nn.Conv2d(3, 3, 1)
    def forward(self, x):
        x = self.conv(x)
        if self.act:
            x = self.act(x)
        if self.one is not None:
            x = self.one(x)
        return x
"""


def test_a_layer_of_two_is_judged_where_it_is_called(tmp_path: Path) -> None:
    """Most findings of public networks were of layers that a setting chooses, and whose existence the code asks for."""
    (tmp_path / "net.py").write_text(CHOSEN)
    assert not [row for row in scan(discover([tmp_path])).found() if row.code == "MP109"]
    (tmp_path / "net.py").write_text(CHOSEN.replace("            x = self.one(x)\n", "            y = self.one(x)\n            x = x + y\n"))
    assert [row.line for row in scan(discover([tmp_path])).found() if row.code == "MP109"] == [16]
    (text,) = convert(discover([tmp_path])).files.values()
    assert "y = self.one(x)" in text  # it was `y = x = self.one(x)`: with PReLU, torch leaves x alone


def test_what_may_be_none_is_the_layer_where_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(CHOSEN.replace("            x = self.act(x)\n", "            y = self.act(x)\n            x = x + y\n"))
    assert not [row for row in scan(discover([tmp_path])).found() if row.code == "MP109"]
    assert any("y = x = self.act(x)" in text for text in convert(discover([tmp_path])).files.values())
