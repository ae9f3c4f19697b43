"""Gradients of the transforms to shares and correlations, and of densities over matrices, at ordinary points and at zero."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.equivalents import distributions_matrices as matrices  # noqa: E402
from mindport.equivalents import distributions_simplex_transforms as transforms  # noqa: E402

POINTS = torch.tensor([[0.3, -1.2, 2.1, 0.7, -0.4, 1.1], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [3.0, -3.0, 0.0, 1.0, -1.0, 0.5]])
WEIGHTS = torch.linspace(0.3, 2.1, 80)


def weighted(value: Any) -> Any:
    """One number of a tensor of any shape, on either side."""
    flat = value.reshape(-1)
    weights = WEIGHTS[: flat.shape[0]]
    return (flat * (weights if isinstance(flat, torch.Tensor) else ms.Tensor(weights.numpy()))).sum()


@pytest.mark.parametrize("name", ["SoftmaxTransform", "StickBreakingTransform", "CorrCholeskyTransform", "PositiveDefiniteTransform"])
def test_a_transform_and_its_derivative(name: str) -> None:
    theirs, ours = getattr(torch.distributions, name)(), getattr(transforms, name)()
    given = POINTS.reshape(-1, 3, 3) if name == "PositiveDefiniteTransform" else POINTS
    x = given.clone().requires_grad_()

    def value(transform: Any, at: Any) -> Any:
        after = transform(at)
        if name in ("StickBreakingTransform", "CorrCholeskyTransform"):
            return weighted(after) + weighted(transform.log_abs_det_jacobian(at, after))
        return weighted(after)

    value(theirs, x).backward()
    found = ms.grad(lambda at: value(ours, at))(ms.Tensor(given.numpy()))
    assert found.asnumpy() == pytest.approx(x.grad.numpy(), rel=2e-4, abs=2e-5)


def test_densities_over_matrices() -> None:
    factor = torch.distributions.CorrCholeskyTransform()(POINTS[:, :3])
    covariance = factor @ factor.mT + torch.eye(3)
    for make in (
        lambda of, on: of.LKJCholesky(3, on(torch.tensor([0.7, 1.5, 3.0]))).log_prob(on(factor)),
        lambda of, on: of.Wishart(on(torch.tensor(4.5)), scale_tril=on(factor[0])).log_prob(on(covariance)),
        lambda of, on: of.Wishart(on(torch.tensor([3.5, 4.5, 9.0])), covariance_matrix=on(covariance)).entropy(),
    ):
        leaves: list[Any] = []

        def torch_side(tensor: Any, leaves: list[Any] = leaves) -> Any:
            leaves.append(tensor.clone().requires_grad_())
            return leaves[-1]

        make(torch.distributions, torch_side).sum().backward()

        def value(*given: Any, make: Any = make) -> Any:
            rest = iter(given)
            return make(matrices, lambda _: next(rest)).sum()

        found = ms.grad(value, tuple(range(len(leaves))))(*[ms.Tensor(leaf.detach().numpy()) for leaf in leaves])
        for one, leaf in zip(found, leaves, strict=True):
            factor_given = leaf.ndim > 1 and not leaf.triu(1).any()  # what is above a factor's diagonal is read by torch alone
            wanted, got = (leaf.grad.tril(), torch.from_numpy(one.asnumpy()).tril()) if factor_given else (leaf.grad, torch.from_numpy(one.asnumpy()))
            assert got.numpy() == pytest.approx(wanted.numpy(), rel=5e-4, abs=2e-4)
