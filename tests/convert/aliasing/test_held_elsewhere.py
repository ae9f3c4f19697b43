"""A tensor that is changed in place under one name and held under another that no assignment gives it: silently different until 30 November."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks
START = """
import functools
from dataclasses import dataclass, replace
from types import SimpleNamespace
import torch
from torch import nn

a, b = torch.arange(4.0), torch.ones(4)
"""
PROGRAMS = {
    "namespace": """
held = SimpleNamespace(a=a, b=b)
held.a += 1
""",
    "field": """
@dataclass
class Held:
    a: torch.Tensor

held = Held(a)
held.a += 1
again = replace(held)
again.a *= 2
""",
    "entered": """
class Held:
    def __enter__(self):
        return a

    def __exit__(self, *problem):
        pass

with Held() as x:
    x += 1
""",
    "buffer": """
held = nn.Module()
held.register_buffer("x", a)
a += 1
b = held.x.clone()
""",
    "kept": """
@functools.lru_cache(None)
def made(n):
    return torch.ones(n)

x = made(4)
x += 1
b = made(4)
""",
    "mapping": """
class Held:
    def __init__(self):
        self.t = torch.ones(4)
        self.all = {"t": self.t}

held = Held()
held.all["t"] *= 3
b = held.t
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_everyone_sees_the_change(tmp_path: Path, name: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, START + PROGRAMS[name])
    for one in "ab":
        np.testing.assert_array_equal(getattr(mindspore_side, one).asnumpy(), getattr(torch_side, one).numpy())
    assert not (np.array_equal(torch_side.a, [0, 1, 2, 3]) and np.array_equal(torch_side.b, [1, 1, 1, 1])), "nothing was changed"
