"""Reads and writes MindSpore's ``.ckpt`` without MindSpore.

The file is a protobuf message (mindspore/train/checkpoint_pb2.py of MindSpore 2.10)::

    Checkpoint  { repeated Value value = 1; }
    Value       { required string tag = 1; oneof { TensorProto tensor = 2; MapTensorProto maptensor = 3; } }
    TensorProto { repeated int64 dims = 1; required string tensor_type = 2; required bytes tensor_content = 3; }

written as a concatenation of `Checkpoint` messages, one per parameter or slice of 512 MiB
(consecutive values of one tag belong together), optionally followed by ``crc_num`` and ten
bytes of checksum (mindspore/train/serialization.py).
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from mindport.weights.array import Array, WeightError

SLICE = 512 * 1024 * 1024
_TYPES = {
    "Int8": "int8", "UInt8": "uint8", "Int16": "int16", "UInt16": "uint16", "Int32": "int32",
    "UInt32": "uint32", "Int64": "int64", "UInt64": "uint64", "Float16": "float16",
    "Float32": "float32", "Float64": "float64", "Bool": "bool", "BFloat16": "bfloat16",
}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_DAMAGED = "the file is no MindSpore checkpoint, or it is damaged or encrypted"


def varint(value: int) -> bytes:
    """Protobuf's base-128 encoding of a non-negative integer."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of one message: (number, integer or bytes). Raises `WeightError` where the bytes are none."""
    position = 0

    def number() -> int:
        nonlocal position
        value = shift = 0
        while True:
            if position >= len(data) or shift > 63:
                raise WeightError(_DAMAGED)
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    while position < len(data):
        key = number()
        wire = key & 7
        if wire == 0:
            yield key >> 3, number()
            continue
        length = number() if wire == 2 else {1: 8, 5: 4}.get(wire, -1)
        if length < 0 or position + length > len(data):
            raise WeightError(_DAMAGED)
        yield key >> 3, data[position : position + length]
        position += length


def _packed(data: memoryview) -> list[int]:
    values, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            values.append(value)
            value = shift = 0
    return values


def _value(data: memoryview) -> tuple[str, list[int], str, memoryview]:
    tag, tensor = None, None
    for number, content in fields(data):
        if number == 1 and isinstance(content, memoryview):
            tag = str(content, "utf-8")
        elif number == 2 and isinstance(content, memoryview):
            tensor = content
        elif number == 3:
            raise WeightError(f"the parameter {tag!r} is a MapParameter (hash table), which torch does not have")
    if tag is None or tensor is None:
        raise WeightError(_DAMAGED)
    dims: list[int] = []
    kind, body = "", memoryview(b"")
    for number, content in fields(tensor):
        if number == 1:
            dims += [content] if isinstance(content, int) else _packed(content)
        elif number == 2 and isinstance(content, memoryview):
            kind = str(content, "utf-8")
        elif number == 3 and isinstance(content, memoryview):
            body = content
    return tag, dims, kind, body


def read_ckpt(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    """The parameters, and the strings that ``append_dict`` added."""
    data = memoryview(path.read_bytes())
    if bytes(data[-17:-10]) == b"crc_num":
        stored = int.from_bytes(data[-10:], "big")
        data = data[:-17]
        if binascii.crc32(data) != stored:
            raise WeightError("the checkpoint's checksum does not match: the file is damaged")
    try:
        parts = [
            _value(content) if number == 1 and isinstance(content, memoryview) else None
            for number, content in fields(data)
        ]
    except UnicodeDecodeError:
        raise WeightError(_DAMAGED) from None
    arrays: dict[str, Array] = {}
    texts: dict[str, str] = {}
    index = 0
    while index < len(parts):
        part = parts[index]
        index += 1
        if part is None:
            raise WeightError(_DAMAGED)
        tag, dims, kind, body = part
        bodies = [body]
        while index < len(parts) and (following := parts[index]) is not None and following[0] == tag:
            bodies.append(following[3])
            index += 1
        content = bytes(bodies[0]) if len(bodies) == 1 else b"".join(bodies)
        if tag in arrays or tag in texts:
            raise WeightError(f"the parameter {tag!r} stands twice in the checkpoint")
        if kind == "str":
            texts[tag] = content.decode("utf-32-le", "replace").rstrip("\0")
        elif kind not in _TYPES:
            raise WeightError(f"the parameter {tag!r} has the type {kind!r}, which torch does not have")
        else:
            # MindSpore reads dims [0] as a scalar; old versions wrote it so.
            shape = () if dims == [0] and content else tuple(dims)
            arrays[tag] = Array(_TYPES[kind], shape, content)
    return arrays, texts


def write_ckpt(stream: BinaryIO, arrays: Mapping[str, Array]) -> None:
    """Writes what ``mindspore.load_checkpoint`` reads. Raises `WeightError` for what the format cannot hold."""
    for name, array in arrays.items():
        if array.dtype not in _NAMES:
            raise WeightError(f"{name}: MindSpore's .ckpt holds no {array.dtype}; the converted program's own load() reads the .pth as it is")
        if not array.data:
            raise WeightError(
                f"{name}: MindSpore's .ckpt cannot hold an empty array {list(array.shape)}; write .safetensors"
            )
        data = memoryview(array.data)
        for start in range(0, len(data), SLICE):
            content = data[start : start + SLICE]
            tag = name.encode()
            kind = _NAMES[array.dtype].encode()
            dims = b"".join(b"\x08" + varint(n) for n in array.shape)
            head = dims + b"\x12" + varint(len(kind)) + kind + b"\x1a" + varint(len(content))
            value = b"\x0a" + varint(len(tag)) + tag + b"\x12" + varint(len(head) + len(content)) + head
            stream.write(b"\x0a" + varint(len(value) + len(content)) + value)
            stream.write(content)
