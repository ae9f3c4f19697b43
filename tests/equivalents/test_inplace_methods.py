"""In-place equivalents change the tensor itself, keep its dtype, and are seen through views, as in torch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytestmark = pytest.mark.frameworks
np = pytest.importorskip("numpy", reason="this file compares the frameworks")
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.equivalents import inplace, inplace_indexing, inplace_random  # noqa: E402

VALUES = np.arange(1, 25, dtype=np.float32).reshape(2, 3, 4)
VIEWS: dict[str, tuple[Callable, Callable]] = {
    "whole": (lambda x: x, lambda x: x),
    "row": (lambda x: x[0], lambda x: x[0]),
    "column": (lambda x: x[:, 1], lambda x: x[:, 1]),
    "steps": (lambda x: x[:, 1:3, ::2], lambda x: x[:, 1:3, ::2]),
    "element": (lambda x: x[0, 0, 0], lambda x: x[0, 0, 0]),
    "view": (lambda x: x.view(-1), lambda x: x.view(-1)),
    "reshape": (lambda x: x.reshape(6, 4), lambda x: x.reshape(6, 4)),
    "transpose": (lambda x: x.transpose(0, 1), lambda x: x.transpose(0, 1)),
    "permute": (lambda x: x.permute(2, 0, 1), lambda x: x.permute(2, 0, 1)),
    "unsqueeze": (lambda x: x.unsqueeze(0), lambda x: x.unsqueeze(0)),
    "chunk": (lambda x: x.chunk(3, 1)[1], lambda x: x.chunk(3, 1)[1]),
    "detach": (lambda x: x.detach(), ms.ops.stop_gradient),
}
METHODS: dict[str, tuple[Callable, Callable]] = {
    "add_": (lambda x: x.add_(1), lambda x: inplace.add_(x, 1)),
    "add_ alpha": (lambda x: x.add_(2, alpha=3), lambda x: inplace.add_(x, 2, alpha=3)),
    "mul_": (lambda x: x.mul_(0.5), lambda x: inplace.mul_(x, 0.5)),
    "sqrt_": (lambda x: x.sqrt_(), inplace.sqrt_),
    "relu_": (lambda x: x.sub_(5).relu_(), lambda x: inplace.relu_(inplace.sub_(x, 5))),
    "clamp_": (lambda x: x.clamp_(3, 9), lambda x: inplace.clamp_(x, 3, 9)),
    "clamp_ number and tensor": (lambda x: x.clamp_(3, x.max() - 1), lambda x: inplace.clamp_(x, 3, x.max() - 1)),
    "clamp_ tensor and number": (lambda x: x.clamp_(x.min() + 1, 9), lambda x: inplace.clamp_(x, x.min() + 1, 9)),
    "zero_": (lambda x: x.zero_(), inplace_indexing.zero_),
    "fill_": (lambda x: x.fill_(7), lambda x: inplace_indexing.fill_(x, 7)),
    "copy_": (lambda x: x.copy_(torch.tensor(3.5)), lambda x: inplace_indexing.copy_(x, ms.tensor(3.5))),
    "masked_fill_": (lambda x: x.masked_fill_(x > 5, 0), lambda x: inplace_indexing.masked_fill_(x, x > 5, 0)),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("method", METHODS)
def test_the_base_of_a_view_changes_with_it(method: str, view: str) -> None:
    expected, actual = torch.tensor(VALUES), ms.Tensor(VALUES)
    expected_view, actual_view = VIEWS[view][0](expected), VIEWS[view][1](actual)
    METHODS[method][0](expected_view)
    assert METHODS[method][1](actual_view) is actual_view
    np.testing.assert_allclose(actual_view.asnumpy(), expected_view.numpy(), rtol=1e-6)
    np.testing.assert_allclose(actual.asnumpy(), expected.numpy(), rtol=1e-6)


@pytest.mark.parametrize("view", VIEWS)
def test_views_change_with_their_base(view: str) -> None:
    base = ms.Tensor(VALUES)
    part = VIEWS[view][1](base)
    before = part.asnumpy().copy()
    inplace.add_(base, 1)
    np.testing.assert_allclose(part.asnumpy(), before + 1)


def test_an_alias_and_a_parameter_see_the_change() -> None:
    tensor = ms.Tensor(VALUES)
    alias = tensor
    inplace.mul_(tensor, 2)
    np.testing.assert_allclose(alias.asnumpy(), VALUES * 2)
    parameter = ms.Parameter(ms.Tensor(VALUES), name="p")
    inplace.add_(parameter, 1)
    np.testing.assert_allclose(parameter.asnumpy(), VALUES + 1)
    assert isinstance(parameter, ms.Parameter)


@pytest.mark.parametrize("dtype", ["float16", "int32", "int64"])
def test_the_dtype_stays(dtype: str) -> None:
    tensor = ms.Tensor(VALUES.astype(dtype))
    inplace.add_(tensor, ms.tensor(2))
    assert tensor.asnumpy().dtype == dtype
    np.testing.assert_allclose(tensor.asnumpy(), VALUES.astype(dtype) + 2)


def test_the_gradient_goes_through() -> None:
    def loss(x):  # type: ignore[no-untyped-def]
        y = x * 2
        inplace.mul_(y, 3)
        return y.sum()

    np.testing.assert_allclose(ms.grad(loss)(ms.Tensor(VALUES)).asnumpy(), np.full_like(VALUES, 6))


def test_an_empty_tensor_stays_empty() -> None:
    assert inplace.add_(ms.ops.zeros((0, 3)), 1).shape == (0, 3)


def test_diagonal_index_put_and_scatter() -> None:
    expected, actual = torch.zeros(3, 3), ms.ops.zeros((3, 3))
    expected.fill_diagonal_(2).index_put_((torch.tensor([0, 1]), torch.tensor([2, 0])), torch.tensor([5.0, 6.0]))
    inplace_indexing.fill_diagonal_(actual, 2)
    inplace_indexing.index_put_(actual, (ms.tensor([0, 1]), ms.tensor([2, 0])), ms.tensor([5.0, 6.0]))
    np.testing.assert_allclose(actual.asnumpy(), expected.numpy())


def test_the_diagonal_of_a_cube() -> None:
    expected, actual = torch.ones(3, 3, 3), ms.ops.ones((3, 3, 3))
    inplace_indexing.fill_diagonal_(actual, 0)
    np.testing.assert_allclose(actual.asnumpy(), expected.fill_diagonal_(0).numpy())
    with pytest.raises(ValueError, match="one length"):
        inplace_indexing.fill_diagonal_(ms.ops.ones((3, 3, 2)), 0)


@pytest.mark.parametrize(
    ("fill", "arguments", "low", "high", "mean"),
    [
        (inplace_random.normal_, (3, 0.5), -5, 11, 3),
        (inplace_random.uniform_, (-2, 4), -2, 4, 1),
        (inplace_random.bernoulli_, (0.25,), 0, 1, 0.25),
        (inplace_random.exponential_, (2,), 0, 100, 0.5),
        (inplace_random.geometric_, (0.5,), 1, 100, 2),
    ],
)
def test_random_filling(fill: Callable, arguments: tuple, low: float, high: float, mean: float) -> None:
    tensor = ms.ops.zeros((100, 100))
    assert fill(tensor, *arguments) is tensor
    found = tensor.asnumpy()
    assert low <= found.min() and found.max() <= high
    assert abs(found.mean() - mean) < 0.1
    assert found.std() > 0.1
