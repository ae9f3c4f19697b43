"""Sliced score matching: directions that an ``if`` draws in the shape of the input, and scores that are computed again behind their gradient."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

MATCHING = """import torch
from torch import autograd, nn

net = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, OUT))
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.6, 0.8, p.numel()).reshape(p.shape))


def matching(net, samples, noise=None, kind="sign"):
    samples.requires_grad_(True)
    if noise is None:
        vectors = torch.randn_like(samples)
        if kind == "sign":
            vectors = vectors.sign()
        elif kind == "sphere":
            vectors = vectors / torch.norm(vectors, dim=-1, keepdim=True)
        else:
            raise ValueError(kind)
    else:
        vectors = noise
FIRST
    gradv = torch.sum(grad1 * vectors)
    loss1 = torch.norm(grad1, dim=-1) ** 2 * 0.5
    grad2 = autograd.grad(gradv, samples, create_graph=True)[0]
    return (loss1 + torch.sum(vectors * grad2, dim=-1)).mean()


def train(net, steps):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for number in range(steps):
        x = torch.linspace(-1.0, 1.0, 12).reshape(4, 3) * (number + 1)
        noise = torch.tensor([[1.0, -1.0, 1.0]]).repeat(4, 1)
        optimizer.zero_grad()
        loss = matching(net, x, noise)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses


found = [*train(net, 3), *(p.detach() for p in net.parameters())]
"""
#: The gradient of an energy, and a network that gives scores itself: what is read behind its derivative is computed twice.
ENERGY = "    grad1 = autograd.grad(-net(samples).sum(), samples, create_graph=True)[0]"
SCORES = "    grad1 = net(samples)"
LAYER = """

class Far(nn.Module):
    def __init__(self):
        super().__init__()
        self.far = LAYER

    def forward(self, x):
        return MADE
"""


@pytest.mark.frameworks
@pytest.mark.parametrize(("out", "first"), [("1", ENERGY), ("3", SCORES)])
def test_directions_that_branches_draw_stay_where_they_are(tmp_path: Path, out: str, first: str) -> None:
    theirs, ours = both_sides(tmp_path, MATCHING.replace("OUT", out).replace("FIRST", first))
    for expected, made in zip(theirs.found, ours.found, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("layer", "made", "refused"),
    [
        ("nn.PairwiseDistance()", "self.far(x, x * 2)", False),
        ("None", "torch.cdist(x, x) + torch.nn.functional.normalize(x)", False),
        ("nn.Dropout()", "self.far(x)", True),
        ("nn.Dropout(0.2)", "self.far(x)", True),
        ("None", "torch.nn.functional.dropout(x, training=True)", True),
    ],
)
def test_the_order_of_a_norm_is_no_chance(tmp_path: Path, layer: str, made: str, refused: bool) -> None:
    """Both are called `p`: what may draw is not computed a second time."""
    functions = MATCHING[MATCHING.index("def matching") : MATCHING.index("found = ")].replace("FIRST", SCORES)  # any module of the project may be handed to them
    text = f"import torch\nfrom torch import autograd, nn\n\n\n{functions}" + LAYER.replace("LAYER", layer).replace("MADE", made)
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    told = [f.code for f in convert(discover(tmp_path)).findings if f.code == "MP401"]
    assert bool(told) is refused
