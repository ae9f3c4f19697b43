"""MindSpore's .ckpt and .safetensors without MindSpore."""

from __future__ import annotations

import binascii
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindport.weights import Array, WeightError, ckpt, files
from mindport.weights.array import ITEMSIZE

HELD = sorted(set(ITEMSIZE) - {"complex64", "complex128"})
arrays = st.builds(
    lambda dtype, shape, seed: Array(
        dtype, tuple(shape), np.random.default_rng(seed).bytes(int(np.prod(shape)) * ITEMSIZE[dtype])
    ),
    st.sampled_from(HELD), st.lists(st.integers(1, 200), max_size=2), st.integers(0, 99),
)
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@settings(max_examples=60)
@given(content=st.dictionaries(names, arrays, min_size=1, max_size=5), suffix=st.sampled_from([".ckpt", ".safetensors"]))
def test_what_is_written_is_read_back_bit_for_bit(content: dict[str, Array], suffix: str, tmp_path_factory: Any) -> None:
    content.pop("__metadata__", None)
    path = tmp_path_factory.mktemp("ms") / f"x{suffix}"
    files.write(path, content, "mindspore")
    assert files.read(path).arrays == content


@given(value=st.integers(0, 2**63 - 1), number=st.integers(1, 2**20))
def test_varints(value: int, number: int) -> None:
    assert list(ckpt.fields(memoryview(ckpt.varint(number << 3) + ckpt.varint(value)))) == [(number, value)]


def test_large_arrays_are_written_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ckpt, "SLICE", 16)
    content = {"a": Array.of(np.arange(11, dtype="int64")), "b": Array.of(np.arange(2.0))}
    files.write(tmp_path / "x.ckpt", content, "mindspore")
    tops = list(ckpt.fields(memoryview((tmp_path / "x.ckpt").read_bytes())))
    assert len(tops) == 6 + 1
    assert files.read(tmp_path / "x.ckpt").arrays == content


def _entry(tag: bytes, kind: bytes, content: bytes, dims: bytes = b"") -> bytes:
    tensor = dims + b"\x12" + bytes([len(kind)]) + kind + b"\x1a" + bytes([len(content)]) + content
    value = b"\x0a" + bytes([len(tag)]) + tag + b"\x12" + bytes([len(tensor)]) + tensor
    return b"\x0a" + bytes([len(value)]) + value


def test_scalars_texts_packed_dims_and_the_checksum(tmp_path: Path) -> None:
    path = tmp_path / "x.ckpt"
    body = (
        _entry(b"s", b"Int8", b"\x05", b"\x08\x00") + _entry(b"who", b"str", "me".encode("utf-32-le"))
        + _entry(b"p", b"Int8", bytes(6), b"\x0a\x02\x02\x03")
    )
    path.write_bytes(body + b"crc_num" + binascii.crc32(body).to_bytes(10, "big"))
    read = files.read(path)
    assert {name: array.shape for name, array in read.arrays.items()} == {"s": (), "p": (2, 3)}
    assert read.notes == ["left out: the text 'who'"]
    path.write_bytes(body[:-1] + b"\x01crc_num" + binascii.crc32(body).to_bytes(10, "big"))
    with pytest.raises(WeightError, match="checksum"):
        files.read(path)


@pytest.mark.parametrize(
    ("array", "message"),
    [(Array.of(np.ones(2, "complex64")), "complex64"), (Array.of(np.ones((0, 3))), "empty")],
)
def test_what_the_ckpt_format_cannot_hold_is_refused(tmp_path: Path, array: Array, message: str) -> None:
    with pytest.raises(WeightError, match=message):
        files.write(tmp_path / "x.ckpt", {"w": array}, "mindspore")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 80]}}, "outside"),
        ({"w": {"dtype": "F4", "shape": [2], "data_offsets": [0, 8]}}, "F4"),
        ({"w": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}}, "12 bytes, not 8"),
        ({"w": {"shape": [3]}}, "wrongly"), ([], "no JSON object"),
    ],
)
def test_wrong_safetensors_headers(tmp_path: Path, header: Any, message: str) -> None:
    text = json.dumps(header).encode()
    (tmp_path / "x.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + bytes(8))
    with pytest.raises(WeightError, match=message):
        files.read(tmp_path / "x.safetensors")
