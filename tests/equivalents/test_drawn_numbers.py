"""A generator that is handed to a random function gives torch's own numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks
#: Each is drawn from a generator that has drawn a few numbers before.
DRAWS = {
    "rand": "torch.rand(3, 5, generator=g)",
    "rand of a tuple": "torch.rand((4,), generator=g)",
    "rand of nothing": "torch.rand((), generator=g), torch.rand(0, 3, generator=g), torch.rand(2, generator=g)",
    "rand float64": "torch.rand(7, dtype=torch.float64, generator=g)",
    "rand float16": "torch.rand(40, dtype=torch.float16, generator=g)",
    "rand bfloat16": "torch.rand(5, dtype=torch.bfloat16, generator=g).float()",
    "rand complex": "torch.view_as_real(torch.rand(3, 4, dtype=torch.complex64, generator=g))",
    "few normals": "torch.randn(5, generator=g), torch.rand(2, generator=g), torch.randn(3, generator=g), torch.randn(1, dtype=torch.float64, generator=g)",
    "sixteen": "torch.randn(4, 4, generator=g)",
    "many": "torch.randn(3, 7, 5, generator=g), torch.randn(2, generator=g)",
    "many float64": "torch.randn(37, dtype=torch.float64, generator=g)",
    "many float16": "torch.randn(40, dtype=torch.float16, generator=g), torch.randn(17, dtype=torch.bfloat16, generator=g).float()",
    "randn complex": "torch.view_as_real(torch.randn(3, 4, dtype=torch.complex64, generator=g)), torch.view_as_real(torch.randn(2, dtype=torch.complex128, generator=g))",
    "like": "torch.rand_like(torch.ones(2, 3), generator=g), torch.randn_like(torch.ones(20, dtype=torch.float64), generator=g)",
    "randint": "torch.randint(10, (3, 4), generator=g), torch.randint(-5, 1000, (2,), generator=g), torch.randint(0, 2**40, [3], generator=g)",
    "randint int32": "torch.randint(0, 7, (9,), generator=g, dtype=torch.int32), torch.randint(0, 7, (9,), generator=g, dtype=torch.float32)",
    "randperm": "torch.randperm(11, generator=g), torch.randperm(0, generator=g), torch.randperm(3, generator=g, dtype=torch.int32)",
    "normal": "torch.normal(1.5, 0.3, (4, 5), generator=g), torch.normal(1.5, 0.3, (4,), generator=g)",
    "normal of tensors": "torch.normal(torch.arange(4.0), torch.tensor([[0.5], [2.0]]), generator=g), torch.normal(torch.zeros(17), 0.1, generator=g), torch.normal(2.0, torch.ones(3), generator=g)",
    "multinomial": "torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2, generator=g), torch.multinomial(torch.tensor([[1.0, 2, 3, 4], [4, 3, 2, 1]]), 3, generator=g)",
    "multinomial replaced": "torch.multinomial(torch.tensor([[1.0, 2, 3, 4], [4, 3, 2, 1]]), 9, True, generator=g), torch.multinomial(torch.tensor([1.0, 2.0]), 1, True, generator=g)",
    "multinomial float64": "torch.multinomial(torch.tensor([0.1, 0.2, 0.7], dtype=torch.float64), 2, generator=g)",
    "uniform_": "torch.empty(3, 3).uniform_(-0.3, 1.7, generator=g), torch.empty(5, dtype=torch.float64).uniform_(2, 3, generator=g), torch.empty(40, dtype=torch.float16).uniform_(-0.3, 1.7, generator=g)",
    "normal_": "torch.empty(3, 3).normal_(0.1, 0.2, generator=g), torch.empty(50).normal_(generator=g), torch.empty(33, dtype=torch.float16).normal_(0.5, 0.25, generator=g)",
    "exponential_": "torch.empty(4).exponential_(2.0, generator=g), torch.empty(3, dtype=torch.float64).exponential_(generator=g)",
    "random_": "torch.empty(5).random_(4, generator=g), torch.empty(5, dtype=torch.int64).random_(-3, 9, generator=g)",
    "random_ of all": "torch.empty(3).random_(generator=g), torch.empty(3, dtype=torch.int64).random_(generator=g), torch.empty(3, dtype=torch.uint8).random_(generator=g), torch.empty(3, dtype=torch.float64).random_(generator=g)",
    "state": "keep(g), torch.randn(3, generator=g), again(g), torch.randn(3, generator=g)",
}
PROGRAM = """
import torch

