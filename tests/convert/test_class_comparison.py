"""``type(m) is nn.Linear`` counts the layer whichever class it was written as."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """\
import torch.nn as nn


def count(net):
    found = [0, 0, 0]
    for m in net.modules():
        found[0] += type(m) is nn.Conv2d
        found[1] += type(m) is not nn.ReLU
        if (type(m) ==  # a note
                nn.Linear):
            found[2] += 1
    return found


KINDS = (nn.Conv2d, nn.Linear)


def of_kinds(net, kinds=KINDS):
    return sum(isinstance(m, kinds) for m in net.modules())


def plain():
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Linear(3, 4))


def decided_at_run_time(padding):
    return nn.Sequential(nn.Conv2d(3, 4, 3, padding=padding), nn.ReLU(), nn.ReLU())
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "classes.py").write_text(PROGRAM)
    write(convert(discover([tmp_path / "classes.py"])), tmp_path / "out")
    return tmp_path / "out"


def test_layers_stay_tidy(project: Path) -> None:
    text = (project / "classes.py").read_text()
    assert "type(m) in (nn.Conv2d, Conv2d)" in text and "type(m) not in (nn.ReLU, ReLU)" in text
    assert "# a note" in text and "(nn.Dense, Linear)" in text
    assert "nn.SequentialCell(nn.Conv2d(3, 4, 3, " in text


@pytest.mark.frameworks
def test_both_classes_are_counted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(project))
    for name in ("classes", "torch_equivalents"):
        sys.modules.pop(name, None)
    classes = importlib.import_module("classes")
    assert classes.count(classes.plain()) == [1, 3, 1]
    assert classes.of_kinds(classes.plain()) == 2
    assert classes.of_kinds(classes.decided_at_run_time(1)) == 1 and classes.of_kinds(classes.decided_at_run_time((1, 1)), (classes.Linear,)) == 0
    assert classes.count(classes.decided_at_run_time((1, 1))) == [1, 2, 0]


BY_ORDER = """\
import torch.nn as nn

TABLE = {nn.Linear: "dense", object: "other"}


def find(obj):
    return next(TABLE[kind] for kind in type(obj).__mro__ if kind in TABLE)


print(find(nn.Linear(2, 3)), find(nn.ReLU()))
"""


@pytest.mark.frameworks
def test_classes_are_looked_up_in_their_order(tmp_path: Path) -> None:
    before, after = printed_by_both(tmp_path, BY_ORDER)
    assert before == after == "dense other\n"


OF_MODULES = """\
import torch
from torch import nn

KINDS = {nn.Linear: "dense", torch.Tensor: "tensor", nn.Module: "module"}


class Own(nn.Module):
    pass


def find(obj):
    return next((name for kind, name in KINDS.items() if isinstance(obj, kind)), None)


print([find(x) for x in (nn.Linear(1, 1), torch.ones(1), nn.ReLU(), Own(), 3)], issubclass(Own, tuple(KINDS)))
"""


@pytest.mark.frameworks
def test_modules_are_known_by_a_table(tmp_path: Path) -> None:
    """`nn.Module` stood there as a class of its own, which nothing was an instance of, silently."""
    before, after = printed_by_both(tmp_path, OF_MODULES)
    assert before == after == "['dense', 'tensor', 'module', 'module', None] True\n"
