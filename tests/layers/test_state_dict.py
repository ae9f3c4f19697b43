"""Names, shapes and checkpoints of layers agree with torch's."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from mindport import catalog
from mindport.convert.decide import mindspore_base

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindspore import nn  # noqa: E402

from mindport.layers import class_names, module_tree  # noqa: E402
from mindport.layers.container import Sequential  # noqa: E402
from mindport.layers.linear import Linear  # noqa: E402
from mindport.layers.normalization import BatchNorm2d  # noqa: E402
from mindport.layers.state_dict import load_own_state, load_state_dict, state_dict  # noqa: E402

LAYERS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("BatchNorm1d", (3,), {}), ("BatchNorm2d", (3,), {"affine": False}), ("BatchNorm2d", (3,), {"track_running_stats": False}),
    ("BatchNorm3d", (3,), {}), ("BatchNorm3d", (3,), {"affine": False}), ("LayerNorm", (3,), {}), ("LayerNorm", (3,), {"bias": False}),
    ("LayerNorm", (3,), {"elementwise_affine": False}), ("GroupNorm", (1, 3), {}), ("GroupNorm", (1, 3), {"affine": False}),
    ("InstanceNorm2d", (3,), {"affine": True, "track_running_stats": True}), ("LSTM", (2, 3, 2), {"bidirectional": True}),
    ("LSTM", (2, 3), {"bias": False}), ("GRU", (2, 3, 2), {}), ("RNN", (2, 3), {}), ("Conv1d", (2, 3, 3), {}),
    ("ConvTranspose1d", (2, 3, 3), {}), ("PReLU", (), {}), ("Embedding", (3, 2), {}),
    ("MultiheadAttention", (4, 2), {"kdim": 3, "vdim": 2, "add_bias_kv": True}), ("TransformerEncoderLayer", (4, 2, 8), {}),
    ("Transformer", (4, 2, 1, 1, 8), {"batch_first": True}),
]  # fmt: skip


def ours(name: str) -> Any:
    entry = catalog.load().find(f"torch.nn.{name}")[0]
    assert entry.node is not None
    return getattr(importlib.import_module(entry.module.name), entry.node.name)


def shapes(pairs: Any) -> list[tuple[str, tuple[int, ...]]]:
    return [(name, tuple(value.shape)) for name, value in pairs if not name.endswith("num_batches_tracked")]


@pytest.mark.parametrize(("name", "args", "kwargs"), LAYERS, ids=[f"{n} {k}" for n, _, k in LAYERS])
def test_a_torch_state_dict_goes_in_and_comes_out(name: str, args: Any, kwargs: Any) -> None:
    theirs, cell = getattr(torch.nn, name)(*args, **kwargs), ours(name)(*args, **kwargs)
    assert shapes(state_dict(cell).items()) == shapes(theirs.state_dict().items())
    assert [n for n, _ in module_tree.named_parameters(cell)] == [n for n, _ in theirs.named_parameters()]
    assert [n for n, _ in shapes(module_tree.named_buffers(cell))] == [n for n, _ in shapes(theirs.named_buffers())]
    assert [n for n, _ in module_tree.named_modules(cell)] == [n for n, _ in theirs.named_modules()]
    found = load_state_dict(cell, {n: p.numpy() for n, p in theirs.state_dict().items()})
    assert repr(found) == "<All keys matched successfully>"
    for key, value in state_dict(cell).items():
        assert (value.asnumpy() == theirs.state_dict()[key].numpy()).all()


def both() -> tuple[Any, Any]:
    """A small net on each side."""
    return Sequential(Linear(2, 2), BatchNorm2d(2)), torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm2d(2))


@pytest.mark.parametrize("change", ["missing", "unexpected", "shape", "deep"])
@pytest.mark.parametrize("strict", [True, False])
def test_what_does_not_fit_is_told_as_torch_tells_it(change: str, strict: bool) -> None:
    def edited(state: Any, zeros: Any) -> Any:
        state = dict(state)
        if change == "missing":
            del state["1.running_mean"], state["0.bias"]
        elif change == "unexpected":
            state |= {"extra": zeros(2), "0.more": zeros(2)}
        elif change == "deep":
            state["head.fc.weight"] = zeros(2)
        else:
            state["0.weight"] = zeros(3, 2)
        return state

    def told(load: Any) -> str:
        try:
            return repr(load())
        except RuntimeError as error:
            return str(error).replace("torch.Size([", "[").replace("])", "]")

    cell, module = both()
    state = module.state_dict()
    expected = told(lambda: module.load_state_dict(edited(state, torch.zeros), strict))
    given = {k: ms.Tensor(v.numpy()) for k, v in edited(state, torch.zeros).items()}
    assert told(lambda: load_state_dict(cell, given, strict)).replace("IncompatibleKeys", "_IncompatibleKeys") == expected


def test_the_values_share_the_cells_storage() -> None:
    cell, _ = both()
    state_dict(cell)["1.weight"].copy_(ms.ops.full((2,), 7.0, dtype=ms.float32))
    assert (cell[1].gamma.asnumpy() == 7).all()


def test_mindspores_own_compiled_graph_sees_loaded_values() -> None:
    cell, module = both()
    step = ms.jit(cell[0])
    x = ms.ops.ones((1, 2))
    step(x)
    load_state_dict(cell, {k: v.numpy() for k, v in module.state_dict().items()})
    assert step(x).asnumpy() == pytest.approx(module[0](torch.ones(1, 2)).detach().numpy(), abs=1e-6)


def test_a_buffer_that_is_a_part_of_another_tensor_is_loaded() -> None:
    upper, lower = ms.ops.triu_indices(3, 3, dtype=ms.int64)
    cell = nn.Cell()
    cell.register_buffer("upper", upper)
    cell.register_buffer("lower", lower)
    saved = {name: ms.Tensor(value.asnumpy() + 1) for name, value in state_dict(cell).items()}
    load_state_dict(cell, saved)
    assert cell.upper.tolist() == [1, 1, 1, 2, 2, 3] and cell.lower.tolist() == [1, 2, 3, 2, 3, 3]


def test_a_class_may_edit_what_is_loaded_and_saved() -> None:
    class Old(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc = Linear(2, 2)
            self.register_buffer("kept", ms.ops.ones((1,)))
            self.register_buffer("passing", ms.ops.ones((1,)), persistent=False)

        def state_dict(self, *args: Any, **kwargs: Any) -> Any:
            return {f"old.{k}": v for k, v in state_dict(self, *args, **kwargs).items()}

        def _load_from_state_dict(self, state: Any, prefix: str, *rest: Any) -> None:
            for key in list(state):
                if key.startswith(prefix + "linear."):
                    state[key.replace("linear.", "fc.")] = state.pop(key)
            load_own_state(self, state, prefix, *rest)

    cell = Old()
    assert list(cell.state_dict()) == ["old.kept", "old.fc.weight", "old.fc.bias"]
    state = {"linear.weight": ms.ops.ones((2, 2)), "linear.bias": ms.ops.ones((2,)), "kept": ms.ops.zeros((1,))}
    load_state_dict(cell, state)
    assert (cell.fc.weight.asnumpy() == 1).all() and cell.kept.asnumpy() == 0


def test_class_names_cover_every_layer_that_is_renamed() -> None:
    table = {}
    for entry in catalog.load().entries:
        base = mindspore_base(entry) if entry.kind == "layer" else None
        own = getattr(base, "attr", "")
        names = [n.rpartition(".")[2] for n in entry.names]
        if own and own not in names and entry.name.startswith("torch.nn.") and not own.startswith("ConstantPad"):
            table[own] = names[0]
    assert table == class_names.CLASS_NAMES
