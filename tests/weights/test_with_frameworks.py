"""The files against torch and MindSpore themselves, each in its own process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindport.weights import Array, Tree, ckpt, convert_file, derive, files

pytestmark = pytest.mark.frameworks
DTYPES = ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
SOURCE = Path(files.__file__).parents[2]


def run(code: str, folder: Path) -> Any:
    """The JSON that `code` prints as its last line, run in a process of its own."""
    environment = {**os.environ, "GLOG_v": "3", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def sample() -> dict[str, Array]:
    out = {}
    for dtype in DTYPES:
        for shape in ((), (1,), (2, 3)):
            count = int(np.prod(shape))
            width = Array.of(np.zeros(1, dtype if dtype != "bfloat16" else "uint16")).data
            raw = bytes([1, 0, 1, 1, 0, 1][:count]) if dtype == "bool" else bytes(range(1, 1 + count * len(width)))
            out[f"{dtype}.{len(shape)}{shape[0] if shape else ''}"] = Array(dtype, shape, raw)
    return out


def test_torch_reads_what_we_write_and_the_other_way_round(tmp_path: Path) -> None:
    content = {**sample(), "empty": Array("float32", (0, 3), b""), "u16": Array("uint16", (2,), b"\1\2\3\4")}
    content["tied"] = content["float32.22"].reshape((6,))
    files.write(tmp_path / "ours.pth", content, "torch")
    answer = run("""
import json, torch
state = torch.load('ours.pth', weights_only=True)
mapped = torch.load('ours.pth', weights_only=True, mmap=True)
assert all(torch.equal(state[k].view(torch.uint8) if state[k].ndim else state[k][None].view(torch.uint8),
                       mapped[k].view(torch.uint8) if state[k].ndim else mapped[k][None].view(torch.uint8)) for k in state)
tied = state['tied'].data_ptr() == state['float32.22'].data_ptr()
base = torch.arange(24.).reshape(4, 6)
extra = {'t': base.t(), 'row': base[1], 'column': base[:, 2], 'same': base, 'scalar': base[2, 3],
         'expanded': base[:, :1].expand(4, 3), 'parameter': torch.nn.Parameter(base.clone()),
         'half': base.to(torch.bfloat16)[1:, ::2], 'u32': torch.arange(3).to(torch.uint32)}
torch.save({'state_dict': {**state, **extra}, 'epoch': 3, 'args': {'lr': 0.1, 'sizes': (1, 2)}}, 'theirs.pth')
torch.save({**state, **extra, 'u32': base, 'u16': base}, 'old.pth', _use_new_zipfile_serialization=False)
torch.save(torch.nn.Linear(2, 3).state_dict(), 'linear.pth')
torch.save(torch.nn.Linear(2, 3), 'model.pth')
print(json.dumps({'tied': tied, 'shapes': {k: list(v.shape) for k, v in state.items()},
                  'dtypes': {k: str(v.dtype)[6:] for k, v in state.items()}}))
""", tmp_path)
    assert answer["tied"]
    assert answer["shapes"] == {name: list(array.shape) for name, array in content.items()}
    assert answer["dtypes"] == {name: array.dtype for name, array in content.items()}
    theirs = files.read(tmp_path / "theirs.pth")
    assert theirs.notes == ["taken from the key 'state_dict'"]
    base = np.arange(24, dtype="float32").reshape(4, 6)
    for read in (theirs.arrays, files.read(tmp_path / "old.pth").arrays):
        assert all(read[name] == content[name] for name in content if name != "u16")
        for name, expected in {
            "t": base.T, "row": base[1], "column": base[:, 2], "same": base, "scalar": base[2, 3],
            "expanded": base[:, :1].repeat(3, 1), "parameter": base,
        }.items():
            assert read[name] == Array.of(expected), name
        bits = (base.view("uint32") >> 16).astype("uint16")[1:, ::2]
        assert read["half"] == Array.of(bits, "bfloat16")
    assert theirs.arrays["u16"] == content["u16"] and theirs.arrays["u32"] == Array.of(np.arange(3, dtype="uint32"))
    assert [a.shape for a in files.read(tmp_path / "linear.pth").arrays.values()] == [(3, 2), (3,)]
    with pytest.raises(files.WeightError, match=r"torch\.nn\.modules\.linear\.Linear"):
        files.read(tmp_path / "model.pth")


@pytest.mark.parametrize("piece", [ckpt.SLICE, 8])
def test_mindspore_reads_what_we_write_and_the_other_way_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(ckpt, "SLICE", piece)
    content = sample()
    files.write(tmp_path / "ours.ckpt", content, "mindspore")
    files.write(tmp_path / "ours.safetensors", content, "mindspore")
    answer = run("""
