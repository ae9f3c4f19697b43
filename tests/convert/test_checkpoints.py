"""Programs that keep checkpoints do so after conversion: their own files, PyTorch's files, and edited keys."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.equivalents.deserialization import load  # noqa: E402
from mindport.equivalents.serialization import save  # noqa: E402
from mindport.layers.state_dict import state_dict  # noqa: E402

PROGRAM = '''
import copy
import os

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.conv = nn.Conv1d(2, width, 3, padding=1)
        self.bn = nn.BatchNorm1d(width)
        self.norm = nn.LayerNorm(width)
        self.rnn = nn.LSTM(width, 3, batch_first=True, bidirectional=True)
        self.table = nn.Embedding(5, width)
        self.head = nn.Sequential(nn.Linear(6, 3), nn.PReLU())
        self.register_buffer("seen", torch.zeros(1))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)

    def forward(self, x, words):
        x = self.bn(self.conv(x)).transpose(1, 2) + self.table(words)
        x, _ = self.rnn(self.norm(x))
        return self.head(x)


def names():
    net = Net()
    listed = [n for n, _ in net.named_parameters()]
    no_decay = [n for n, p in net.named_parameters() if p.ndim <= 1 or n.endswith(".bias") or "norm" in n]
    kept = [k for k in net.state_dict() if "num_batches_tracked" not in k]
    modules = [n for n, _ in net.named_modules()]
    return listed, no_decay, kept, modules, [n for n, _ in net.named_children()]


def write(path):
    net = Net()
    net.seen.fill_(7)
    torch.save({"model": net.state_dict(), "epoch": 3, "history": [0.5, 0.25], "note": None}, path)
    net.eval()
    return net


def read(path):
    net = Net()
    checkpoint = torch.load(path, map_location="cpu")
    found = net.load_state_dict(checkpoint["model"])
    net.eval()
    return net, checkpoint["epoch"], checkpoint["history"], len(found.missing_keys), len(found.unexpected_keys)


def read_edited(path):
    """Weights of a wrapped model with another head, the way people load them."""
    net = Net()
    net.eval()
    state = {f"module.{k}": v for k, v in torch.load(path)["model"].items()}
    state = {k.replace("module.", ""): v for k, v in state.items() if not k.startswith("module.head.")}
    found = net.load_state_dict(state, strict=False)
    own = net.state_dict()
    fitting = {k: v for k, v in state.items() if k in own and v.shape == own[k].shape}
    for k, v in fitting.items():
        own[k].copy_(v)
    return net, sorted(found.missing_keys), sorted(k for k in fitting if "num_batches" not in k)


def best(path):
    net = Net()
    kept = copy.deepcopy(net.state_dict())
    with torch.no_grad():
        net.head[0].weight.zero_()
    moved = bool((net.state_dict()["head.0.weight"] == kept["head.0.weight"]).all())
    net.load_state_dict(kept)
    return moved, bool((net.state_dict()["head.0.weight"] == kept["head.0.weight"]).all())
'''


def outputs(torch_net: Any, mindspore_net: Any) -> None:
    """Both nets compute the same."""
    x, words = torch.linspace(-1, 1, 20).reshape(2, 2, 5), torch.arange(10).reshape(2, 5) % 5
    expected = torch_net(x, words).detach().numpy()
    assert mindspore_net(ms.Tensor(x.numpy()), ms.Tensor(words.numpy())).asnumpy() == pytest.approx(expected, abs=2e-6)


def test_names(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert mindspore_side.names() == torch_side.names()


def test_files_go_both_ways(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    path = str(tmp_path / "torch.pth")
    net = torch_side.write(path)
    ours, *rest = mindspore_side.read(path)
    outputs(net, ours)
    assert rest == list(torch_side.read(path)[1:])
    path = str(tmp_path / "mindspore.pth")
    ours = mindspore_side.write(path)
    again, *rest = mindspore_side.read(path)
    theirs = torch_side.Net()
    theirs.load_state_dict(torch.load(path)["model"], strict=False)
    theirs.eval()
    outputs(theirs, again)
    assert theirs.seen.item() == 7 and rest == [3, [0.5, 0.25], 0, 0]


def test_edited_keys(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    path = str(tmp_path / "torch.pth")
    torch_side.write(path)
    theirs, *expected = torch_side.read_edited(path)
    ours, *found = mindspore_side.read_edited(path)
    assert found == expected
    values = state_dict(ours)
    for name, expected_value in theirs.state_dict().items():
        if not name.startswith("head.") and "num_batches" not in name:
            assert (values[name].asnumpy() == expected_value.numpy()).all(), name


def test_the_best_state_is_a_copy(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert mindspore_side.best("") == torch_side.best("") == (False, True)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64"])
def test_every_dtype_comes_back(dtype: str) -> None:
    values = torch.tensor([[0, 1, 2], [3, 4, 5]]).to(getattr(torch, dtype))
    stream = io.BytesIO()
    torch.save([values.t(), values[0, 0], values[:0]], stream)
    found = load(stream)
    again = io.BytesIO()
    save(found, again)
    again.seek(0)
    for one, other, here in zip(torch.load(again), [values.t(), values[0, 0], values[:0]], found, strict=True):
        assert torch.equal(one, other) and one.dtype == other.dtype and tuple(here.shape) == tuple(other.shape)


def test_a_row_of_parameters_is_one_of_parameters() -> None:
    """A dictionary of them is a state, whose entries are tensors."""
    free, frozen = (ms.Parameter(ms.ops.ones(2), name=name, requires_grad=wants) for name, wants in (("free", True), ("frozen", False)))
    stream = io.BytesIO()
    save({"rows": [free, (frozen, free)], "state": {"inside": {"free": ms.Parameter(ms.ops.zeros(2), name="other")}}}, stream)
    stream.seek(0)
    for found, parameter in ((torch.load(stream), torch.nn.Parameter), (load(stream), ms.Parameter)):
        first, (second, third) = found["rows"]
        assert isinstance(first, parameter) and first is third and isinstance(second, parameter)
        assert (first.requires_grad, second.requires_grad) == (True, False)
        assert not isinstance(found["state"]["inside"]["free"], parameter)
        stream.seek(0)
    alone = io.BytesIO()
    save(frozen, alone)
    alone.seek(0)
    found = torch.load(alone)
    assert isinstance(found, torch.nn.Parameter) and not found.requires_grad


class Outsider:
    """A class that no file may make on its own."""


def test_a_file_runs_no_code_of_its_own() -> None:
    stream = io.BytesIO()
    torch.save({"x": Outsider()}, stream)
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        load(stream)
    assert isinstance(load(stream, weights_only=False)["x"], Outsider)


def test_what_is_no_checkpoint_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(str(tmp_path / "absent.pth"))
    (tmp_path / "empty.pth").write_bytes(b"")
    with pytest.raises(EOFError):
        load(tmp_path / "empty.pth")
    (tmp_path / "text.pth").write_bytes(b"no checkpoint at all")
    with pytest.raises(NotImplementedError, match="torch.save did not write"):
        load(tmp_path / "text.pth")


HOOKED = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self._register_load_state_dict_pre_hook(self._rename)

    def _rename(self, state, prefix, *rest):
        state[prefix + "w"] = state.pop(prefix + "weight") * 2


net = nn.Sequential(Net())
net.load_state_dict({"0.weight": torch.tensor([4.0, 5.0])})
found = net[0].w.tolist()
"""


def test_a_hook_under_torchs_private_name(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, HOOKED)
    assert after.found == before.found == [8.0, 10.0]
