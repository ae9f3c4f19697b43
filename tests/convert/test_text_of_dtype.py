"""The texts of dtypes and shapes are torch's."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


def converted(folder: Path, line: str) -> str:
    """The converted text of a program."""
    (folder / "script.py").write_text(f"import torch\nx = torch.zeros(2, 3)\n{line}\n", encoding="utf-8")
    return {path.name: text for path, text in convert(discover(folder)).files.items()}["script.py"]


@pytest.mark.parametrize(("line", "expected"), [
    ("y = str(x.dtype)", 'y = f"torch.{x.dtype}".lower()'),
    ("y = str(x.dtype).split('.')[1]", "y = f\"torch.{x.dtype}\".lower().split('.')[1]"),
    ("y = str(x.shape)", 'y = f"torch.Size({list(x.shape)})"'),
    ("y = str(x.size())", 'y = f"torch.Size({list(x.shape)})"'),
    ("y = str(torch.float32)", 'y = f"torch.{ms.float32}".lower()'),
    ("y = str(3)", "y = str(3)"),
    ("y = str(list(x.shape))", "y = str(list(x.shape))"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    assert converted(tmp_path, line).endswith(expected + "\n")


@pytest.mark.frameworks
def test_the_values(tmp_path: Path) -> None:
    names: dict = {"__name__": "converted"}  # type: ignore[type-arg]
    exec(compile(converted(tmp_path, "y = [str(x.dtype), str(x.bool().dtype), repr(x.shape)]"), "converted.py", "exec"), names)
    assert names["y"] == ["torch.float32", "torch.bool", "torch.Size([2, 3])"]
