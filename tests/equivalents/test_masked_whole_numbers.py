"""Masked extremes of whole numbers, and their places, beside torch's."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize("name", ["amax", "amin", "argmax", "argmin"])
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8"])
def test_whole_numbers(name: str, dtype: str) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents import masked_operations

    data, shown = [[3, 5, 0], [2, 1, 7]], [[True, False, True], [False, False, False]]
    expected = getattr(torch.masked, name)(torch.tensor(data, dtype=getattr(torch, dtype)), 1, mask=torch.tensor(shown))
    made = getattr(masked_operations, f"masked_{name}")(ms.Tensor(data, getattr(ms, dtype)), 1, mask=ms.Tensor(shown))
    rows = [0] if name.startswith("arg") else [0, 1]  # which place of nothing is said is nobody's promise
    assert [made.asnumpy().tolist()[r] for r in rows] == [expected.tolist()[r] for r in rows]
    assert str(made.dtype).lower() == dtype


@pytest.mark.parametrize("dtype", ["int64", "int32", "int16", "int8", "uint8"])
def test_the_logarithm_of_a_sum_where_nothing_is_shown(dtype: str) -> None:
    """What is hidden counts as the dtype's limit, cut back to the dtype: -126 of three int8, 1 of three uint8."""
    import mindspore as ms
    import torch

    from mindport.equivalents.masked_operations import masked_logsumexp

    data, shown = [[3, 5, 0], [2, 1, 7]], [[True, False, True], [False, False, False]]
    expected = torch.masked.logsumexp(torch.tensor(data, dtype=getattr(torch, dtype)), 1, mask=torch.tensor(shown))
    made = masked_logsumexp(ms.Tensor(data, getattr(ms, dtype)), 1, mask=ms.Tensor(shown))
    assert made.asnumpy().tolist() == expected.tolist()


def test_distances_of_batches_that_spread() -> None:
    """MindSpore's kernel fails where one side has fewer batches, the gradient with it."""
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.equivalents.linalg import cdist

    rng = np.random.default_rng(1)
    x, y = (rng.standard_normal(shape).astype(np.float32) for shape in ((1, 4, 5), (3, 2, 5)))
    a, b = (torch.tensor(side, requires_grad=True) for side in (x, y))
    torch.cdist(a, b, 3.0).pow(2).sum().backward()
    found = ms.grad(lambda a, b: ops_sum(cdist(a, b, 3.0)), (0, 1))(ms.Tensor(x), ms.Tensor(y))
    for made, expected in zip(found, (a.grad, b.grad), strict=True):
        assert expected is not None
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-5)


def ops_sum(distances):  # type: ignore[no-untyped-def]
    return (distances * distances).sum()
