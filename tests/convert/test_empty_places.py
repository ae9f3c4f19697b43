"""None keeps a place in a list of modules: the vendored list takes it; a list of modules alone stays MindSpore's."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.pairs = nn.ModuleList([])
        for i in range(3):
            self.pairs.append(nn.ModuleList([%s, nn.ReLU()]))

    def forward(self, x):
        for linear, act in self.pairs:
            x = act(x if linear is None else linear(x))
        return x
"""


def converted(tmp_path: Path, first: str) -> str:
    (tmp_path / "program.py").write_text(PROGRAM % first, encoding="utf-8")
    return next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "program.py")


def test_a_list_that_may_hold_none_is_vendored(tmp_path: Path) -> None:
    text = converted(tmp_path, "None if i == 1 else nn.Linear(width, width)")
    assert "CellList" not in text and text.count("ModuleList(") == 2


def test_a_list_of_modules_is_a_cell_list(tmp_path: Path) -> None:
    assert "ModuleList" not in converted(tmp_path, "nn.Linear(width, width)")


@pytest.mark.frameworks
def test_places_without_a_module_are_passed_over() -> None:
    from mindspore import nn

    from mindport.layers.container import ModuleList

    net = nn.Cell()
    net.items = ModuleList([None, nn.Dense(2, 2)])
    net.items.append(None)
    net.items.insert(1, nn.Dense(2, 3))
    net.items[0] = nn.Dense(2, 4)
    net.items.extend(iter([nn.ReLU()]))
    assert [type(item).__name__ for item in net.items] == ["Dense", "Dense", "Dense", "NoneType", "ReLU"]
    assert len({p.name for p in net.get_parameters()}) == 6
    net.set_grad()
