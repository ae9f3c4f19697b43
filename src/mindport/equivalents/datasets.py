"""Data sets: torch.utils.data's map-style and iterable-style classes, in plain Python.

https://docs.pytorch.org/docs/2.13/data.html#dataset-types
"""

import bisect
import math

import mindspore as ms
import numpy as np
from mindspore import Tensor

from mindport.declare import equivalent, layer
from mindport.equivalents.generators import default_generator


@layer("torch.utils.data.Dataset")
class Dataset:
    """Base of data sets with ``__getitem__`` and, usually, ``__len__``."""

    def __class_getitem__(cls, item):
        return cls

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} defines no __getitem__")

    def __add__(self, other):
        return ConcatDataset([self, other])


@layer("torch.utils.data.IterableDataset")
class IterableDataset(Dataset):
    """Base of data sets that are only iterated."""

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} defines no __iter__")

    def __add__(self, other):
        return ChainDataset([self, other])


def rows_of(tensor, index):
    """Rows of a tensor, taken on the host: MindSpore's own indexing costs half a millisecond each time."""
    if not isinstance(index, (int, slice, list, np.integer, np.ndarray)) or tensor.dtype == ms.bfloat16:
        return tensor[index]
    return Tensor(np.asarray(tensor.asnumpy()[index]))


@layer("torch.utils.data.TensorDataset")
class TensorDataset(Dataset):
    """The rows of tensors that are equally long, as tuples."""

    def __init__(self, *tensors):
        if any(tensor.shape[0] != tensors[0].shape[0] for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(rows_of(tensor, index) for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].shape[0]


@layer("torch.utils.data.StackDataset")
class StackDataset(Dataset):
    """Items of several data sets side by side: tuples, or dicts where they were named."""

    def __init__(self, *args, **kwargs):
        if args and kwargs:
            raise ValueError("Supported either ``tuple``- (via ``args``) or ``dict``- (via ``kwargs``) like input/output, but both types are given.")
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets = args if args else kwargs
        parts = args if args else list(kwargs.values())
        self._length = len(parts[0])
        if any(len(part) != self._length for part in parts):
            raise ValueError("Size mismatch between datasets")

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: part[index] for name, part in self.datasets.items()}
        return tuple(part[index] for part in self.datasets)

    def __len__(self):
        return self._length


@layer("torch.utils.data.ConcatDataset")
class ConcatDataset(Dataset):
    """Data sets one after the other."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        self.cumulative_sizes = []
        for part in self.datasets:
            if isinstance(part, IterableDataset):
                raise AssertionError("ConcatDataset does not support IterableDataset")
            self.cumulative_sizes.append(len(part) + (self.cumulative_sizes[-1] if self.cumulative_sizes else 0))

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        which = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[which][idx - (self.cumulative_sizes[which - 1] if which else 0)]

    def __len__(self):
        return self.cumulative_sizes[-1]


@layer("torch.utils.data.ChainDataset")
class ChainDataset(IterableDataset):
    """Iterable data sets one after the other."""

    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for part in self.datasets:
            yield from part

    def __len__(self):
        return sum(len(part) for part in self.datasets)


@layer("torch.utils.data.Subset")
class Subset(Dataset):
    """The items of a data set at the given places."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __len__(self):
        return len(self.indices)


@equivalent("torch.utils.data.random_split", "torch.utils.data.dataset.random_split")
def random_split(dataset, lengths, generator=None):
    """Subsets of the given lengths (or fractions that sum to 1) that share no item; torch's own for torch's seeds.

    https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.random_split
    """
    count = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        if any(part < 0 or part > 1 for part in lengths):
            raise ValueError("each fraction lies between 0 and 1")
        sizes = [math.floor(count * part) for part in lengths]
        for i in range(count - sum(sizes)):
            sizes[i % len(sizes)] += 1
        lengths = sizes
    if sum(lengths) != count:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = (default_generator if generator is None else generator).permutation(count)
    ends = [sum(lengths[: i + 1]) for i in range(len(lengths))]
    return [Subset(dataset, order[end - size : end]) for end, size in zip(ends, lengths)]
