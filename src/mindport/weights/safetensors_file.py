"""Reads and writes ``.safetensors``: eight bytes of header length, a JSON header, the arrays' bytes.

Written here because the library's numpy door knows no bfloat16 and its raw door changes between
versions. Source: https://github.com/huggingface/safetensors (section Format of the README).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from mindport.weights.array import Array, WeightError

_CODES = {
    "BOOL": "bool", "I8": "int8", "U8": "uint8", "I16": "int16", "U16": "uint16", "I32": "int32",
    "U32": "uint32", "I64": "int64", "U64": "uint64", "F16": "float16", "BF16": "bfloat16", "F32": "float32",
    "F64": "float64", "C64": "complex64",
}
_DTYPES = {dtype: code for code, dtype in _CODES.items()}
_HEADER_LIMIT = 100_000_000


def read_safetensors(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays in the header's order, and the metadata. Raises `WeightError` for a malformed file."""
    content = memoryview(path.read_bytes())
    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or length > min(_HEADER_LIMIT, len(content) - 8):
        raise WeightError("the file is no .safetensors: its header is cut short")
    try:
        header = json.loads(bytes(content[8 : 8 + length]))
    except (ValueError, RecursionError) as error:
        raise WeightError(f"the file is no .safetensors: its header is no JSON ({error})") from error
    if not isinstance(header, dict):
        raise WeightError("the file is no .safetensors: its header is no JSON object")
    metadata = header.pop("__metadata__", None)
    body = content[8 + length :]
    arrays = {name: _entry(name, entry, body) for name, entry in header.items()}
    return arrays, metadata if isinstance(metadata, dict) else {}


def _entry(name: str, entry: Any, body: memoryview) -> Array:
    try:
        start, stop = entry["data_offsets"]
        shape = tuple(entry["shape"])
        code = entry["dtype"]
        valid = 0 <= start <= stop <= len(body) and all(type(n) is int and n >= 0 for n in shape)
    except (KeyError, TypeError, ValueError):
        raise WeightError(f"{name}: the .safetensors header describes it wrongly") from None
    if not valid:
        raise WeightError(f"{name}: the .safetensors header points outside of the file")
    if code not in _CODES:
        raise WeightError(f"{name}: the dtype {code} is not supported")
    return Array(_CODES[code], shape, bytes(body[start:stop]))


def write_safetensors(stream: BinaryIO, arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Widest elements first, then by name, so that every array is aligned and equal contents give equal files."""
    widths = {"8": 0, "4": 1, "2": 2}

    def rank(name: str) -> tuple[int, str]:
        dtype = arrays[name].dtype
        return widths.get({"64": "8", "32": "4", "16": "2"}.get(dtype[-2:], ""), 3), name

    names = sorted(arrays, key=rank)
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    position = 0
    for name in names:
        array = arrays[name]
        if array.dtype not in _DTYPES:
            raise WeightError(f"{name}: .safetensors holds no {array.dtype}")
        stop = position + len(array.data)
        header[name] = {"dtype": _DTYPES[array.dtype], "shape": array.shape, "data_offsets": [position, stop]}
        position = stop
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    stream.write(len(text).to_bytes(8, "little") + text)
    for name in names:
        stream.write(arrays[name].data)
