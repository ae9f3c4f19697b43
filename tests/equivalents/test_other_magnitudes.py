"""Values and gradients far from 1, against torch: triangular systems without digits to spare, vectors shorter than eps, probabilities next to 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

STEEP = np.triu(np.full((4, 4), 1e6, np.float32), 1) + np.eye(4, dtype=np.float32)
RIGHT = np.arange(1, 9, dtype=np.float32).reshape(4, 2)


@pytest.mark.parametrize(("upper", "left", "unit"), [(True, True, False), (False, True, False), (True, False, True), (False, False, True)])
@pytest.mark.parametrize("spoilt", ["", "zero", "nan"])
def test_triangular_systems(upper: bool, left: bool, unit: bool, spoilt: str) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.linear_systems import solve_triangular

    a = (STEEP if upper else STEEP.T) + np.where(np.eye(4) > 0, 1, 0).astype(np.float32)
    if spoilt:
        a[1, 1] = 0 if spoilt == "zero" else np.nan
    b = RIGHT if left else RIGHT.T.copy()
    expected = torch.linalg.solve_triangular(torch.from_numpy(a), torch.from_numpy(b), upper=upper, left=left, unitriangular=unit).numpy()
    found = solve_triangular(ms.Tensor(a), ms.Tensor(b), upper=upper, left=left, unitriangular=unit).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("left", [False, True])
def test_factors_of_batches_and_nan_in_a_column(adjoint: bool, left: bool) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.lu import linalg_lu_solve

    matrix = torch.from_numpy(np.random.default_rng(1).normal(size=(2, 4, 4)).astype(np.float32))
    factors, pivots = torch.linalg.lu_factor(matrix)
    b = torch.from_numpy(RIGHT if left else RIGHT.T.copy()).clone()
    b[(1, 0) if left else (0, 1)] = torch.nan
    expected = torch.linalg.lu_solve(factors, pivots, b.expand(2, *b.shape), left=left, adjoint=adjoint).numpy()
    found = linalg_lu_solve(*(ms.Tensor(x.numpy()) for x in (factors, pivots, b)), left=left, adjoint=adjoint).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=2e-4)


CASES: dict[str, tuple[Callable[..., Any], list[list[float]], list[list[float]]]] = {
    "vectors shorter than eps": (lambda F, x, y: F.cosine_similarity(x, y), [[1e-9, 2e-9, -3e-9], [0.0, 0.0, 0.0], [1.0, 2.0, -1.0]], [[1.0, 2.0, 3.0]] * 3),
    "probabilities next to 0 and 1": (lambda F, x, y: F.binary_cross_entropy(x, y, reduction="none"), [[1e-13, 0.0, 1.0, 1e-11, 0.0, 1.0, 0.5]], [[0.3, 1.0, 0.0, 0.3, 0.0, 1.0, 0.2]]),
}


@pytest.mark.parametrize("case", CASES)
def test_gradients(case: str) -> None:
    import mindspore as ms
    import torch
    import torch.nn.functional as F

    from mindport.equivalents import linear_maps, losses

    class Ours:
        cosine_similarity = staticmethod(linear_maps.cosine_similarity)
        binary_cross_entropy = staticmethod(losses.binary_cross_entropy)

    run, x, y = CASES[case]
    leaf = torch.tensor(x, requires_grad=True)
    expected = run(F, leaf, torch.tensor(y))
    expected.sum().backward()
    found, gradient = ms.value_and_grad(lambda v: (run(Ours, v, ms.Tensor(y, ms.float32)),) * 2, has_aux=True)(ms.Tensor(x, ms.float32))
    np.testing.assert_allclose(found[1].asnumpy(), expected.detach().numpy(), rtol=1e-5, atol=1e-7)
    assert leaf.grad is not None
    np.testing.assert_allclose(gradient.asnumpy(), leaf.grad.numpy(), rtol=1e-5)
