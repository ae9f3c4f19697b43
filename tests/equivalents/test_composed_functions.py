"""Functions that were absent and are composed: copies by `to`, whole numbers drawn in place, scatters that reduce in place, columns of zeros."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks


def test_a_copy_in_any_dtype() -> None:
    import mindspore as ms

    from mindport.equivalents.data_conversion import to

    x = ms.Tensor([1.0, 2.0])
    same, other = to(x, ms.float32, copy=True), to(x, "cpu", copy=True)
    x[0] = 9
    assert same.asnumpy().tolist() == other.asnumpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize(("bounds", "low", "high"), [((7,), 0, 6), ((3, 5), 3, 4), ((), 0, 2**24)])
def test_whole_numbers_in_place(bounds: tuple[int, ...], low: int, high: int) -> None:
    import mindspore as ms

    from mindport.equivalents.inplace_random import random_

    base = ms.ops.zeros((300, 4), ms.float32)
    random_(base[:, 1], *bounds)
    drawn = base.asnumpy()
    assert (drawn[:, [0, 2, 3]] == 0).all() and (drawn % 1 == 0).all()
    assert drawn[:, 1].min() >= low and drawn[:, 1].max() <= high and len(set(drawn[:, 1])) > 1


def test_reduced_into_a_view() -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.inplace_accumulation import scatter_reduce_

    x, index, source = np.ones((2, 3), np.float32), np.array([0, 0, 2]), np.array([5.0, 7.0, -1.0], np.float32)
    theirs, ours = torch.from_numpy(x.copy()), ms.Tensor(x)
    theirs[1].scatter_reduce_(0, torch.from_numpy(index), torch.from_numpy(source), "amax")
    scatter_reduce_(ours[1], 0, ms.Tensor(index), ms.Tensor(source), "amax")
    np.testing.assert_array_equal(ours.asnumpy(), theirs.numpy())


def test_each_column_has_its_zeros() -> None:
    import mindspore as ms

    from mindport.equivalents.initializers import sparse_

    drawn = sparse_(ms.Parameter(ms.ops.ones((10, 40))), 0.25, std=3.0).asnumpy()
    assert ((drawn == 0).sum(0) == 3).all() and 2 < drawn[drawn != 0].std() < 4


def test_values_in_steps_and_their_gradient() -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.fake_quantization import fake_quantize_per_tensor_affine

    x = np.array([-3.0, -0.26, 0.049, 0.05, 0.15, 1.0, 9.0], np.float32)
    leaf = torch.tensor(x, requires_grad=True)
    expected = torch.fake_quantize_per_tensor_affine(leaf, 0.1, 2, -10, 12)
    expected.sum().backward()
    found = fake_quantize_per_tensor_affine(ms.Tensor(x), 0.1, 2, -10, 12)
    gradient = ms.grad(lambda v: fake_quantize_per_tensor_affine(v, 0.1, 2, -10, 12).sum())(ms.Tensor(x))
    assert leaf.grad is not None
    np.testing.assert_allclose(found.asnumpy(), expected.detach().numpy(), atol=1e-6)
    np.testing.assert_array_equal(gradient.asnumpy(), leaf.grad.numpy())
