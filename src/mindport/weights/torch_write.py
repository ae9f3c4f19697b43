"""Writes a zip file that ``torch.load(path, weights_only=True)`` reads, without torch.

The pickle is emitted opcode by opcode (Python's pickletools documents them), because pickle's
own writer would import the classes that it names. Source of the layout: torch/serialization.py.
"""

from __future__ import annotations

import math
import pickle
import struct
import zipfile
from collections.abc import Mapping
from typing import BinaryIO

from mindport.weights.array import ITEMSIZE, Array
from mindport.weights.restricted_pickle import STORAGES

_STORAGE_OF = {dtype: name for name, dtype in STORAGES.items() if name != "UntypedStorage"}
_ALIGNMENT = 64
#: A fixed time makes equal contents equal files.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def _integer(value: int) -> bytes:
    if 0 <= value < 256:
        return pickle.BININT1 + bytes([value])
    if -(1 << 31) <= value < 1 << 31:
        return pickle.BININT + struct.pack("<i", value)
    content = pickle.encode_long(value)
    return pickle.LONG1 + bytes([len(content)]) + content


def _text(value: str) -> bytes:
    content = value.encode("utf-8", "surrogatepass")
    return pickle.BINUNICODE + struct.pack("<I", len(content)) + content


def _global(module: str, name: str) -> bytes:
    return pickle.GLOBAL + f"{module}\n{name}\n".encode()


def _tuple(*items: bytes) -> bytes:
    return pickle.MARK + b"".join(items) + pickle.TUPLE


_EMPTY_ORDERED_DICT = _global("collections", "OrderedDict") + pickle.EMPTY_TUPLE + pickle.REDUCE


def _tensor(array: Array, key: str) -> bytes:
    strides = [math.prod(array.shape[axis + 1 :]) for axis in range(len(array.shape))]
    typed = array.dtype in _STORAGE_OF
    count = len(array.data) // (ITEMSIZE[array.dtype] if typed else 1)
    kind = _global("torch", _STORAGE_OF[array.dtype]) if typed else _global("torch.storage", "UntypedStorage")
    pid = _tuple(_text("storage"), kind, _text(key), _text("cpu"), _integer(count))
    arguments = [
        pid + pickle.BINPERSID, _integer(0), _tuple(*map(_integer, array.shape)), _tuple(*map(_integer, strides)),
        pickle.NEWFALSE, _EMPTY_ORDERED_DICT,
    ]
    if typed:
        return _global("torch._utils", "_rebuild_tensor_v2") + _tuple(*arguments) + pickle.REDUCE
    arguments.append(_global("torch", array.dtype))
    return _global("torch._utils", "_rebuild_tensor_v3") + _tuple(*arguments) + pickle.REDUCE


def write_torch(stream: BinaryIO, arrays: Mapping[str, Array]) -> None:
    """A state_dict in torch's zip layout. Names with one and the same `Array.data` share a storage."""
    keys: dict[tuple[int, str], str] = {}
    contents: list[bytes | memoryview] = []
    body = [pickle.PROTO + b"\x02", _EMPTY_ORDERED_DICT, pickle.MARK]
    for name, array in arrays.items():
        identity = (id(array.data), array.dtype)
        # Python keeps one object for each byte string of length 0 or 1: there, identity says nothing.
        if identity not in keys or len(array.data) < 2:
            keys[identity] = str(len(contents))
            contents.append(array.data)
        body += [_text(name), _tensor(array, keys[identity])]
    body += [pickle.SETITEMS, pickle.STOP]
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:

        def record(name: str, content: bytes | memoryview) -> None:
            info = zipfile.ZipInfo(f"archive/{name}", _EPOCH)
            start = (archive.fp.tell() if archive.fp else 0) + 30 + len(info.filename) + 4
            padding = -start % _ALIGNMENT
            info.extra = struct.pack("<HH", 0x4246, padding) + bytes(padding)
            archive.writestr(info, content)  # type: ignore[arg-type]

        record("data.pkl", b"".join(body))
        record("byteorder", b"little")
        for index, content in enumerate(contents):
            record(f"data/{index}", content)
        record("version", b"3\n")
