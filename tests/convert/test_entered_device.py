"""``with torch.device(…)``: what is made inside is made; the meta device is refused by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """import torch
from torch import nn

device = torch.device("cpu")
with torch.device("cpu"):
    made = torch.arange(3)
with device, torch.no_grad():
    layer = nn.Linear(2, 3)
    shape = tuple(layer(torch.ones(4, 2)).shape)
"""


@pytest.mark.frameworks
def test_what_is_made_inside(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.made.tolist() == theirs.made.tolist()
    assert ours.shape == theirs.shape == (4, 3)


def test_the_meta_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import torch\n\nwith torch.device('meta'):\n    x = torch.zeros(3)\n", encoding="utf-8")
    conversion = convert(discover(tmp_path))
    (finding,) = (f for f in conversion.findings if f.code == "MP102")
    assert finding.api == "torch.device"
    assert "torch.device('meta')" in next(iter(conversion.files.values()))


def test_devices_that_nothing_enters_keep_their_text(tmp_path: Path) -> None:
    assert "entered_device" not in converted_script(tmp_path, "import torch\n\nd = torch.device('cpu')\nx = torch.zeros(3, device=d)\n")
