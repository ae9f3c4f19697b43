"""Libraries that are taken along are converted with the project, and what knowledge has of them is its tested form."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.convert import Conversion, convert, write
from mindport.source.carried import Library, carry
from mindport.source.discover import discover
from tests.source.test_carried import laid

PROJECT = {
    "tools/train.py": "import torch\nfrom tiny import Gate\n\ngate = Gate(2)\nprint(gate(torch.tensor([[1.0, -2.0]])).tolist(), gate.training)\n",
    "work/utils.py": "def twice(x):\n    return 2 * x\n",
    "work/late.py": "from utils import twice\n\nprint(twice(3))\n",
}
LIBRARY = {
    "tiny/__init__.py": "from tiny.gate import Gate\n",
    "tiny/utils.py": "",
    "tiny/gate.py": (
        "import torch\nfrom torch import nn\n\nclass Gate(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.line = nn.Linear(n, n)\n"
        "        nn.init.constant_(self.line.weight, 0.5)\n        nn.init.zeros_(self.line.bias)\n\n    def forward(self, x):\n        return torch.relu(self.line(x)) - x\n"
    ),
}
OPERATORS = {
    "torchvision/__init__.py": "from torchvision import ops\n",
    "torchvision/ops/__init__.py": "from .boxes import box_area, largest, nms\n",
    "torchvision/ops/boxes.py": (
        "import torch\nfrom torch import Tensor\n\n\ndef nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:\n    return torch.ops.torchvision.secret(boxes, scores, iou_threshold)\n\n\n"
        "def box_area(boxes: Tensor) -> Tensor:\n    return torch.ops.torchvision.area(boxes)\n\n\ndef largest(boxes, scores):\n    return box_area(boxes[nms(boxes, scores, 0.5)]).max()\n"
    ),
}


def taken(folder: Path, project: dict[str, str], name: str, library: dict[str, str]) -> Conversion:
    found = discover(laid(folder / "before", project))
    carry(found, [Library.named(f"{name}={laid(folder / 'site', library)}")])
    conversion = convert(found)
    write(conversion, folder / "after")
    return conversion


@pytest.mark.frameworks
def test_a_script_in_a_folder_finds_the_converted_library_first(tmp_path: Path) -> None:
    """Before an installed one, and what the library calls by the project's names stays the project's."""
    conversion = taken(tmp_path, PROJECT, "tiny", LIBRARY)
    assert not [record for record in conversion.log if record.strategy == "unconverted"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "GLOG_v": "3"}
    theirs, ours = (
        subprocess.run([sys.executable, "tools/train.py"], cwd=tmp_path / side, env=environment, capture_output=True, text=True, check=True).stdout for side in ("before", "after")
    )
    assert theirs == ours != ""
    assert "mindspore" in (tmp_path / "after" / "tiny" / "gate.py").read_text()


def test_what_knowledge_has_of_a_library_stands_in_its_place(tmp_path: Path) -> None:
    conversion = taken(tmp_path, {"run.py": "from torchvision.ops import largest\n\nprint(largest)\n"}, "torchvision", OPERATORS)
    text = (tmp_path / "after" / "torchvision" / "ops" / "boxes.py").read_text()
    assert "from torch_equivalents import nms_of_boxes as nms\n" in text and "from torch_equivalents import box_area\n" in text
    assert "secret" not in text and "def largest(boxes, scores):" in text
    assert not [finding for finding in conversion.findings if finding.risk == "blocker"]


def test_a_library_does_not_change_what_the_projects_names_mean(tmp_path: Path) -> None:
    """``utils`` of the project, found where it is the only one, is still the only one beside ``tiny/utils.py``."""
    project = {**PROJECT, "elsewhere/more.py": "from utils import twice\nimport torch\n\nvalue = twice(torch.ones(2)).add_(1)\n"}
    with_it = taken(tmp_path, project, "tiny", LIBRARY)
    without = convert(discover(laid(tmp_path / "alone", project)))
    assert {p: t for p, t in with_it.files.items() if p.name == "more.py"} == {p: t for p, t in without.files.items() if p.name == "more.py"}
