"""Pruned parameters: gradients reach the original through the mask, and training leaves what is pruned at zero."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from torch.nn.utils import prune  # noqa: E402

from mindport.declare import Refused  # noqa: E402
from mindport.layers import module_tree, pruning, pruning_methods  # noqa: E402
from mindport.layers.convolution import Conv1d  # noqa: E402
from mindport.layers.embedding import Embedding  # noqa: E402
from mindport.layers.linear import Linear  # noqa: E402
from mindport.layers.recurrent import LSTM  # noqa: E402
from mindport.layers.state_dict import load_state_dict, state_dict  # noqa: E402


def ours(tensor: Any) -> Any:
    return ms.Tensor(tensor.detach().numpy())


@pytest.mark.parametrize("kind", ["linear", "conv1d", "embedding"])
def test_gradients_go_through_the_mask(kind: str) -> None:
    torch.manual_seed(3)
    theirs, cell, x = {
        "linear": lambda: (torch.nn.Linear(4, 3), Linear(4, 3), torch.randn(5, 4)),
        "conv1d": lambda: (torch.nn.Conv1d(2, 3, 3), Conv1d(2, 3, 3), torch.randn(2, 2, 6)),
        "embedding": lambda: (torch.nn.Embedding(6, 3), Embedding(6, 3), torch.tensor([0, 2, 5, 2])),
    }[kind]()
    load_state_dict(cell, {name: value.numpy() for name, value in theirs.state_dict().items()})
    prune.l1_unstructured(theirs, "weight", 0.4)
    pruning.l1_unstructured(cell, "weight", 0.4)
    for _ in range(2):
        wanted = torch.autograd.grad((theirs(x) ** 2).sum(), list(theirs.parameters()))
        found = ms.value_and_grad(lambda: (cell(ours(x)) ** 2).sum(), None, list(module_tree.parameters(cell)))()[1]
        for one, other in zip(found, wanted, strict=True):
            assert one.asnumpy().reshape(other.shape) == pytest.approx(other.numpy(), rel=1e-4, abs=1e-5)
    assert list(state_dict(cell)) == list(theirs.state_dict())


def test_the_parameter_is_the_same_object_before_and_after() -> None:
    cell = Linear(4, 3)
    weight = cell.weight
    pruning.random_unstructured(cell, "weight", 5)
    assert cell._params["weight_orig"] is weight and cell.weight is not weight
    pruning.remove(cell, "weight")
    assert cell.weight is weight and int((weight == 0).sum()) == 5 and weight.name.endswith("weight")


def test_where_a_pruned_weight_would_not_be_seen_it_is_refused() -> None:
    with pytest.raises(Refused, match="recurrent"):
        pruning.l1_unstructured(LSTM(2, 2), "weight_hh_l0", 1)
    with pytest.raises(Refused, match="no parameter"):
        pruning.l1_unstructured(Linear(2, 2, bias=False), "bias", 1)


def test_a_global_pruning_needs_single_elements() -> None:
    with pytest.raises(TypeError, match="unstructured"):
        pruning.global_unstructured([(Linear(2, 2), "weight")], pruning_methods.LnStructured, amount=1, n=1)


def test_a_compiled_step_reaches_the_original() -> None:
    cell, x = Linear(4, 3), ours(torch.randn(5, 4))
    pruning.l1_unstructured(cell, "weight", 0.4)
    pruning.random_unstructured(cell, "weight", 0.5)
    weights = list(module_tree.parameters(cell))

    def loss(value: Any) -> Any:
        return (cell(value) ** 2).sum()

    wanted = ms.grad(loss, None, weights)(x)
    found = ms.jit(ms.grad(loss, None, weights))(x)
    for one, other in zip(found, wanted, strict=True):
        assert one.asnumpy() == pytest.approx(other.asnumpy(), rel=1e-5)
    assert all(float(abs(one).sum()) > 0 for one in found)
