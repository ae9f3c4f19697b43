"""Operators on the bits of tensors: the text, and the values beside torch's."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

HEAD = "import torch\na = torch.tensor([7, -7, 5])\nb = torch.tensor([1, 2, 0])\nm = a > 0\n"


def converted(folder: Path, program: str) -> str:
    """The converted text of a program."""
    (folder / "script.py").write_text(HEAD + program, encoding="utf-8")
    return {path.name: text for path, text in convert(discover(folder)).files.items()}["script.py"]


@pytest.mark.parametrize(("line", "expected"), [
    ("y = a << 1", "y = bitwise_left_shift(a, 1)"),
    ("y = (a + 1) >> b", "y = bitwise_right_shift(a + 1, b)"),
    ("y = 1 << b", "y = bitwise_left_shift(1, b)"),
    ("y = 3 & a | 8", "y = a & 3 | 8"),
    ("y = 3 ^ a + b", "y = (a + b) ^ 3"),
    ("y = ~a", "y = bitwise_not(a)"),
    ("y = ~m", "y = ~m"),
    ("y = 1 << 3", "y = 1 << 3"),
    ("b <<= 1", "bitwise_left_shift_(b, 1)"),
    ("b >>= a", "bitwise_right_shift_(b, a)"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    assert converted(tmp_path, line + "\n").endswith(expected + "\n")


@pytest.mark.frameworks
def test_the_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = converted(tmp_path, "c = b.clone()\nd = c\nc <<= 2\nc >>= 1\ny = [c, d, a << 1, a >> b, 1 << b, 3 & a, 8 | a, 1 ^ a, ~a, (a << 2) + 1, ~(a >> 1)]\n")
    vendored = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    (tmp_path / "torch_equivalents.py").write_text(vendored["torch_equivalents.py"], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "torch_equivalents", raising=False)
    expected: dict[str, list] = {}  # type: ignore[type-arg]
    found: dict[str, list] = {}  # type: ignore[type-arg]
    exec(compile((tmp_path / "script.py").read_text(encoding="utf-8"), "script.py", "exec"), expected)
    exec(compile(text, "converted.py", "exec"), found)
    assert [t.tolist() for t in expected["y"]] == [t.asnumpy().tolist() for t in found["y"]]
