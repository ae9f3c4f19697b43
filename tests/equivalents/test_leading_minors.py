"""`torch.linalg.cholesky_ex`: what is not positive definite is told by `info`, and the others keep their factors and gradients."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

from mindport.equivalents.factorizations import cholesky_ex  # noqa: E402

MATRICES = np.array(
    [[[4, 1, 0], [1, 3, 1], [0, 1, 2]], [[1, 2, 0], [2, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, -1]], [[np.nan, 0, 0], [0, 1, 0], [0, 0, 1]]], np.float32
)


@pytest.mark.parametrize("upper", [False, True])
def test_info_and_the_factors_of_the_others(upper: bool) -> None:
    expected, info = torch.linalg.cholesky_ex(torch.from_numpy(MATRICES), upper=upper)
    found, told = cholesky_ex(ms.Tensor(MATRICES), upper=upper)
    assert told.asnumpy().tolist() == info.tolist() == [0, 2, 3, 1] and told.dtype == ms.int32
    np.testing.assert_allclose(found.asnumpy()[0], expected[0].numpy(), rtol=1e-6)
    assert np.isnan(found.asnumpy()[1:]).all()


def test_the_jitter_of_gaussian_processes() -> None:
    """Jitter is added where `info` asks for it, and the gradient is that of the last attempt."""

    def attempts(matrix, factorize, eye):
        for jitter in (0.0, 0.5, 2.0):
            factor, info = factorize(matrix + jitter * eye)
            if not info.any():
                return factor
        raise AssertionError("no attempt was enough")

    given = torch.from_numpy(MATRICES[:3]).requires_grad_()
    expected = attempts(given, torch.linalg.cholesky_ex, torch.eye(3))
    (expected**2).sum().backward()
    found = attempts(ms.Tensor(MATRICES[:3]), cholesky_ex, ms.ops.eye(3, 3, ms.float32))
    np.testing.assert_allclose(found.asnumpy(), expected.detach().numpy(), rtol=1e-5, atol=1e-6)
    gradient = ms.grad(lambda m: (attempts(m, cholesky_ex, ms.ops.eye(3, 3, ms.float32)) ** 2).sum())(ms.Tensor(MATRICES[:3]))
    np.testing.assert_allclose(gradient.asnumpy(), given.grad.numpy(), rtol=1e-4, atol=1e-5)


def test_errors_that_are_asked_for() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        cholesky_ex(ms.Tensor(MATRICES[1]), check_errors=True)
