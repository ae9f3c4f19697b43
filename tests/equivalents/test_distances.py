"""Distances of float64 numbers are as exact as torch's: MindSpore's kernels compute in float32, or take no float64."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0, 2.0, 3.0, math.inf])
def test_distances_between_rows(p: float) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.linalg import cdist

    a, b = np.random.default_rng(0).standard_normal((2, 4, 3)), np.random.default_rng(1).standard_normal((5, 3))
    b[0] = a[0, 0]  # nothing between two rows
    expected = torch.from_numpy(a).requires_grad_()
    distances = torch.cdist(expected, torch.from_numpy(b), p)
    distances.sum().backward()
    found, gradient = ms.value_and_grad(lambda x: (cdist(x, ms.Tensor(b), p),) * 1)(ms.Tensor(a))
    np.testing.assert_allclose(found[0].asnumpy(), distances.detach().numpy(), rtol=1e-12, atol=1e-12)
    if p >= 1:  # torch's own gradient at nothing is infinite below
        np.testing.assert_allclose(gradient.asnumpy(), expected.grad.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("p", [1, 2, 2.0, math.inf])
def test_the_distance_of_two_tensors(p: float) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.linalg import dist

    a, b = np.random.default_rng(0).standard_normal((2, 4, 3))
    expected = torch.dist(torch.from_numpy(a), torch.from_numpy(b), p)
    np.testing.assert_allclose(dist(ms.Tensor(a), ms.Tensor(b), p).asnumpy(), expected.numpy(), rtol=1e-12)
