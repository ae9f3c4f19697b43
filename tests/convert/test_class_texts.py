"""``"batchnorm" in str(layer.__class__)`` separates the parameters of normalisations as torch's text of the class would."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 2, 1), nn.BatchNorm2d(2), nn.PReLU(2))
        self.head = nn.Linear(2, 2)


def separate(modules):
    norm, rest = [], []
    for layer in modules.modules():
        if "container" in str(layer.__class__) or "Block" in str(layer.__class__):
            continue
        if "batchnorm" in str(layer.__class__):
            norm.extend([*layer.parameters()])
        else:
            rest.extend([*layer.parameters()])
    return len(norm), len(rest)


def foreign(m):
    return "torch.nn" not in type(m).__module__


def refused(m):
    return "no use for " + str(type(m))


print(separate(Block()), [str(type(m)).find("Linear") >= 0 for m in Block().children()])
print([foreign(m) for m in [Block(), nn.ReLU(), torch.ones(2), 3, nn.BCELoss()]])
"""


def test_messages_keep_the_class(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert 'if "batchnorm" in class_text(layer):' in text and "class_file(m)" in text and '"no use for " + str(type(m))' in text


@pytest.mark.frameworks
def test_both_sides_see_the_same_classes(tmp_path: Path) -> None:
    before, after = printed_by_both(tmp_path, PROGRAM)
    assert before == after == "(2, 5) [False, True]\n[True, False, True, True, False]\n"


@pytest.mark.frameworks
def test_files_are_those_of_torch() -> None:
    import re

    import torch

    from mindport import catalog
    from mindport.layers.class_texts import FILES

    names = [n.rpartition(".")[2] for e in catalog.load().entries if e.kind == "layer" for n in e.names if n.startswith("torch.nn.") and n.count(".") == 2]
    for kind in [getattr(torch.nn, n) for n in names if isinstance(getattr(torch.nn, n, None), type)]:
        assert kind.__module__ == "torch.nn." + next(file for file, pattern in FILES.items() if re.fullmatch(pattern, kind.__name__)), kind
