"""``globals()[name]`` where the name is one that the file imports from torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """\
import kinds
import torch

weight = torch.nn.Parameter(torch.ones(3))
for name in ("Adam", "SGD"):
    optimizer = kinds.optimizer(name, [weight])
    optimizer.zero_grad()
    (weight**2).sum().backward()
    optimizer.step()
    print(name, ["%.4f" % v for v in weight.tolist()])
print(["%.4f" % kinds.activation(name)(torch.tensor([0.5])).item() for name in ("Squash", "softplus")], kinds.ACTIVE is not None)
# ==== kinds.py
from torch.nn import ReLU, Tanh as Squash
from torch.nn.functional import softplus
from torch.optim import SGD, Adam

ACTIVE = globals().get("ReLU")


def optimizer(name, parameters):
    kind = globals()[name]
    return kind(parameters, lr=0.1)


def activation(name):
    found = globals()[name]
    return found() if isinstance(found, type) else found
"""


@pytest.mark.frameworks
def test_what_is_imported_is_found_by_its_name(tmp_path: Path) -> None:
    torch, mindspore = printed_by_both(tmp_path, PROGRAM)
    assert mindspore == torch and len(torch.splitlines()) == 3


@pytest.mark.parametrize(
    ("head", "reads", "kept"),
    [
        ("from torch.optim import SGD, Adam\n\n", "globals()['SGD']", "globals().update(SGD=SGD)"),
        ("from torch.optim import SGD\n", "globals()[x]", "globals().update(SGD=SGD)"),
        ("import sys\nfrom torch.nn import Tanh\n\n", "getattr(sys.modules[__name__], x)", "globals().update(Tanh=Tanh)"),
    ],
)
def test_the_names_that_are_asked_for(tmp_path: Path, head: str, reads: str, kept: str) -> None:
    text = converted_script(tmp_path, f"{head}def read(x):\n    return {reads}\n")
    assert f"\n{kept}\n" in f"\n{text}\n" and text.count("update") == 1


@pytest.mark.parametrize("reads", ["globals()['other']", "vars(x)[x]", "globals", "x.globals()[x]"])
def test_where_no_text_asks(tmp_path: Path, reads: str) -> None:
    assert "update" not in converted_script(tmp_path, f"from torch.optim import SGD\n\ndef read(x):\n    return {reads}\n")
