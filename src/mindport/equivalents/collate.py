"""Batches out of items: torch.utils.data.default_collate and default_convert.

https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.default_collate
"""

import collections
import copy

import numpy as np
from mindspore import Tensor

from mindport.declare import equivalent


def refilled(like, items):
    """A collection of `like`'s type that holds `items` (a dict's by key); a plain one where its type cannot be made so."""
    try:
        if isinstance(like, collections.abc.MutableMapping):
            clone = copy.copy(like)
            clone.update(items)
            return clone
        if isinstance(like, collections.abc.MutableSequence):
            clone = copy.copy(like)
            for i, item in enumerate(items):
                clone[i] = item
            return clone
        return type(like)(items)
    except TypeError:
        return items


def stacked(arrays):
    """One tensor of equally shaped arrays, in their dtype."""
    if any(array.shape != arrays[0].shape for array in arrays):
        shapes = ", ".join(str(list(shape)) for shape in dict.fromkeys(array.shape for array in arrays))
        raise RuntimeError(f"stack expects each tensor to be equal size, but got {shapes}")
    return Tensor(np.stack(arrays))


@equivalent("torch.utils.data.default_collate", "torch.utils.data.dataloader.default_collate", "torch.utils.data._utils.collate.default_collate")
def default_collate(batch):
    """A list of items as one item with a batch axis in front: arrays, tensors and numbers are stacked, strings stay a list.

    Collections are gone through; Python's floats become float64, its integers int64.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        batch[-1].asnumpy()  # waits once, for operators run in order: each wait costs as much as many operators
        found = stacked([item.asnumpy() for item in batch])
        return found if found.dtype == first.dtype else found.astype(first.dtype)
    if isinstance(first, np.ndarray):
        if first.dtype.kind in "SUOMm":
            raise TypeError(f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {first.dtype}")
        return stacked(batch)
    if isinstance(first, (bool, int, float, np.number, np.bool_)):
        numbers = np.asarray(batch)
        if isinstance(first, int) and numbers.dtype == np.float64:
            return Tensor(numbers.astype(np.float32))  # torch takes its default dtype where an integer stands first
        return Tensor(numbers)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, collections.abc.Mapping):
        gathered = {key: default_collate([item[key] for item in batch]) for key in first}
        return refilled(first, gathered)
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(column) for column in zip(*batch)))
    if isinstance(first, collections.abc.Sequence):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = [default_collate(column) for column in zip(*batch)]
        return columns if isinstance(first, tuple) else refilled(first, columns)
    raise TypeError(f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}")


@equivalent("torch.utils.data.default_convert", "torch.utils.data._utils.collate.default_convert")
def default_convert(data):
    """One item whose arrays are tensors; collections are gone through, everything else stays."""
    if isinstance(data, (np.ndarray, np.number, np.bool_)):
        if data.dtype.kind in "SUOMm":
            return data
        return Tensor(data)
    if isinstance(data, collections.abc.Mapping):
        return refilled(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(item) for item in data))
    if isinstance(data, tuple):
        return [default_convert(item) for item in data]
    if isinstance(data, collections.abc.Sequence) and not isinstance(data, (str, bytes)):
        return refilled(data, [default_convert(item) for item in data])
    return data
