"""Iterators that the project writes itself."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

SCRIPT = """import torch


class Batches:
    def __iter__(self):
        return self

    def __next__(self):
        return torch.ones(2)


for x in Batches():
    print(x.size(0))
"""


def test_an_object_that_iterates_over_itself(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert texts["script.py"].endswith("print(x.shape[0])\n")
