"""A pickle reader that can build tensors' descriptions and containers, and nothing else.

A checkpoint is a program for pickle's machine. This reader resolves a fixed table of names;
every other name is refused before anything is looked up, so no code of the file's choosing
runs. Sources: Python's pickletools for the opcodes, torch's `torch/_utils.py` for the
rebuild functions' arguments.
"""

from __future__ import annotations

import io
import math
import pickle
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from mindport.weights.array import ITEMSIZE, WeightError

#: torch's typed storages → dtype; the untyped one counts bytes and gets its dtype from the tensor.
STORAGES = {
    "FloatStorage": "float32", "DoubleStorage": "float64", "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16", "LongStorage": "int64", "IntStorage": "int32", "ShortStorage": "int16",
    "CharStorage": "int8", "ByteStorage": "uint8", "BoolStorage": "bool",
    "ComplexFloatStorage": "complex64", "ComplexDoubleStorage": "complex128", "UntypedStorage": "uint8",
}
_DTYPE_NAMES = {"half": "float16", "float": "float32", "double": "float64", "int": "int32", "long": "int64"}


@dataclass(frozen=True)
class StorageType:
    """Stands for a class such as ``torch.FloatStorage``."""

    dtype: str


@dataclass(frozen=True)
class DType:
    """Stands for a ``torch.dtype``."""

    name: str


@dataclass(frozen=True)
class Storage:
    """One storage in the file, by its key; `count` elements of `dtype`."""

    key: str
    dtype: str
    count: int


@dataclass(frozen=True)
class TensorView:
    """A tensor as the file describes it: a strided view of a storage, in elements of `dtype`."""

    storage: Storage
    dtype: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def __post_init__(self) -> None:
        numbers = (self.offset, *self.shape, *self.strides)
        if len(self.shape) != len(self.strides) or not all(type(n) is int and n >= 0 for n in numbers):
            raise WeightError("a tensor in the file has an impossible shape, stride or offset")
        available = self.storage.count * ITEMSIZE[self.storage.dtype] // ITEMSIZE[self.dtype]
        last = self.offset + sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True))
        if math.prod(self.shape) and last >= available:
            raise WeightError(
                f"a tensor of shape {list(self.shape)} reaches element {last} of a storage with {available}"
            )


def _ints(value: Any) -> tuple[int, ...]:
    if not isinstance(value, tuple | list):
        raise WeightError("a tensor in the file has a shape or stride that is no tuple")
    return tuple(value)


def _check_metadata(metadata: Any) -> None:
    if metadata:
        raise WeightError(f"tensors with metadata {sorted(map(str, metadata))} (conj, neg) are not supported")


def _tensor_v2(
    storage: Storage, offset: int, size: Any, stride: Any, requires_grad: Any = False, hooks: Any = None,
    metadata: Any = None,
) -> TensorView:
    _check_metadata(metadata)
    if not isinstance(storage, Storage):
        raise WeightError("a tensor in the file has no storage")
    return TensorView(storage, storage.dtype, offset, _ints(size), _ints(stride))


def _tensor_v3(
    storage: Storage, offset: int, size: Any, stride: Any, requires_grad: Any, hooks: Any, dtype: Any,
    metadata: Any = None,
) -> TensorView:
    _check_metadata(metadata)
    if not isinstance(storage, Storage) or not isinstance(dtype, DType):
        raise WeightError("a tensor in the file has no storage or dtype")
    return TensorView(storage, dtype.name, offset, _ints(size), _ints(stride))


def _parameter(data: Any, requires_grad: Any = True, hooks: Any = None, state: Any = None) -> Any:
    return data


def _size(values: Any = ()) -> tuple[int, ...]:
    return _ints(values)


def _bytes(text: Any, encoding: Any = "latin1") -> bytes:
    if not isinstance(text, str) or encoding != "latin1":
        raise WeightError("the file encodes bytes in an unknown way")
    return text.encode("latin1")


_ALLOWED: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("collections", "defaultdict"): defaultdict,
    ("collections", "Counter"): Counter,
    ("torch._utils", "_rebuild_tensor_v2"): _tensor_v2,
    ("torch._utils", "_rebuild_tensor_v3"): _tensor_v3,
    ("torch._utils", "_rebuild_parameter"): _parameter,
    ("torch._utils", "_rebuild_parameter_with_state"): _parameter,
    ("torch", "Size"): _size,
    ("_codecs", "encode"): _bytes,
    **{("torch", name): StorageType(dtype) for name, dtype in STORAGES.items()},
    ("torch.storage", "UntypedStorage"): StorageType("uint8"),
    **{("torch", name): DType(name) for name in ITEMSIZE},
    **{("torch", name): DType(dtype) for name, dtype in _DTYPE_NAMES.items()},
    **{
        (module, kind.__name__): kind
        for module in ("builtins", "__builtin__")
        for kind in (set, frozenset, complex, dict, list, tuple, int, float, bool, str)
    },
}


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: BinaryIO, storage: Callable[[Any], Storage]) -> None:
        super().__init__(stream, encoding="utf-8")
        self._storage = storage

    def find_class(self, module: str, name: str) -> Any:
        try:
            return _ALLOWED[module, name]
        except KeyError:
            raise WeightError(
                f"the file wants {module}.{name}, which is neither a tensor nor a plain container: it holds more "
                "than a state_dict. In torch, write torch.save(model.state_dict(), path) and convert that file"
            ) from None

    def persistent_load(self, pid: Any) -> Storage:
        return self._storage(pid)


def storage_from(pid: Any) -> Storage:
    """The storage that a persistent id names: ("storage", type, key, location, element count[, view])."""
    if not isinstance(pid, tuple) or len(pid) < 5 or pid[0] != "storage" or not isinstance(pid[1], StorageType):
        raise WeightError("the file refers to its storages in an unknown way")
    if len(pid) > 5 and pid[5] is not None:
        raise WeightError("the file holds views of storages (torch before 0.4): load and save it again in torch")
    if type(pid[4]) is not int or pid[4] < 0:
        raise WeightError("the file has a storage of impossible size")
    return Storage(str(pid[2]), pid[1].dtype, pid[4])


def load(stream: BinaryIO | bytes, storage: Callable[[Any], Storage] = storage_from) -> Any:
    """The next object of a pickle stream. Raises `WeightError` for anything but tensors and containers."""
    if isinstance(stream, bytes):
        stream = io.BytesIO(stream)
    try:
        return _Unpickler(stream, storage).load()
    except WeightError:
        raise
    except RecursionError:
        raise WeightError("the file's objects are nested too deeply") from None
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, KeyError, IndexError, AttributeError,
            UnicodeDecodeError, OverflowError, MemoryError) as error:
        raise WeightError(f"the file is not a valid pickle: {error}") from error
