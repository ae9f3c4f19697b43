"""Carries values from torch to MindSpore and results back. Imports both: inside workers only."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import torch

#: torch values that have no counterpart: an equivalent gets their text ("cpu", "contiguous_format").
_AS_TEXT = (torch.device, torch.memory_format, torch.layout)


class NoCounterpart(TypeError):
    """A torch value that cannot be given to MindSpore, such as a generator or a sparse tensor."""


def dtype_to_mindspore(dtype: torch.dtype) -> Any:
    """The MindSpore dtype of the same name; NoCounterpart where there is none (float8, bits)."""
    name = str(dtype).removeprefix("torch.")
    found = getattr(ms, "bool_" if name == "bool" else name, None)
    if found is None:
        raise NoCounterpart(f"MindSpore has no {dtype}")
    return found


def dtype_to_torch(dtype: Any) -> torch.dtype:
    """The torch dtype of a MindSpore one, found by name (Float32, BFloat16, Bool)."""
    found = getattr(torch, str(dtype).lower().replace("bool_", "bool"))
    assert isinstance(found, torch.dtype)
    return found


def tensor_to_mindspore(tensor: torch.Tensor, *, layout: str = "") -> Any:
    """A MindSpore tensor with a copy of the values. `layout`: how they lie in memory; see `laid_out`."""
    if tensor.layout != torch.strided or tensor.is_quantized:
        raise NoCounterpart(f"MindSpore's Tensor has no layout {tensor.layout}")
    plain = tensor.detach().resolve_conj().resolve_neg()
    dtype = dtype_to_mindspore(tensor.dtype)
    if layout and plain.dim() and plain.numel():
        return laid_out(plain, layout)
    if tensor.dtype == torch.bfloat16:
        return ms.Tensor(np.array(plain.float().numpy(), copy=True)).astype(dtype)
    return ms.Tensor(np.array(plain.numpy(), copy=True), dtype)


def laid_out(tensor: torch.Tensor, layout: str) -> Any:
    """A MindSpore tensor whose memory is not in the order of its elements.

    `strided`: its axes are in another order; `stepped`: every second element of a row; `narrowed`: it begins in the
    middle of another tensor; `expanded`: one row stands for all (they are equal in the sample).
    """
    if layout == "strided":
        return tensor_to_mindspore(tensor.transpose(0, -1).contiguous()).swapaxes(0, -1) if tensor.dim() > 1 else tensor_to_mindspore(tensor)
    if layout == "stepped":
        return tensor_to_mindspore(tensor.repeat_interleave(2, -1))[..., ::2]
    if layout == "narrowed":
        return tensor_to_mindspore(torch.cat((tensor, tensor)))[tensor.shape[0] :]
    assert layout == "expanded", layout
    return tensor_to_mindspore(tensor[:1].contiguous()).broadcast_to(tuple(tensor.shape))


def to_mindspore(value: Any, *, layout: str = "") -> Any:
    """The same value for MindSpore: tensors, dtypes, sizes, and these in tuples, lists, dicts and slices."""
    match value:
        case torch.nn.Parameter():
            return ms.Parameter(tensor_to_mindspore(value), requires_grad=value.requires_grad)
        case torch.Tensor():
            return tensor_to_mindspore(value, layout=layout)
        case torch.dtype():
            return dtype_to_mindspore(value)
        case torch.Size():
            return tuple(value)
        case torch.Generator():
            raise NoCounterpart("MindSpore has no generator objects")
        case tuple() if hasattr(value, "_fields"):
            return tuple(to_mindspore(item, layout=layout) for item in value)
        case tuple() | list():
            return type(value)(to_mindspore(item, layout=layout) for item in value)
        case dict():
            return {key: to_mindspore(item, layout=layout) for key, item in value.items()}
        case slice():
            return slice(*(to_mindspore(part) for part in (value.start, value.stop, value.step)))
        case _ if isinstance(value, _AS_TEXT):
            return str(value).removeprefix("torch.")
        case torch.nn.Module():
            raise NoCounterpart("a module is built on both sides, not carried")
    return value


def tensor_to_torch(tensor: Any) -> torch.Tensor:
    """A torch tensor with a copy of the values of a MindSpore one."""
    dtype = dtype_to_torch(tensor.dtype)
    if dtype == torch.bfloat16:
        return torch.from_numpy(np.array(tensor.astype(ms.float32).asnumpy())).to(dtype)
    return torch.from_numpy(np.array(tensor.asnumpy(), copy=True)).to(dtype)


def is_dtype(value: Any) -> bool:
    """Is it a MindSpore dtype?"""
    return isinstance(value, type(ms.float32)) or type(value).__module__.startswith("mindspore") and str(value) in _DTYPES


_DTYPES = frozenset(str(dtype_to_mindspore(getattr(torch, n))) for n in (
    "float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", "complex64", "complex128",
))  # fmt: skip
