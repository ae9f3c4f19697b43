"""torch's files, made by hand and by hypothesis; torch itself is not needed here."""

from __future__ import annotations

import io
import os
import pickle
import struct
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindport.weights import Array, WeightError, files
from mindport.weights.array import ITEMSIZE
from mindport.weights.torch_read import read_torch

arrays = st.builds(
    lambda dtype, shape, seed: Array(
        dtype, tuple(shape), np.random.default_rng(seed).bytes(int(np.prod(shape)) * ITEMSIZE[dtype])
    ),
    st.sampled_from(sorted(ITEMSIZE)), st.lists(st.integers(0, 4), max_size=3), st.integers(0, 99),
)


@settings(max_examples=60)
@given(content=st.dictionaries(st.text(max_size=12), arrays, min_size=1, max_size=6))
def test_what_is_written_is_read_back_bit_for_bit(content: dict[str, Array], tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("pth") / "x.pth"
    files.write(path, content, "torch")
    assert files.read(path).arrays == content
    assert list(files.read(path).arrays) == list(content)


def test_names_with_one_array_share_a_storage(tmp_path: Path) -> None:
    tied = Array.of(np.arange(6, dtype="float32"))
    files.write(tmp_path / "x.pth", {"a": tied, "b": tied.reshape((2, 3)), "c": Array.of(np.ones(2))}, "torch")
    with zipfile.ZipFile(tmp_path / "x.pth") as archive:
        assert [n for n in archive.namelist() if "/data/" in n] == ["archive/data/0", "archive/data/1"]
        for info in archive.infolist():
            name_and_extra = struct.unpack("<HH", (tmp_path / "x.pth").read_bytes()[info.header_offset + 26 :][:4])
            assert (info.header_offset + 30 + sum(name_and_extra)) % 64 == 0


# -- files made with pickle itself and stand-ins for torch's names --------------------------------


class _Named:
    """Pickles as a reference to ``module.name``, with nothing of that name imported."""

    def __init__(self, module: str, name: str, arguments: tuple[Any, ...] | None = None) -> None:
        self.module, self.name, self.arguments = module, name, arguments


class _Writer(pickle._Pickler):  # type: ignore[name-defined]  # the one written in Python can be extended
    def save(self, obj: Any, save_persistent_id: bool = True) -> None:
        if not isinstance(obj, _Named):
            super().save(obj, save_persistent_id)
            return
        self.write(pickle.GLOBAL + f"{obj.module}\n{obj.name}\n".encode())
        if obj.arguments is not None:
            super().save(obj.arguments)
            self.write(pickle.REDUCE)

    def persistent_id(self, obj: Any) -> Any:
        if isinstance(obj, tuple) and obj and obj[0] == "storage" and isinstance(obj[1], str):
            return ("storage", _Named("torch", obj[1]), *obj[2:])
        return None


def _pickled(value: Any) -> bytes:
    """`value` as torch.save would pickle it; a `_Named` becomes a global or a call of one."""
    out = io.BytesIO()
    _Writer(out, 2).dump(value)
    return out.getvalue()


def _tensor(storage: tuple[Any, ...], offset: int, shape: tuple[int, ...], strides: tuple[int, ...], **more: Any) -> _Named:
    arguments = (storage, offset, shape, strides, False, OrderedDict(), *more.values())
    return _Named("torch._utils", "_rebuild_tensor_v2", arguments)


def _archive(path: Path, pickled: bytes, storages: dict[str, bytes], byteorder: bytes | None = b"little") -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("any/data.pkl", pickled)
        if byteorder:
            archive.writestr("any/byteorder", byteorder)
        for key, content in storages.items():
            archive.writestr(f"any/data/{key}", content)
        archive.writestr("any/version", "3\n")
    return path


BASE = np.arange(12, dtype="<f4")


@pytest.mark.parametrize(
    ("offset", "shape", "strides"),
    [(0, (3, 4), (4, 1)), (0, (4, 3), (1, 4)), (5, (2,), (3,)), (2, (), ()), (0, (3, 0), (1, 1)),
     (1, (2, 3), (0, 2)), (4, (1, 4), (99, 1))],
    ids=["dense", "transposed", "slice", "scalar", "empty", "expanded", "a stride that counts nothing"],
)
def test_strided_views_are_gathered(
    tmp_path: Path, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]
) -> None:
    pickled = _pickled({"w": _tensor(("storage", "FloatStorage", "0", "cpu", 12), offset, shape, strides)})
    for order, data in ((b"little", BASE.tobytes()), (b"big", BASE.astype(">f4").tobytes()), (None, BASE.tobytes())):
        path = _archive(tmp_path / "x.pth", pickled, {"0": data}, order)
        got = files.read(path).arrays["w"]
        expected = np.lib.stride_tricks.as_strided(BASE[offset:], shape, tuple(4 * s for s in strides))
        assert got.shape == shape and np.array_equal(got.numpy(), expected)


