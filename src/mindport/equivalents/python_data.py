"""Tensors of Python's containers: lists that hold NumPy's numbers, arrays or tensors, ranges and queues.

MindSpore makes float32 and int64 of all lists, takes lists and tuples alone, and keeps the axes of tensors in them.
torch gives the dtype that the elements have together, and takes a tensor of one element as a number.
https://docs.pytorch.org/docs/2.13/generated/torch.tensor.html
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor

PYTHON_TYPES = {bool: np.bool_, int: np.int64, float: np.float32, complex: np.complex64}


def holds_numbers(data):
    """Whether data is a list or tuple of Python's own numbers, nested or not: there MindSpore's dtype is torch's."""
    return isinstance(data, (list, tuple)) and all(
        holds_numbers(item) if isinstance(item, (list, tuple)) else type(item) in (bool, int, float) for item in data
    )


def seen_list(value):
    """Whether a value is a list. As a guard it holds only where conversion sees a list, or one beside what other callers give: what nothing is known of is
    passed on, and MindSpore itself says that it takes no list."""
    return isinstance(value, list)


def seen_int(value):
    """Whether a value is 0, 1, another int or None in the place of a truth value. As a guard it holds only where conversion sees it."""
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def seen_bool(value):
    """Whether a value is a truth value. As a guard it holds only where conversion sees it."""
    return isinstance(value, bool)


def seen_float(value):
    """Whether a value is a Python float. As a guard it holds only where conversion sees it."""
    return isinstance(value, float)


def seen_tensor(value):
    """Whether a value is a tensor. As a guard it holds only where conversion sees it."""
    return isinstance(value, Tensor)


def seen_whole(dtype):
    """Whether a dtype is one of whole numbers. As a guard it holds only where conversion sees it."""
    return dtype in (ms.int64, ms.int32, ms.int16, ms.int8, ms.uint8)


def seen_complex(dtype):
    """Whether a dtype is complex. As a guard it holds only where conversion sees it."""
    return dtype in (ms.complex64, ms.complex128)


def seen_dtype(tensor, *dtypes):
    """Whether a tensor has one of these dtypes. As a guard it holds only where conversion sees the dtype: what it chooses is right of all others, too."""
    return tensor.dtype in dtypes


def seen_axes(tensor, count):
    """Whether a tensor has so many axes. As a guard it holds only where conversion sees it: a vendored function asks."""
    return tensor.ndim == count


def counts_alike(start, end, step):
    """Whether a range of numbers has as many elements in float32 as in double precision: it does not end at a multiple of its step."""
    count = (end - start) / step
    return abs(count - round(count)) > 1e-4 or all(float(part).is_integer() for part in (start, end, step))


def with_axes(size):
    """Whether a shape is a number or has axes: the empty shape needs its dtype said, for `ops.ones(())` does not run on CPU.
    As a guard it holds only where conversion sees axes."""
    return isinstance(size, int) or len(size) > 0


def each_axis(rank, *sizes):
    """Sizes as tuples, one element for every axis; numbers stay."""
    found = [tuple(size) if isinstance(size, (list, tuple)) else size for size in sizes]
    return [size * rank if isinstance(size, tuple) and len(size) == 1 else size for size in found]


def numbers_in(data):
    """The same nesting in lists, tensors of one element as NumPy's numbers."""
    if isinstance(data, Tensor):
        if data.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return data.asnumpy().reshape(-1)[0]
    if isinstance(data, (int, float, complex, str, bytes, np.generic, np.ndarray)):
        return data
    return [numbers_in(item) for item in data]


def element_types(data):
    """The dtypes of all elements of nested lists."""
    if isinstance(data, list):
        return {kind for item in data for kind in element_types(item)}
    if isinstance(data, (np.generic, np.ndarray)):
        return {data.dtype.type}
    return {PYTHON_TYPES[type(data)]}


def common_type(kinds):
    """torch's common dtype: integers beside floats leave the floats' dtype as it is."""
    for family in (np.complexfloating, np.floating):
        among = [kind for kind in kinds if issubclass(kind, family)]
        if among:
            return np.result_type(*among)
    return np.result_type(*kinds) if kinds else np.float32


def of_elements(data, dtype=None):
    """A tensor of numbers, an array, a tensor, or a container of them."""
    if isinstance(data, (Tensor, np.ndarray, np.generic, int, float, complex)):
        return ms.tensor(data, dtype=ms.complex64 if dtype is None and type(data) is complex else dtype)
    numbers = numbers_in(data)
    return ms.tensor(np.array(numbers, dtype=common_type(element_types(numbers))), dtype=dtype)
