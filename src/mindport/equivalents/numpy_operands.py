"""NumPy's numbers and arrays beside tensors: what PyTorch's indices, operators and arguments take, and MindSpore's do not."""

import numpy as np
from mindspore import Tensor

from mindport.equivalents.indexing_steps import index_through


def as_index(index):
    """An index made of NumPy's numbers and arrays as MindSpore's tensors take it; any other index as it is."""
    if isinstance(index, np.ndarray):
        return Tensor(index) if index.ndim else index.item()
    if isinstance(index, np.generic):
        return index.item()
    if isinstance(index, slice):
        return slice(as_index(index.start), as_index(index.stop), as_index(index.step))
    if isinstance(index, (tuple, list)):
        return type(index)([as_index(part) for part in index])
    return index


def as_operand(value):
    """An array as a tensor that shares nothing with it, a number of NumPy's as Python's; any other value as it is.

    MindSpore's tensors raise TypeError beside an array, and compare as unequal to it and to NumPy's numbers.
    """
    return Tensor(value) if isinstance(value, np.ndarray) else as_number(value)


def as_python(value):
    """NumPy's numbers and tensors of one number as Python's, also within sequences and mappings, and arrays as lists of them; any other value as it is.

    Lists become tuples: some of MindSpore's functions take nothing else (`ops.tile`).
    """
    if isinstance(value, (np.generic, np.ndarray, Tensor)):
        found = value.tolist()
        return tuple(found) if isinstance(found, list) else found
    if isinstance(value, dict):
        return {key: as_python(part) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return tuple(as_python(part) for part in value)
    return value


def as_number(value):
    """A number of NumPy's as Python's, also within mappings; arrays, tensors and any other value as they are."""
    if isinstance(value, dict):
        return {key: as_number(part) for key, part in value.items()}
    return value.item() if isinstance(value, np.generic) else value


def give_way():
    """NumPy's numbers on the left of an operator leave it to the tensor, as they do beside PyTorch's tensors.

    By default they make an array of MindSpore's tensor: the result is no tensor, and has no gradient.
    """
    Tensor.__array_priority__ = 1000
    return True


NUMPY_GIVES_WAY = give_way()


def compare_arrays():
    """``tensor == value`` and ``!=`` beside NumPy's numbers and arrays compare elements, as beside PyTorch's tensors.

    By default they are one False and one True.
    """
    plain = {"__eq__": Tensor.__eq__, "__ne__": Tensor.__ne__}
    Tensor.__eq__ = lambda self, other: plain["__eq__"](self, as_operand(other))
    Tensor.__ne__ = lambda self, other: plain["__ne__"](self, as_operand(other))
    return True


COMPARES_ARRAYS = compare_arrays()


def beside_arrays(plain, name):
    """An operator of tensors, by its method's name, that computes with an array on the right as NumPy does."""

    def computed(self, other):
        return Tensor(getattr(self.asnumpy(), name)(other)) if isinstance(other, np.ndarray) else plain(self, other)

    return computed


def compute_with_arrays():
    """``tensor * array`` and its like are tensors of what NumPy computes, as PyTorch's are: of float32 and int64 float64.

    By default they raise TypeError.
    """
    for name in ("__add__", "__sub__", "__mul__", "__truediv__", "__floordiv__", "__mod__", "__pow__", "__matmul__"):
        setattr(Tensor, name, beside_arrays(getattr(Tensor, name), name))
    return True


COMPUTES_WITH_ARRAYS = compute_with_arrays()


def holds_numpy(index):
    """Whether an index holds something of NumPy's."""
    if isinstance(index, (tuple, list)):
        return any(holds_numpy(part) for part in index)
    if isinstance(index, slice):
        return holds_numpy((index.start, index.stop, index.step))
    return isinstance(index, (np.ndarray, np.generic))


def take_by_arrays(tensor, index, plain):
    """``tensor[index]`` with NumPy's arrays and numbers among the indices, which by default raise."""
    return plain(tensor, as_index(index) if holds_numpy(index) else index)


def put_by_arrays(tensor, index, value, plain):
    """``tensor[index] = value`` with NumPy's arrays and numbers among the indices, or as the value."""
    return plain(tensor, as_index(index) if holds_numpy(index) else index, as_index(value))


TAKES_ARRAYS = index_through("arrays", take_by_arrays, put_by_arrays)