import json, mindspore as ms
ckpt = ms.load_checkpoint('ours.ckpt')
soft = ms.load_checkpoint('ours.safetensors', format='safetensors')
def as_list(d): return [{'name': k, 'data': ms.Tensor(v)} for k, v in d.items()]
ms.save_checkpoint(as_list(ckpt), 'theirs.ckpt', append_dict={'epoch': 3, 'who': 'me'})
ms.save_checkpoint(as_list(soft), 'crc.ckpt', crc_check=True)
ms.save_checkpoint(as_list(ckpt), 'theirs.safetensors', format='safetensors')
print(json.dumps({'shapes': {k: list(v.shape) for k, v in ckpt.items()},
                  'dtypes': {k: str(v.dtype).lower() for k, v in ckpt.items()}}))
""", tmp_path)
    assert answer["shapes"] == {name: list(array.shape) for name, array in content.items()}
    assert answer["dtypes"] == {name: array.dtype for name, array in content.items()}
    theirs = files.read(tmp_path / "theirs.ckpt")
    assert theirs.notes == ["left out: the text 'who'"]
    assert theirs.arrays.pop("epoch") == Array.of(np.array(3, "int64"))
    assert theirs.arrays == content
    assert files.read(tmp_path / "crc.ckpt").arrays == content
    assert files.read(tmp_path / "theirs.safetensors").arrays == content


MINDSPORE = """
import json, numpy as np, mindspore as ms
from mindspore import nn
from mindport.weights.walk_mindspore import walk
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm, self.volume, self.line = nn.BatchNorm2d(3), nn.BatchNorm3d(2), nn.Conv1d(3, 4, 3, has_bias=True)
        self.rnn = nn.LSTM(3, 4, 2, bidirectional=True)
        self.first = nn.Dense(4, 4); self.tied = nn.SequentialCell(self.first, nn.ReLU())
        self.register_buffer('places', ms.Tensor(np.arange(3), ms.int64))
        self.register_buffer('scratch', ms.Tensor(np.arange(3), ms.int64), persistent=False)
net = Net()
"""
TORCH = """
import json, torch
from torch import nn
from mindport.weights.walk_torch import walk
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.volume, self.line = nn.BatchNorm2d(3), nn.BatchNorm3d(2), nn.Conv1d(3, 4, 3)
        self.rnn = nn.LSTM(3, 4, 2, bidirectional=True)
        self.first = nn.Linear(4, 4); self.tied = nn.Sequential(self.first, nn.ReLU())
        self.register_buffer('places', torch.arange(3) * 7)
        self.register_buffer('scratch', torch.arange(3), persistent=False)
net = Net()
"""


def test_a_model_moves_there_and_back(tmp_path: Path) -> None:
    (tmp_path / "mindspore.json").write_text(json.dumps(run(MINDSPORE + "print(json.dumps(walk(net)))", tmp_path)))
    saved = TORCH + "torch.save(net.state_dict(), 'a.pth'); print(json.dumps(walk(net)))"
    (tmp_path / "torch.json").write_text(json.dumps(run(saved, tmp_path)))
    mindspore, torch = Tree.load(tmp_path / "mindspore.json"), Tree.load(tmp_path / "torch.json")
    both, alone = derive(mindspore, torch), derive(mindspore)
    assert set(both.entries) == set(alone.entries)
    assert {n: e.name for n, e in both.entries.items()} == {n: e.name for n, e in alone.entries.items()}
    assert both.entries["first.weight"].name == both.entries["tied.0.weight"].name == "tied.0.weight"
    convert_file(tmp_path / "a.pth", tmp_path / "b.ckpt", alone, tmp_path / "rest.safetensors")
    answer = run(MINDSPORE + """
d = ms.load_checkpoint('b.ckpt')
left = ms.load_param_into_net(net, {k: v for k, v in d.items() if k != 'places'}, strict_load=True)
print(json.dumps([left[0], left[1], sorted(set(d) - {p.name for p in net.get_parameters()})]))
""", tmp_path)
    assert answer == [[], [], ["places"]]
    convert_file(tmp_path / "b.ckpt", tmp_path / "c.pth", both, tmp_path / "rest.safetensors")
    assert files.read(tmp_path / "c.pth").arrays == files.read(tmp_path / "a.pth").arrays
    # Without the file of dropped arrays torch itself supplies num_batches_tracked.
    convert_file(tmp_path / "b.ckpt", tmp_path / "d.pth", both)
    assert len(files.read(tmp_path / "d.pth").arrays) == len(files.read(tmp_path / "c.pth").arrays) - 2
    strict = "net.load_state_dict(torch.load('{}', weights_only=True), strict=True); "
    run(TORCH + strict.format("c.pth") + strict.format("d.pth") + "print(0)", tmp_path)
