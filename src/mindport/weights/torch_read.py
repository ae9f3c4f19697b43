"""Reads what ``torch.save`` writes, without torch.

The zip layout (torch 1.6 and later) is ``<name>/data.pkl`` plus one ``<name>/data/<key>`` per
storage, uncompressed; the older layout is a sequence of pickles followed by the storages.
Source: torch/serialization.py and torch/_utils.py of torch 2.13.
"""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mindport.weights import restricted_pickle
from mindport.weights.array import ITEMSIZE, Array, WeightError
from mindport.weights.restricted_pickle import Storage, TensorView

_LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
#: An expanded tensor (stride 0) may be larger than its file; beyond this it is taken for an attack.
_EXPANDED_LIMIT = 1 << 32


def read_torch(path: Path) -> tuple[Any, list[str]]:
    """The pickled object with an `Array` for every tensor, and notes on how it was read.

    Tensors that share a storage with the same view come back as one and the same `Array`.
    """
    if zipfile.is_zipfile(path):
        return _read_zip(path)
    with path.open("rb") as stream:
        return _read_legacy(stream), ["layout before torch 1.6 (no zip archive)"]


def _read_zip(path: Path) -> tuple[Any, list[str]]:
    try:
        with zipfile.ZipFile(path) as archive:
            pickles = [name for name in archive.namelist() if name.endswith("/data.pkl") or name == "data.pkl"]
            if len(pickles) != 1:
                raise WeightError("the zip archive is not a torch checkpoint: it has no single data.pkl")
            prefix = pickles[0][: -len("data.pkl")]
            names = set(archive.namelist())
            if prefix + "constants.pkl" in names:
                raise WeightError("the file is a TorchScript archive: in torch, save model.state_dict() instead")
            big = prefix + "byteorder" in names and archive.read(prefix + "byteorder").strip() == b"big"
            value = restricted_pickle.load(archive.read(pickles[0]))

            def fetch(storage: Storage) -> bytes:
                name = f"{prefix}data/{storage.key}"
                if name not in names:
                    raise WeightError(f"the file misses its storage {storage.key!r}: it is truncated")
                return archive.read(name)

            return _resolve(value, fetch, big), []
    except WeightError:
        raise
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        # zipfile reports an unknown compression, a password and a wrong offset in its own ways.
        raise WeightError(f"the zip archive is damaged: {error}") from error


def _read_legacy(stream: BinaryIO) -> Any:
    if restricted_pickle.load(stream) != _LEGACY_MAGIC:
        raise WeightError("the file is no torch checkpoint: it lacks the magic number")
    restricted_pickle.load(stream)  # the protocol's version; every version is read alike
    system = restricted_pickle.load(stream)
    big = isinstance(system, dict) and system.get("little_endian") is False
    wanted: dict[str, Storage] = {}

    def note(pid: Any) -> Storage:
        storage = restricted_pickle.storage_from(pid)
        return wanted.setdefault(storage.key, storage)

    value = restricted_pickle.load(stream, note)
    keys = restricted_pickle.load(stream)
    contents: dict[str, bytes] = {}
    for key in keys if isinstance(keys, list) else ():
        storage = wanted.get(str(key))
        if storage is None:
            raise WeightError(f"the file lists an unknown storage {key!r}")
        count = int.from_bytes(stream.read(8), "little")
        if count != storage.count:
            raise WeightError(f"the storage {key!r} holds {count} elements where {storage.count} were announced")
        contents[storage.key] = stream.read(count * ITEMSIZE[storage.dtype])

    def fetch(storage: Storage) -> bytes:
        if storage.key not in contents:
            raise WeightError(f"the file misses its storage {storage.key!r}: it is truncated")
        return contents[storage.key]

    return _resolve(value, fetch, big)


def _resolve(value: Any, fetch: Callable[[Storage], bytes], big_endian: bool) -> Any:
    """`value` with every `TensorView` replaced by its `Array`."""
    storages: dict[str, bytes] = {}
    arrays: dict[TensorView, Array] = {}

    def array(view: TensorView) -> Array:
        if view in arrays:
            return arrays[view]
        storage = view.storage
        if storage.key not in storages:
            storages[storage.key] = fetch(storage)
        data = storages[storage.key]
        if len(data) < storage.count * ITEMSIZE[storage.dtype]:
            raise WeightError(f"the storage {storage.key!r} is cut short: {len(data)} bytes")
        arrays[view] = _gather(view, data, big_endian)
        return arrays[view]

    def walk(node: Any, depth: int) -> Any:
        if depth > 100:
            raise WeightError("the file's objects are nested too deeply or contain themselves")
        if isinstance(node, TensorView):
            return array(node)
        if isinstance(node, dict):
            return {key: walk(item, depth + 1) for key, item in node.items()}
        if isinstance(node, list | tuple):
            return type(node)(walk(item, depth + 1) for item in node)
        return node

    return walk(value, 0)


def _gather(view: TensorView, data: bytes, big_endian: bool) -> Array:
    """The strided elements of `data` in C order, bit for bit."""
    size = ITEMSIZE[view.dtype]
    count = math.prod(view.shape)
    if count * size > max(_EXPANDED_LIMIT, len(data)):
        raise WeightError(f"a tensor of shape {list(view.shape)} is much larger than its storage")
    if count == 0:
        return Array(view.dtype, view.shape, b"")
    dense = tuple(math.prod(view.shape[axis + 1 :]) for axis in range(len(view.shape)))
    contiguous = all(n == 1 or s == d for n, s, d in zip(view.shape, view.strides, dense, strict=True))
    if contiguous and not big_endian:
        start = view.offset * size
        whole = start == 0 and len(data) == count * size
        return Array(view.dtype, view.shape, data if whole else data[start : start + count * size])
    elements = np.frombuffer(data[: len(data) // size * size], np.dtype((np.void, size)))
    picked = np.lib.stride_tricks.as_strided(
        elements[view.offset :], view.shape, tuple(s * size for s in view.strides), writeable=False
    )
    content = np.ascontiguousarray(picked).tobytes()
    if big_endian:
        # A complex number is two floats: its halves are swapped each by itself.
        width = size // 2 if view.dtype.startswith("complex") else size
        content = np.frombuffer(content, np.dtype(f"V{width}")).view(np.uint8).reshape(-1, width)[:, ::-1].tobytes()
    return Array(view.dtype, view.shape, content)
