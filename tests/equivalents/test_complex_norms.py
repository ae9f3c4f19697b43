"""Norms of complex tensors are real, as torch's are, and their gradients torch's, also at zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

VALUES = np.array([[1 + 2j, 0, -3j], [0.5 - 1j, 2, -0.25 + 0.125j]], np.complex64)


@pytest.mark.parametrize(("order", "dim", "keepdim"), [(2, None, False), (1, 1, True), (np.inf, 0, False), (-np.inf, None, False), (0, 1, False), (3.5, (0, 1), True)])
def test_vector_norms(order: float, dim: Any, keepdim: bool) -> None:
    import mindspore as ms
    import torch
    from mindspore import ops

    from mindport.equivalents.matrix import vector_norm

    theirs = torch.tensor(VALUES, requires_grad=True)
    expected = torch.linalg.vector_norm(theirs, order, dim, keepdim)
    made = vector_norm(ms.Tensor(VALUES), order, dim, keepdim)
    assert made.dtype == ms.float32
    np.testing.assert_allclose(made.asnumpy(), expected.detach().numpy(), rtol=1e-6)
    if order == 0:
        return
    expected.sum().backward()

    def total(real: Any, imaginary: Any) -> Any:
        return vector_norm(ops.Complex()(real, imaginary), order, dim, keepdim).sum()

    real, imaginary = ms.grad(total, (0, 1))(ms.Tensor(VALUES.real.copy()), ms.Tensor(VALUES.imag.copy()))
    assert theirs.grad is not None
    np.testing.assert_allclose(real.asnumpy() + 1j * imaginary.asnumpy(), theirs.grad.numpy(), rtol=1e-5, atol=1e-6)


def test_norms_of_matrices() -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.matrix import linalg_norm, matrix_norm, norm

    x, y = torch.tensor(VALUES), ms.Tensor(VALUES)
    for expected, made in (
        (torch.norm(x), norm(y)), (torch.norm(x, dim=1), norm(y, dim=1)), (torch.linalg.norm(x), linalg_norm(y)), (torch.linalg.norm(x, "fro"), linalg_norm(y, "fro")),
        (torch.linalg.norm(x, dim=1), linalg_norm(y, dim=1)), (torch.linalg.matrix_norm(x), matrix_norm(y)),
        (torch.norm(x, "nuc"), norm(y, "nuc")), (torch.linalg.norm(x, 2), linalg_norm(y, 2)), (torch.linalg.matrix_norm(x, -2), matrix_norm(y, -2)),
    ):  # fmt: skip
        assert made.dtype == ms.float32
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-6)