def test_views_of_one_storage_and_parameters(tmp_path: Path) -> None:
    storage = ("storage", "BFloat16Storage", "7", "cuda:0", 4)
    whole = _tensor(storage, 0, (4,), (1,))
    value = OrderedDict(
        a=whole, b=_tensor(storage, 2, (2,), (1,)), p=_Named("torch._utils", "_rebuild_parameter", (whole, True, None))
    )
    path = _archive(tmp_path / "x.pth", _pickled(value), {"7": bytes(range(8))})
    read = files.read(path).arrays
    assert (read["a"].dtype, bytes(read["b"].data), read["p"].data) == ("bfloat16", bytes(range(4, 8)), bytes(range(8)))
    assert read["a"] is read["p"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: _tensor(s, 0, (13,), (1,)), "reaches element 12 of a storage with 12"),
        (lambda s: _tensor(s, -1, (1,), (1,)), "impossible"),
        (lambda s: _tensor(s, 0, (2, 2), (1,)), "impossible"),
        (lambda s: _tensor(s, 0, (2,), (1,), metadata={"conj": True}), "conj"),
        (lambda s: _tensor(s, 0, (1 << 40,), (0,)), "larger than its storage"),
        (lambda s: _Named("torch._utils", "_rebuild_sparse_tensor", (1,)), "_rebuild_sparse_tensor"),
        (lambda s: _Named("os", "system", ("true",)), "os.system"),
        (lambda s: _Named("torch.nn.modules.linear", "Linear", ()), r"save\(model.state_dict\(\)"),
        (lambda s: _Named("builtins", "eval", ("1",)), "builtins.eval"),
    ],
)
def test_what_is_no_plain_tensor_is_refused(
    tmp_path: Path, change: Any, message: str
) -> None:
    value = {"w": change(("storage", "FloatStorage", "0", "cpu", 12))}
    path = _archive(tmp_path / "x.pth", _pickled(value), {"0": BASE.tobytes()})
    with pytest.raises(WeightError, match=message):
        files.read(path)


def test_nothing_of_the_file_is_executed(tmp_path: Path) -> None:
    marker = tmp_path / "executed"

    class Evil:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(marker),)

    path = _archive(tmp_path / "x.pth", pickle.dumps({"w": Evil()}), {})
    with pytest.raises(WeightError, match="mkdir"):
        files.read(path)
    # The same through the opcodes that look a name up on the stack.
    path = _archive(tmp_path / "y.pth", pickle.dumps({"w": Evil()}, 4), {})
    with pytest.raises(WeightError, match="mkdir"):
        files.read(path)
    assert not marker.exists()


def test_the_layout_before_zip(tmp_path: Path) -> None:
    storage = ("storage", "FloatStorage", "94", "cpu", 12, None)
    parts = [
        pickle.dumps(0x1950A86A20F9469CFC6C, 2), pickle.dumps(1001, 2), pickle.dumps({"little_endian": True}, 2),
        _pickled({"w": _tensor(storage, 0, (4, 3), (1, 4))}), pickle.dumps(["94"], 2),
        struct.pack("<q", 12) + BASE.tobytes(),
    ]
    path = tmp_path / "old.pth"
    path.write_bytes(b"".join(parts))
    checkpoint = files.read(path)
    assert np.array_equal(checkpoint.arrays["w"].numpy(), BASE.reshape(3, 4).T)
    assert checkpoint.notes == ["layout before torch 1.6 (no zip archive)"]
    path.write_bytes(b"".join(parts)[:-5])
    with pytest.raises(WeightError, match="cut short"):
        files.read(path)


W = Array.of(np.ones(2, "float32"))


@pytest.mark.parametrize(
    ("value", "notes"),
    [
        ({"w": W}, []),
        ({"state_dict": {"w": W}, "epoch": 3}, ["taken from the key 'state_dict'"]),
        ({"epoch": 3, "model": {"w": W}, "ema": {"w": W}},
         ["taken from the key 'model'", "other state_dicts left alone: 'ema'"]),
        ({"generator": {"w": W}, "step": 1}, ["taken from the key 'generator'"]),
    ],
)
def test_the_state_dict_is_found_by_rule(value: Any, notes: list[str]) -> None:
    assert files.select(value) == ({"w": W}, notes)


@pytest.mark.parametrize(
    ("value", "message"),
    [([W], "holds a list"), ({"a": {"w": W}, "b": {"w": W}}, "'a', 'b'"), ({}, "none"), ({"epoch": 1}, "'epoch'")],
)
def test_no_or_several_state_dicts_are_an_error(value: Any, message: str) -> None:
    with pytest.raises(WeightError, match=message):
        files.select(value)


@settings(max_examples=200)
@given(data=st.binary(max_size=200), suffix=st.sampled_from(sorted(files.SUFFIXES)))
def test_any_bytes_give_an_error_and_no_traceback(data: bytes, suffix: str, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("noise") / f"x{suffix}"
    path.write_bytes(data)
    try:
        files.read(path)
    except WeightError as error:
        assert str(error)


@settings(max_examples=150)
@given(seed=st.integers(0, 10_000), suffix=st.sampled_from(sorted(files.SUFFIXES)))
def test_a_damaged_file_gives_an_error_or_arrays(seed: int, suffix: str, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("damaged") / f"x{suffix}"
    files.write(path, {"a.b": Array.of(np.arange(6.0)), "c": Array.of(np.ones((2, 2), "int8"))},
                files.suffix_framework(path) or "torch")
    rng = np.random.default_rng(seed)
    content = bytearray(path.read_bytes())
    for place in rng.integers(0, len(content), 3):
        content[place] = rng.integers(0, 256)
    path.write_bytes(content)
    try:
        assert all(isinstance(a, Array) for a in files.read(path).arrays.values())
    except WeightError as error:
        assert str(error)


def test_a_torchscript_archive_is_named(tmp_path: Path) -> None:
    path = _archive(tmp_path / "x.pt", b"", {})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("any/constants.pkl", "")
    with pytest.raises(WeightError, match="TorchScript"):
        read_torch(path)
