"""Functions that keep their digits where their results are small, beside torch in float64: relative to the result, not to 1."""

from __future__ import annotations

import mindspore as ms
import numpy as np
import pytest
import torch
import torch.nn.functional as F

from mindport.equivalents import activation, arithmetic, exponential, near_zero
from mindport.layers import activation as layers

pytestmark = pytest.mark.frameworks

SIZES = np.concatenate([np.logspace(-30, -1, 88), np.linspace(0.1, 14, 60)]).astype(np.float32)
BOTH = np.concatenate([SIZES, -SIZES])
#: The exponential of float32 is off by 5.4e-6 on CPU.
OFF = 1e-5

CASES = [
    (exponential.log1p, torch.log1p, BOTH[BOTH > -0.99]),
    (exponential.tensor_log1p, torch.log1p, BOTH[BOTH > -0.99]),
    (exponential.expm1, torch.expm1, BOTH),
    (activation.softplus, F.softplus, BOTH),
    (lambda x: activation.softplus(x, 2, 10), lambda x: F.softplus(x, 2, 10), BOTH),
    (layers.Softplus(2), torch.nn.Softplus(2), BOTH),
    (activation.logsigmoid, F.logsigmoid, BOTH),
    (layers.LogSigmoid(), torch.nn.LogSigmoid(), BOTH),
    (activation.celu, F.celu, BOTH),
    (activation.selu, F.selu, BOTH),
    (lambda x: arithmetic.logaddexp(x * 0, x - 20), lambda x: torch.logaddexp(x * 0, x - 20), BOTH[np.abs(BOTH) < 5]),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_digits_stay(case: int) -> None:
    ours, theirs, given = CASES[case]
    leaf = torch.tensor(given).double().requires_grad_()
    result = theirs(leaf)
    (slope,) = torch.autograd.grad(result.sum(), leaf)
    # torch's own rounding of the shifted numbers counts as well
    np.testing.assert_allclose(ours(ms.Tensor(given)).asnumpy(), theirs(torch.tensor(given)).numpy(), OFF, 0)
    np.testing.assert_allclose(ours(ms.Tensor(given)).asnumpy(), result.detach().numpy(), 3 * OFF, 0)
    np.testing.assert_allclose(ms.grad(ours)(ms.Tensor(given)).asnumpy(), slope.numpy(), 3 * OFF, 1e-7)


def test_a_small_scale_has_a_logarithm() -> None:
    """``log(softplus(rho))``, ``x / expm1(x)``: minus infinity and NaN by MindSpore's kernels."""
    rho, x = np.full(8, -20, np.float32), np.full(8, 1e-9, np.float32)
    assert ms.ops.log(activation.softplus(ms.Tensor(rho))).asnumpy() == pytest.approx(-20, 1e-5)
    assert (ms.Tensor(x) / exponential.expm1(ms.Tensor(x))).asnumpy() == pytest.approx(1, 1e-5)
    assert ms.jit(near_zero.log1p_near_zero)(ms.Tensor(x)).asnumpy() == pytest.approx(1e-9, 1e-5)
