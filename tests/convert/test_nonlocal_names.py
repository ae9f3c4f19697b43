"""What a function inside binds by ``nonlocal`` is what the name stands for in the function around it."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """import torch


def kept(x: torch.Tensor):
    found = None

    def inner():
        nonlocal found
        found = x.neg()

    inner()
    return found


class Meter:
    def best(self, values: torch.Tensor):
        count, best = 0, None

        def add(value):
            nonlocal count, best
            count += 1
            if best is None:
                best = value

        for value in values:
            add(value)
        return best.size(), count.size()


sizes = kept(torch.ones(2, 3)).size()
"""


def test_the_binding_is_seen_outside(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(PROGRAM, encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "script.py")
    assert "sizes = kept(ops.ones((2, 3))).shape" in text
    assert "return best.shape, count.size()" in text
