"""Products of vectors and matrices in what is mapped over a batch, and in Jacobians."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """import json
import torch
from torch.func import jacfwd, jacrev, vmap

x, y = torch.arange(12.0).view(3, 4), torch.ones(4, 3) + torch.arange(3.0)
m, w = torch.arange(60.0).view(3, 4, 5) % 7, torch.arange(12.0).view(3, 4) / 10 - 0.5
first, row = m[0], w[0]
found = [
    vmap(lambda a, b: a @ b)(x, x), vmap(lambda a, b: a @ b, in_dims=(0, 1))(x, y), vmap(lambda a, b: torch.matmul(a, b))(x, m),
    vmap(lambda a: a @ first)(x), vmap(lambda a, b: a @ b)(m.mT, x), vmap(lambda b: first.mT @ b)(x), vmap(lambda a, b: a.mT @ b)(m, m), vmap(lambda a: m @ a)(m.mT),
    vmap(lambda a: a @ row)(m.mT), jacrev(lambda v: v @ v * v)(x[1]), jacfwd(lambda v: v @ v * v)(x[1]), jacrev(lambda v: torch.sin(w @ v) @ w)(x[0]),
]
print(json.dumps([[list(t.shape), *t.flatten().tolist()] for t in found]))
"""
HELD = "import torch\n\n\ndef double(t):\n    return t * 2\n\n\nprint({}(double)(torch.ones(2)))\n"


@pytest.mark.frameworks
def test_members_products(tmp_path: Path) -> None:
    theirs, ours = (json.loads(text.strip().splitlines()[-1]) for text in printed_by_both(tmp_path, PROGRAM))
    for expected, made in zip(theirs, ours, strict=True):
        assert made[0] == expected[0] and made[1:] == pytest.approx(expected[1:], rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(("transformation", "asked"), [("torch.vmap", True), ("torch.func.hessian", True), ("torch.func.grad", False)])
def test_the_rule_is_asked_for_where_members_are_mapped(tmp_path: Path, transformation: str, asked: bool) -> None:
    (tmp_path / "script.py").write_text(HELD.format(transformation), encoding="utf-8")
    assert any("MAPS_PRODUCTS" in file for file in convert(discover(tmp_path)).files.values()) == asked
