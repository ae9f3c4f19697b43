"""Sums of squares and running sums that a short float, or float32 added up one by one, would lose: beside torch."""

from __future__ import annotations

import mindspore as ms
import numpy as np
import pytest
import torch
import torch.nn.functional as F

from mindport.equivalents import cumulative, exponential, functional_normalization, spread

pytestmark = pytest.mark.frameworks

ROWS = np.random.default_rng(0).normal(size=(4, 8, 500))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (lambda x: functional_normalization.layer_norm(x, (500,)), lambda x: F.layer_norm(x, (500,))),
        (lambda x: functional_normalization.group_norm(x, 4), lambda x: F.group_norm(x, 4)),
        (lambda x: functional_normalization.batch_norm(x, None, None, training=True), lambda x: F.batch_norm(x, None, None, training=True)),
        (functional_normalization.instance_norm, F.instance_norm),
        (lambda x: spread.std(x, -1), lambda x: x.std(-1)),
        (lambda x: spread.var(x / 2, 1), lambda x: (x / 2).var(1)),
        (lambda x: cumulative.cumsum(x / 100, -1), lambda x: (x / 100).cumsum(-1)),
    ],
)
def test_float16_whose_squares_overflow(ours, theirs) -> None:  # type: ignore[no-untyped-def]
    given = (ROWS * 300).astype(np.float16)
    expected, found = theirs(torch.tensor(given)), ours(ms.Tensor(given))
    assert found.dtype == ms.float16
    np.testing.assert_allclose(found.asnumpy().astype(float), expected.numpy().astype(float), 1e-2, 1e-2)


def test_long_running_sums() -> None:
    given = np.full(300_000, 0.1, np.float32)
    np.testing.assert_allclose(cumulative.cumsum(ms.Tensor(given), 0).asnumpy(), torch.tensor(given).cumsum(0).numpy(), 1e-6)


def test_phases_of_an_oscillator() -> None:
    """Added up in float32 the 640th phase is 1.4e-3 off, and so is its sine."""
    steps = (2 * np.pi * np.random.default_rng(0).uniform(200, 300, 640) / 320).astype(np.float32)
    found, expected = cumulative.cumsum(ms.Tensor(steps), 0).asnumpy(), torch.tensor(steps).cumsum(0).numpy()
    np.testing.assert_allclose(np.sin(found), np.sin(expected), atol=3e-4)


def test_spread_around_a_large_mean() -> None:
    given = (ROWS + 1e6).astype(np.float32)
    np.testing.assert_allclose(spread.var(ms.Tensor(given), -1).asnumpy(), torch.tensor(given).var(-1).numpy(), 1e-4)


def test_the_inverse_error_function_next_to_1() -> None:
    given = np.array([1 - 6e-8, 1 - 1.2e-7, 1 - 3e-7, 1 - 1e-6, 0.99, 0.5, 1e-9], np.float32)
    both = np.concatenate([given, -given])
    np.testing.assert_allclose(exponential.erfinv(ms.Tensor(both)).asnumpy(), torch.erfinv(torch.tensor(both)).numpy(), 1e-5)
