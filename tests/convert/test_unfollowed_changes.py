"""Changes in place that no assignment shows are told: they were lost without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

HEAD = "import functools\nimport operator\nfrom operator import imul\n\nimport torch\n\nx = torch.ones(3)\n\n\nclass Holder:\n    pass\n\n\no = Holder()\no.x = x\no.n = 1\n"


@pytest.mark.parametrize(("line", "told"), [
    ("operator.iadd(x, 1)", True),
    ("imul(o.x, 2)", True),
    ("functools.reduce(operator.iadd, [x, x])", True),
    ("vars(o)['x'] -= 1", True),
    ("o.__dict__['x'] *= 2", True),
    ("operator.add(x, 1)", False),
    ("functools.reduce(operator.iadd, [[1], [2]], [])", False),
    ("operator.iadd([1], [2])", False),
    ("counts = {'x': 1}\ncounts['x'] += 1", False),
])  # fmt: skip
def test_what_is_told(tmp_path: Path, line: str, told: bool) -> None:
    (tmp_path / "script.py").write_text(HEAD + line + "\n", encoding="utf-8")
    found = [finding for finding in convert(discover(tmp_path)).findings if "makes a new one" in finding.message]
    assert bool(found) is told and all(finding.code == "MP109" for finding in found)


def test_a_file_without_torch_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import operator\n\n\ndef add(x, y):\n    return operator.iadd(x, y)\n", encoding="utf-8")
    assert not convert(discover(tmp_path)).findings


def test_a_tensor_of_another_file(tmp_path: Path) -> None:
    """The file that changes it uses nothing of PyTorch's."""
    (tmp_path / "made.py").write_text("import torch\n\nx = torch.ones(3)\n", encoding="utf-8")
    (tmp_path / "script.py").write_text("import operator\n\nfrom made import x\n\noperator.iadd(x, 1)\noperator.iadd([1], [2])\n", encoding="utf-8")
    told = [finding for finding in convert(discover(tmp_path)).findings if "makes a new one" in finding.message]
    assert [(finding.code, finding.span.line) for finding in told if finding.span is not None] == [("MP109", 5)]
