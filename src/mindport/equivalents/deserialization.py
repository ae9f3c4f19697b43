"""torch.load: reads the zip files of torch.save, PyTorch's own and the converted program's, without PyTorch.

A checkpoint is a program for pickle's machine. With weights_only, torch's default, only the names in a fixed table are
resolved, so no code of the file's choosing runs.
"""

import pickle
import zipfile
from collections import Counter, OrderedDict, defaultdict
from contextlib import contextmanager

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor

from mindport.declare import Refused, difference, equivalent

#: torch's storage classes → (numpy dtype of the bytes, whether they are bfloat16).
STORED = {
    "FloatStorage": "float32", "DoubleStorage": "float64", "HalfStorage": "float16", "BFloat16Storage": "bfloat16",
    "LongStorage": "int64", "IntStorage": "int32", "ShortStorage": "int16", "CharStorage": "int8", "ByteStorage": "uint8",
    "BoolStorage": "bool", "ComplexFloatStorage": "complex64", "ComplexDoubleStorage": "complex128", "UntypedStorage": "uint8",
}
DTYPE_NAMES = {"half": "float16", "float": "float32", "double": "float64", "int": "int32", "long": "int64"}
#: What a file may name with weights_only besides tensors.
PLAIN = {
    ("collections", "OrderedDict"): OrderedDict, ("collections", "Counter"): Counter, ("collections", "defaultdict"): defaultdict,
}
PLAIN_BUILTINS = (set, frozenset, complex, dict, list, tuple, int, float, bool, str, bytes, bytearray, slice)
NUMPY_NAMES = ("_reconstruct", "scalar", "ndarray", "dtype")
#: What a file in the layout before PyTorch 1.6 begins with.
FORMER = 0x1950A86A20F9469CFC6C
#: Classes that the program itself declared safe.
SAFE = []


def tensor_of(stored, dtype, offset, shape, strides):
    """The tensor that a strided view of a storage's bytes describes."""
    raw = "uint16" if dtype == "bfloat16" else dtype
    values = np.frombuffer(stored, dtype=np.dtype(raw).newbyteorder("<"))
    size = values.dtype.itemsize
    last = offset + sum((n - 1) * s for n, s in zip(shape, strides))
    if 0 in shape:
        values = np.zeros(shape, values.dtype)
    elif last >= values.size or offset < 0 or min((*strides, 0)) < 0:
        raise RuntimeError(f"a tensor of shape {list(shape)} reaches outside of its storage: the file is damaged")
    else:
        values = np.lib.stride_tricks.as_strided(values[offset:], shape, [s * size for s in strides])
    values = np.ascontiguousarray(values).reshape(shape)
    if dtype == "bfloat16":  # the upper half of a float32
        upper = values.reshape(-1).astype(np.uint32) << 16
        return Tensor(upper.view(np.float32).reshape(shape)).astype(ms.bfloat16)
    return Tensor(values.astype(raw))


def rebuild_tensor(storage, offset, size, stride, requires_grad=False, hooks=None, metadata=None):
    """torch._utils._rebuild_tensor_v2"""
    if metadata:
        raise Refused("a file with conjugated or negated views: save them with .resolve_conj() in PyTorch")
    return tensor_of(storage[1], storage[0], offset, tuple(size), tuple(stride))


def rebuild_typed_tensor(storage, offset, size, stride, requires_grad, hooks, dtype, metadata=None):
    """torch._utils._rebuild_tensor_v3"""
    return rebuild_tensor((str(dtype).lower(), storage[1]), offset, size, stride, requires_grad, hooks, metadata)


def rebuild_parameter(data, requires_grad=True, hooks=None, state=None):
    """torch._utils._rebuild_parameter"""
    name = state.get("name") if isinstance(state, dict) else None
    return Parameter(data, requires_grad=requires_grad) if name is None else Parameter(data, name=name, requires_grad=requires_grad)


def rebuild_device(name, index=None):
    """torch.device"""
    return name if index is None else f"{name}:{index}"


def encoded(text, encoding):
    """_codecs.encode as files of bytes name it."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"bytes in the encoding {encoding}")
    return text.encode("latin1")


class TorchUnpickler(pickle.Unpickler):
    """Resolves torch's names without torch, and with weights_only no others but plain containers."""

    def __init__(self, stream, storage, weights_only):
        super().__init__(stream, encoding="utf-8")
        self.storage = storage
        self.weights_only = weights_only

    def persistent_load(self, pid):
        return self.storage(pid)

    def find_class(self, module, name):
        if module in ("torch", "torch.storage") and name in STORED:
            return STORED[name]
        if module == "torch._utils" and name == "_rebuild_tensor_v2":
            return rebuild_tensor
        if module == "torch._utils" and name == "_rebuild_tensor_v3":
            return rebuild_typed_tensor
        if module == "torch._utils" and name in ("_rebuild_parameter", "_rebuild_parameter_with_state"):
            return rebuild_parameter
        if module == "torch" and name == "Size":
            return tuple
        if module == "torch" and name == "device":
            return rebuild_device
        if module == "torch" and hasattr(ms, DTYPE_NAMES.get(name, name)) and isinstance(getattr(ms, DTYPE_NAMES.get(name, name)), ms.Type):
            return getattr(ms, DTYPE_NAMES.get(name, name))
        if module == "_codecs" and name == "encode":
            return encoded
        if (module, name) in PLAIN:
            return PLAIN[module, name]
        for kind in PLAIN_BUILTINS:
            if module in ("builtins", "__builtin__") and name == kind.__name__:
                return kind
        if module in ("numpy", "numpy.core.multiarray", "numpy._core.multiarray") and name in NUMPY_NAMES:
            return super().find_class(module.replace("_core", "core"), name)
        for kind in SAFE:
            if (module, name) == (kind.__module__, kind.__qualname__):
                return kind
        if module.partition(".")[0] == "torch":
            raise pickle.UnpicklingError(f"the file holds a {module}.{name}, which MindSpore has no counterpart of")
        if self.weights_only:
            raise pickle.UnpicklingError(
                f"Weights only load failed: the file wants {module}.{name}. If it is from a source that you trust, load it with "
                "weights_only=False, or allow the class with add_safe_globals"
            )
        return super().find_class(module, name)