kept = []


def keep(g):
    kept.append(g.get_state())
    return torch.zeros(1)


def again(g):
    g.set_state(kept[-1])
    return torch.zeros(1)


def drawn(seed):
    g = torch.Generator().manual_seed(seed)
    first = torch.rand(3, generator=g), torch.randn(1, generator=g)
    later = DRAW
    return [*first, *(later if isinstance(later, tuple) else (later,)), torch.randint(100, (2,), generator=g)]


found = [one for seed in (0, 7, 2**40 + 5) for one in drawn(seed)]
"""


@pytest.mark.parametrize("name", DRAWS)
def test_the_numbers_are_torchs(tmp_path: Path, name: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM.replace("DRAW", DRAWS[name]))
    for expected, found in zip(torch_side.found, mindspore_side.found, strict=True):
        theirs, ours = expected.numpy(), found.asnumpy()
        assert theirs.shape == ours.shape and theirs.dtype == ours.dtype
        bits = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-14}.get(str(theirs.dtype), 0)
        np.testing.assert_allclose(ours, theirs, rtol=bits, atol=bits)


def test_a_generator_that_may_be_none(tmp_path: Path) -> None:
    text = """
import torch


def noise(shape, generator=None, device=None, dtype=None):
    return torch.randn(shape, generator=generator, device=device, dtype=dtype)


found = noise((2, 9), torch.Generator("cpu").manual_seed(3))
other = noise((2, 9))
"""
    torch_side, mindspore_side = both_sides(tmp_path, text)
    np.testing.assert_allclose(mindspore_side.found.asnumpy(), torch_side.found.numpy(), rtol=1e-6, atol=1e-6)
    assert mindspore_side.other.shape == (2, 9) and not np.allclose(mindspore_side.other.asnumpy(), mindspore_side.found.asnumpy())


def test_initialisers_and_bernoulli_draws(tmp_path: Path) -> None:
    """By name, by place, under another name, and where the generator may be None."""
    text = """
import torch
from torch import nn


def build(seed, init=nn.init.xavier_uniform_, generator=None):
    g = torch.Generator().manual_seed(seed)
    net = nn.Sequential(nn.Conv1d(3, 4, 3), nn.Flatten(), nn.Linear(8, 2), nn.Linear(2, 5))
    nn.init.kaiming_normal_(net[0].weight, generator=g)
    nn.init.trunc_normal_(net[0].bias, std=0.02, generator=g)
    init(net[2].weight, generator=g)
    nn.init.uniform_(net[2].bias, -1, 1, g)
    nn.init.orthogonal_(net[3].weight, generator=g)
    nn.init.ones_(net[3].bias)
    other = nn.init.normal_(torch.empty(3), generator=generator)
    masks = torch.bernoulli(torch.full((2, 3), 0.4), generator=g), torch.zeros(4).bernoulli_(torch.tensor([0.1, 0.9, 0.5, 0.5]), generator=g)
    return [p.detach().flatten() for p in net.parameters()], masks, other


found, masks, other = build(3)
"""
    torch_side, mindspore_side = both_sides(tmp_path, text)
    for expected, found in zip([*torch_side.found, *torch_side.masks], [*mindspore_side.found, *mindspore_side.masks], strict=True):
        np.testing.assert_allclose(found.asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
    assert mindspore_side.other.shape == (3,)
