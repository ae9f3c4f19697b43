"""`torch.Tensor` under another name, called elsewhere; and what is set below torch that torch does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """from collections import defaultdict
from functools import partial

import torch

make = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.Tensor
Other = torch.Tensor


def grown(parts):
    kept = defaultdict(make)
    more = defaultdict(lambda: torch.tensor([]))
    for part in parts:
        kept["x"] = torch.cat((kept["x"], part.view(1, -1)), dim=0)
        more["y"] = torch.cat([more["y"], part.view(1, -1)])
    return kept["x"], more["y"]


def filled(sizes, kind=torch.Tensor):
    return [kind(size).zero_() for size in sizes] + [Other(2).fill_(1), make([1, 2]), partial(torch.Tensor, [3, 4])()]


def checked(x):
    return isinstance(x, make), isinstance(x, Other), isinstance(x, torch.Tensor), isinstance(1, Other)
"""


@pytest.mark.frameworks
def test_both_sides_agree(tmp_path: Path) -> None:
    import numpy as np
    import torch
    from mindspore import Tensor

    before, after = both_sides(tmp_path, PROGRAM)
    parts = [[1.0, 2.0], [3.0, 4.0]]
    theirs = before.grown([torch.tensor(p) for p in parts])
    ours = after.grown([Tensor(np.float32(p)) for p in parts])
    for expected, made in zip([*theirs, *before.filled([2, 3])], [*ours, *after.filled([2, 3])], strict=True):
        assert tuple(made.shape) == tuple(expected.shape)
        assert made.asnumpy().tolist() == expected.tolist()
    assert after.checked(Tensor(1.0)) == before.checked(torch.tensor(1.0))


HELD = """import torch

KINDS = {"float": torch.Tensor, "other": torch.FloatTensor}
LIST = [torch.Tensor, torch.FloatTensor]


def made(kind, a):
    return kind(a)


def chosen():
    return torch.Tensor


class Holder:
    def __init__(self, kind):
        self.kind = kind

    def of(self, a):
        return self.kind(a)


ALL = [KINDS["float"]([1, 2]), KINDS.get("float")([1]), LIST[0](2, 3), made(torch.Tensor, [3]), made(kind=torch.Tensor, a=[1]), chosen()([4]), Holder(torch.Tensor).of([1, 2])]
ALL += [kind([1, 2]) for kind in (torch.Tensor, torch.FloatTensor)]
CHECKED = [isinstance(ALL[0], KINDS["float"]), isinstance(ALL[0], tuple(LIST)), isinstance(1, torch.Tensor)]
"""


@pytest.mark.frameworks
def test_out_of_tables_lists_and_arguments(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, HELD)
    for expected, made in zip(before.ALL, after.ALL, strict=True):
        assert tuple(made.shape) == tuple(expected.shape)
        assert str(made.dtype) == "Float32"
    assert after.CHECKED == before.CHECKED


def test_where_types_are_compared_the_call_is_reported(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import torch\n\nKINDS = {'a': torch.Tensor}\n\n\ndef f(x):\n    return type(x) in KINDS.values() and KINDS['a']([1, 2])\n", encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert any(f.code == "MP103" and f.risk == "silent" and f.api == "torch.Tensor" for f in conversion.findings)


@pytest.mark.parametrize("line", [
    "T = torch.Tensor\nflag = type(x) is T\ny = T(2)",
    "kinds = (torch.Tensor, int)\ny = isinstance(x, kinds)",
    "T = torch.Tensor\ndef f(x: T):\n    return isinstance(x, T)",
    "handlers.register(torch.Tensor)(print)",
])  # fmt: skip
def test_where_it_stays_mindspores(tmp_path: Path, line: str) -> None:
    assert "TorchTensor" not in converted_script(tmp_path, f"import torch\nx = torch.ones(1)\n{line}\n")


@pytest.mark.parametrize(("line", "goes"), [
    ("torch.cuda.cudnn_enabled = False", True),
    ("torch.cuda.cudnn_enabled = False\nprint(torch.cuda.cudnn_enabled)", False),
    ("torch.cuda.cudnn_enabled = False\nprint(getattr(torch.cuda, 'cudnn_enabled'))", False),
    ("torch.nn.functional.relu = print", True),  # its uses are the project's own: test_stored_names
])  # fmt: skip
def test_what_torch_does_not_know(tmp_path: Path, line: str, goes: bool) -> None:
    text = converted_script(tmp_path, f"import torch\nx = torch.ones(1)\n{line}\n")
    assert (line.partition(" = ")[0] + " =" not in text) is goes
