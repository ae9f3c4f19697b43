"""Weight and spectral normalisation: outputs, gradients, buffers, names and removal are torch's."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from torch.nn.utils import parametrizations, parametrize  # noqa: E402

from mindport.declare import Refused  # noqa: E402
from mindport.layers import module_tree, parametrization, spectral_norm, weight_norm  # noqa: E402
from mindport.layers.convolution import Conv1d, Conv2d  # noqa: E402
from mindport.layers.embedding import Embedding  # noqa: E402
from mindport.layers.linear import Linear  # noqa: E402
from mindport.layers.recurrent import LSTM  # noqa: E402
from mindport.layers.state_dict import load_state_dict, state_dict  # noqa: E402
from mindport.layers.transposed_convolution import ConvTranspose2d  # noqa: E402

KINDS: dict[str, tuple[Any, Any, Any, Any]] = {
    "weight_norm": (torch.nn.utils.weight_norm, weight_norm.weight_norm_hook, torch.nn.utils.remove_weight_norm, weight_norm.remove_weight_norm),
    "spectral_norm": (
        torch.nn.utils.spectral_norm, spectral_norm.spectral_norm_hook, torch.nn.utils.remove_spectral_norm, spectral_norm.remove_spectral_norm,
    ),
    "parametrized weight_norm": (
        parametrizations.weight_norm, weight_norm.weight_norm,
        lambda m: parametrize.remove_parametrizations(m, "weight"), lambda m: parametrization.remove_parametrizations(m, "weight"),
    ),
    "parametrized spectral_norm": (
        parametrizations.spectral_norm, spectral_norm.spectral_norm,
        lambda m: parametrize.remove_parametrizations(m, "weight"), lambda m: parametrization.remove_parametrizations(m, "weight"),
    ),
}  # fmt: skip
LAYERS: dict[str, tuple[Any, Any, tuple[int, ...], tuple[int, ...]]] = {
    "linear": (torch.nn.Linear, Linear, (4, 3), (5, 4)), "conv1d": (torch.nn.Conv1d, Conv1d, (2, 3, 3), (2, 2, 5)),
    "conv2d": (torch.nn.Conv2d, Conv2d, (2, 3, 3), (2, 2, 5, 5)),
    "transposed": (torch.nn.ConvTranspose2d, ConvTranspose2d, (2, 3, 3), (2, 2, 5, 5)),
}  # fmt: skip


def ours(tensor: Any) -> Any:
    return ms.Tensor(tensor.detach().numpy())


def listed(cell: Any) -> list[str]:
    return [name for name, _ in module_tree.named_parameters(cell)]


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("kind", KINDS)
def test_two_steps_evaluation_and_removal(kind: str, layer: str) -> None:
    torch.manual_seed(3)
    theirs_apply, ours_apply, theirs_remove, ours_remove = KINDS[kind]
    theirs_class, ours_class, sizes, shape = LAYERS[layer]
    theirs, cell = theirs_apply(theirs_class(*sizes)), ours_apply(ours_class(*sizes)).set_train()
    load_state_dict(cell, {name: value.numpy() for name, value in theirs.state_dict().items()})
    assert list(state_dict(cell)) == list(theirs.state_dict())
    assert listed(cell) == [name for name, _ in theirs.named_parameters()]
    x = torch.randn(shape, requires_grad=True)

    def loss(value: Any) -> Any:
        output = cell(value)
        return (output * output).sum()

    for _ in range(2):
        output = theirs(x)
        expected = torch.autograd.grad((output * output).sum(), [x, *theirs.parameters()])
        _, (gradient, parameters) = ms.value_and_grad(loss, 0, list(module_tree.parameters(cell)))(ours(x))
        for value, wanted in zip([gradient, *parameters], expected, strict=True):
            assert value.asnumpy().reshape(wanted.shape) == pytest.approx(wanted.numpy(), rel=1e-4, abs=1e-4)
    for name, value in module_tree.named_buffers(cell):
        assert value.asnumpy() == pytest.approx(dict(theirs.named_buffers())[name].numpy(), abs=1e-5)
    theirs.eval()
    cell.set_train(False)
    for _ in range(2):
        assert cell(ours(x)).asnumpy() == pytest.approx(theirs(x).detach().numpy(), abs=1e-5)
        assert listed(cell) == [name for name, _ in theirs.named_parameters()]
        if listed(cell) != ["bias", "weight"]:
            theirs_remove(theirs)
            ours_remove(cell)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_compiled_step_has_the_same_gradients_and_takes_the_same_steps_of_the_power_method(kind: str, layer: str) -> None:
    torch.manual_seed(5)
    theirs_apply, ours_apply, _, _ = KINDS[kind]
    theirs_class, ours_class, sizes, shape = LAYERS[layer]
    theirs, cell = theirs_apply(theirs_class(*sizes)), ours_apply(ours_class(*sizes)).set_train()
    load_state_dict(cell, {name: value.numpy() for name, value in theirs.state_dict().items()})
    x = torch.randn(shape, requires_grad=True)

    @ms.jit
    def step(value: Any) -> Any:
        def loss(value: Any) -> Any:
            return (cell(value) ** 2).sum()

        return ms.grad(loss, None, weights)(value)

    weights = list(module_tree.parameters(cell))
    for _ in range(3):
        expected = torch.autograd.grad((theirs(x) ** 2).sum(), list(theirs.parameters()))
        for value, wanted in zip(step(ours(x)), expected, strict=True):
            assert value.asnumpy().reshape(wanted.shape) == pytest.approx(wanted.numpy(), rel=1e-4, abs=1e-4)
    for name, value in module_tree.named_buffers(cell):
        assert value.asnumpy() == pytest.approx(dict(theirs.named_buffers())[name].numpy(), abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_penalty_on_the_gradient_reaches_what_a_weight_is_computed_from(kind: str) -> None:
    torch.manual_seed(6)
    theirs_apply, ours_apply, _, _ = KINDS[kind]
    theirs, cell = theirs_apply(torch.nn.Linear(4, 3)), ours_apply(Linear(4, 3)).set_train()
    load_state_dict(cell, {name: value.numpy() for name, value in theirs.state_dict().items()})
    x = torch.randn(5, 4, requires_grad=True)
    weights = [p for name, p in module_tree.named_parameters(cell) if name != "bias"]

    @ms.jit
    def step(value: Any) -> Any:
        def penalty(value: Any) -> Any:
            return (ms.grad(lambda one: ms.ops.tanh(cell(one)).sum())(value) ** 2).sum()

        return ms.grad(penalty, None, weights)(value)

    for _ in range(2):
        (gradient,) = torch.autograd.grad(torch.tanh(theirs(x)).sum(), x, create_graph=True)
        expected = torch.autograd.grad((gradient**2).sum(), [p for name, p in theirs.named_parameters() if name != "bias"])
        for value, wanted in zip(step(ours(x)), expected, strict=True):
            assert value.asnumpy() == pytest.approx(wanted.numpy(), rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("ours_class", [Embedding, ms.nn.Embedding])
@pytest.mark.parametrize("kind", KINDS)
def test_an_embedding_whose_weight_has_another_name_in_mindspore(kind: str, ours_class: Any) -> None:
    torch.manual_seed(4)
    theirs_apply, ours_apply, theirs_remove, ours_remove = KINDS[kind]
    theirs, cell = theirs_apply(torch.nn.Embedding(4, 3)), ours_apply(ours_class(4, 3)).set_train()
    load_state_dict(cell, {name: value.numpy() for name, value in theirs.state_dict().items()})
    assert list(state_dict(cell)) == list(theirs.state_dict())
    assert listed(cell) == [name for name, _ in theirs.named_parameters()]
    places, weights = torch.tensor([[1, 3, 3], [0, 2, 1]]), torch.randn(2, 3, 3)

    def loss(value: Any) -> Any:
        return (cell(value) * ours(weights)).sum()

    for _ in range(2):
        wanted = torch.autograd.grad((theirs(places) * weights).sum(), list(theirs.parameters()))
        found = ms.value_and_grad(loss, None, list(module_tree.parameters(cell)))(ours(places))[1]
        for ours_one, theirs_one in zip(found, wanted, strict=True):
            assert ours_one.asnumpy().reshape(theirs_one.shape) == pytest.approx(theirs_one.numpy(), rel=1e-4, abs=1e-5)
    theirs.eval()
    cell.set_train(False)
    assert cell(ours(places)).asnumpy() == pytest.approx(theirs(places).detach().numpy(), abs=1e-5)
    theirs_remove(theirs)
    ours_remove(cell)
    assert listed(cell) == ["weight"] and list(cell._params) == ["embedding_table"]
    assert cell(ours(places)).asnumpy() == pytest.approx(theirs(places).detach().numpy(), abs=1e-5)


def test_a_parametrization_of_ones_own() -> None:
    class Symmetric(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.triu() + x.triu(1).T

    class SymmetricCell(ms.nn.Cell):
        def construct(self, x: Any) -> Any:
            return x.triu() + x.triu(1).T

    theirs, cell = torch.nn.Linear(3, 3), Linear(3, 3)
    parametrize.register_parametrization(theirs, "weight", Symmetric())
    parametrization.register_parametrization(cell, "weight", SymmetricCell())
    load_state_dict(cell, {name: value.numpy() for name, value in theirs.state_dict().items()})
    assert parametrization.is_parametrized(cell, "weight") and isinstance(cell, Linear)
    assert cell.weight.asnumpy() == pytest.approx(theirs.weight.detach().numpy())
    assert listed(cell) == [name for name, _ in theirs.named_parameters()]
    parametrization.remove_parametrizations(cell, "weight", leave_parametrized=False)
    assert listed(cell) == ["bias", "weight"] and type(cell) is Linear


def test_where_a_computed_weight_would_not_be_seen_it_is_refused() -> None:
    with pytest.raises(Refused, match="recurrent"):
        weight_norm.weight_norm_hook(LSTM(2, 2), "weight_hh_l0")
    with pytest.raises(Refused, match="axis"):
        parametrization.register_parametrization(Conv1d(2, 2, 1), "weight", ms.nn.Identity())
