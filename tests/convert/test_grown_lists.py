"""Lists of modules that grow as attributes: every parameter keeps a name of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

PROGRAM = """from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList()
        self.up = nn.ModuleList()
        for i in range(2):
            self.down.append(nn.Linear(2, 3 + i))
        for i in range(2):
            self.up.insert(0, nn.Linear(2, 3 + i))
"""


@pytest.mark.parametrize(("body", "renamed"), [
    ("self.a.append(nn.Linear(2, 2))\n        self.b += [nn.Linear(2, 2)]", True),
    ("self.a.append(nn.Linear(2, 2))\n        self.a.extend([nn.Linear(2, 2)])", False),
    ("self.a.append(nn.Linear(2, 2))\n        self.c.append(1)", False),
])  # fmt: skip
def test_the_text(tmp_path: Path, body: str, renamed: bool) -> None:
    head = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    lists = "        self.a, self.b, self.c = nn.ModuleList(), nn.ModuleList(), []\n"
    (tmp_path / "script.py").write_text(f"{head}{lists}        {body}\n", encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "script.py")
    assert text.endswith("        self.update_parameters_name()\n") == renamed


@pytest.mark.frameworks
def test_names_are_torchs(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    expected = sorted(name for name, _ in torch_side.Net().named_parameters())
    assert sorted(parameter.name for parameter in mindspore_side.Net().get_parameters()) == expected


@pytest.mark.frameworks
def test_lists_of_parameters_beside_grown_lists(tmp_path: Path) -> None:
    program = f"""{PROGRAM}        self.parts = list(self.down.parameters()), list(self.up.parameters())
        self.first = list(self.down.parameters())
        self.second = list(self.up.parameters())
        self.head = nn.Linear(2, 2)
"""
    torch_side, mindspore_side = both_sides(tmp_path, program)
    expected = sorted(name for name, _ in torch_side.Net().named_parameters())
    model = mindspore_side.Net()
    assert sorted(parameter.name for parameter in model.get_parameters()) == expected
    assert [parameter.name for parameter in model.second] == [name for name, _ in torch_side.Net().named_parameters() if name.startswith("up.")]
