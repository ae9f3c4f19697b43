"""A class may choose its methods by torch's version: each forward is a construct, the version a text."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """import torch

print(f'torch {torch.__version__}')


class Shift(torch.nn.Module):
    if torch.__version__ >= "1.8":
        def forward(self, x):
            return x + 1
    else:
        def forward(self, x):
            return x - 1
"""


def test_every_branch_is_renamed(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "program.py")
    assert text.count("def construct") == 2 and "forward" not in text
    assert "f'torch {TORCH_VERSION}'" in text and "torch." not in text
