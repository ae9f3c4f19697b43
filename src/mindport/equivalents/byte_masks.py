"""Indices of uint8: PyTorch takes them for masks, as it did before it had bool tensors; MindSpore raises.

https://docs.pytorch.org/docs/2.13/tensor_view.html; measured in PyNative, compiled graphs index by themselves.
"""

import mindspore as ms
from mindspore import Tensor

from mindport.equivalents.indexing_steps import index_through


def as_mask(index):
    """An index whose uint8 tensors are masks; any other index as it is."""
    if isinstance(index, tuple):
        return tuple(as_mask(item) for item in index)
    return index.astype(ms.bool_) if isinstance(index, Tensor) and index.ndim and index.dtype == ms.uint8 else index


def take_by_bytes(tensor, index, plain):
    """``tensor[index]`` with uint8 tensors for masks."""
    return plain(tensor, as_mask(index))


def put_by_bytes(tensor, index, value, plain):
    """``tensor[index] = value`` with uint8 tensors for masks."""
    return plain(tensor, as_mask(index), value)


BYTES_ARE_MASKS = index_through("bytes", take_by_bytes, put_by_bytes)
