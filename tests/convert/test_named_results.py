"""The fields of named results by their place: torch's named tuples are plain tuples in MindSpore."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


@pytest.mark.parametrize(("line", "expected"), [
    ("y = torch.linalg.svd(x).S", "y = linalg_svd(x)[1]"),
    ("y = torch.linalg.svd(x).Vh", "y = linalg_svd(x)[2]"),
    ("y = torch.linalg.lstsq(x, x).solution", "y = lstsq(x, x)[0]"),
    ("q = torch.linalg.qr(x)\ny = q.Q @ q.R", "q = linalg_qr(x)\ny = q[0] @ q[1]"),
    ("y = torch.slogdet(x).logabsdet", "y = slogdet(x)[1]"),
    ("w, v = torch.linalg.eigh(x)\ny = w.max()", "w, v = eigh(x)\ny = w.max()"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    (tmp_path / "script.py").write_text(f"import torch\nx = torch.ones(3, 3)\n{line}\n", encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert texts["script.py"].endswith(expected + "\n")


def test_vendored_names_are_imported_before_their_use(tmp_path: Path) -> None:
    """A script that imports torch again further down, and keeps something unconverted."""
    program = "import torch\nx = torch.ones(3)\ny = torch.diag(x)\nfrom torch import nn\nz = torch.hash_tensor(x)\n"
    (tmp_path / "script.py").write_text(program, encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    text = texts["script.py"]
    assert "unconverted" in text
    assert text.index("import diag") < text.index("y = diag(x)")


def test_a_tensor_or_a_named_result_by_its_member(tmp_path: Path) -> None:
    """``torch.max(a, b)`` is a tensor and ``torch.max(a, 1)`` a named tuple: where `b` is not known, the member says which."""
    program = "import torch\ndef f(a, b):\n    a = torch.relu(a)\n    return torch.max(a, b).abs(), torch.min(a, b).indices\n"
    (tmp_path / "script.py").write_text(program, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    texts = {path.name: text for path, text in conversion.files.items()}
    assert "return torch_max(a, b).abs(), torch_min(a, b)[1]\n" in texts["script.py"]
    assert not [f for f in conversion.findings if f.code in ("MP101", "MP106")]