@equivalent(
    "torch.load",
    drops={
        "map_location": "MindSpore places tensors where they are used", "mmap": "the file is read",
        "pickle_load_args": "Python's own pickle reads",
    },
    differs=[difference("tensors that share storage come back apart", risk="style", zh="共享存储的张量分别返回")],
)
def load(f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None, **pickle_load_args):
    """What a file of torch.save holds. https://docs.pytorch.org/docs/2.13/generated/torch.load.html"""
    if pickle_module is not None:
        raise Refused("pickle_module: Python's own pickle reads")
    if hasattr(f, "read") and not f.seekable():
        raise Refused("a stream that cannot seek: read it into io.BytesIO")
    if not zipfile.is_zipfile(f):
        with open_or_keep(f) as stream:
            head = stream.read(16)
            if head:
                stream.seek(0)
                return load_former(stream, weights_only is None or weights_only)
        raise EOFError("Ran out of input")
    with zipfile.ZipFile(f) as archive:
        pickles = [name for name in archive.namelist() if name.rpartition("/")[2] == "data.pkl"]
        if len(pickles) != 1 or pickles[0].replace("data.pkl", "constants.pkl") in archive.namelist():
            raise Refused("a TorchScript archive, or no checkpoint: in PyTorch, save model.state_dict()")
        prefix = pickles[0][: -len("data.pkl")]
        if prefix + "byteorder" in archive.namelist() and archive.read(prefix + "byteorder").strip() == b"big":
            raise Refused("a file in big-endian byte order: convert it with `mindport weights`")
        kept = {}

        def storage(pid):
            if not isinstance(pid, tuple) or len(pid) != 5 or pid[0] != "storage":
                raise pickle.UnpicklingError("the file refers to its storages in an unknown way")
            if pid[2] not in kept:
                kept[pid[2]] = archive.read(f"{prefix}data/{pid[2]}")
            return pid[1], kept[pid[2]]

        with archive.open(pickles[0]) as stream:
            return TorchUnpickler(stream, storage, weights_only is None or weights_only).load()


class Measuring(TorchUnpickler):
    """Goes through a file without making tensors: which storages it has, and of what dtype."""

    def find_class(self, module, name):
        return no_tensor if module == "torch._utils" else super().find_class(module, name)


def no_tensor(*parts):
    """Nothing, in the place of a tensor."""
    return None


def load_former(stream, weights_only):
    """A file in the layout before PyTorch 1.6: pickles one after the other, then the bytes of the storages, each behind its length."""

    def unknown(pid):
        raise pickle.UnpicklingError("the file refers to its storages in an unknown way")

    def plain():
        return TorchUnpickler(stream, unknown, True).load()

    try:
        first = plain()
    except (pickle.UnpicklingError, EOFError, KeyError, ValueError, IndexError, AttributeError):
        first = None
    if first != FORMER:
        raise Refused("a file that torch.save did not write, or before PyTorch 0.2")
    plain()  # the version, always the same
    if plain().get("little_endian") is False:
        raise Refused("a file in big-endian byte order: convert it with `mindport weights`")
    begin = stream.tell()
    dtypes, kept = {}, {}

    def note(pid):
        if not isinstance(pid, tuple) or len(pid) not in (5, 6) or pid[0] != "storage" or pid[5:] not in ((), (None,)):
            unknown(pid)
        dtypes[pid[2]] = pid[1]
        return pid[1], kept.get(pid[2])

    Measuring(stream, note, weights_only).load()
    for key in plain():
        size = 2 if dtypes[key] == "bfloat16" else np.dtype(dtypes[key]).itemsize
        kept[key] = stream.read(int.from_bytes(stream.read(8), "little") * size)
    stream.seek(begin)
    return TorchUnpickler(stream, note, weights_only).load()


def open_or_keep(f):
    """The stream at its start; a path is opened."""
    if hasattr(f, "read"):
        f.seek(0)
        return KeptOpen(f)
    return open(f, "rb")


class KeptOpen:
    """A stream of the caller's, which stays open."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        return self.stream

    def __exit__(self, *problem):
        return False


@equivalent("torch.serialization.add_safe_globals")
def add_safe_globals(safe_globals):
    """Classes that torch.load may make with weights_only."""
    SAFE.extend(safe_globals)


@contextmanager
def allowed(classes):
    """A region in which more classes may be made."""
    before = list(SAFE)
    SAFE.extend(classes)
    try:
        yield
    finally:
        SAFE[:] = before


@equivalent("torch.serialization.safe_globals")
def safe_globals(safe_globals):
    """A region in which torch.load may make these classes with weights_only."""
    return allowed(safe_globals)
