"""Vendored layers take parameters under torch's attribute names, also where another module's parameter comes in (tied weights)."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks
ms = pytest.importorskip("mindspore", reason="the layers are MindSpore's")

from mindport.layers import activation, embedding, normalization  # noqa: E402


@pytest.mark.parametrize(
    ("layer", "name", "stored"),
    [
        (lambda: embedding.Embedding(4, 3), "weight", "embedding_table"), (lambda: activation.PReLU(2), "weight", "w"),
        (lambda: normalization.BatchNorm2d(3), "weight", "gamma"), (lambda: normalization.BatchNorm1d(3), "running_mean", "moving_mean"),
        (lambda: normalization.LayerNorm(3), "bias", "beta"), (lambda: normalization.GroupNorm(1, 3), "weight", "gamma"),
    ],
)  # fmt: skip
def test_an_assigned_parameter_is_the_layers(layer, name, stored) -> None:
    cell = layer()
    before = len(list(cell.get_parameters()))
    given = ms.Parameter(ms.ops.ones(getattr(cell, stored).shape) * 3, name="given")
    setattr(cell, name, given)
    assert getattr(cell, stored) is given and getattr(cell, name) is given
    assert len(list(cell.get_parameters())) == before
