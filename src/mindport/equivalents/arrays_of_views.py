"""Arrays on the memory of tensors that are views: MindSpore's `asnumpy` shares a whole tensor's memory and copies a view's (2.10.0, measured in PyNative)."""

import numpy as np
from mindspore import ops


class Memory:
    """A tensor's elements where they are, as NumPy asks for them; it keeps the tensor as long as an array stands on them."""

    def __init__(self, tensor, array):
        self.tensor = tensor
        strides = tuple(step * array.itemsize for step in tensor.stride())
        self.__array_interface__ = {"shape": array.shape, "strides": strides, "typestr": array.dtype.str, "data": (tensor.data_ptr(), False), "version": 3}


def shares_memory():
    """Whether arrays stand on the memory that operators compute on; in MindSpore 2.7 that is another one."""
    made = ops.ones(1) * 2
    return made.asnumpy().ctypes.data == made.data_ptr()


def array_of(tensor):
    """`tensor.numpy()` where the array is changed in place: on the same memory, of a view, too."""
    array = tensor.asnumpy()
    if not array.size or (tensor.storage_offset() == 0 and not shares_memory()):
        return array
    if array.ctypes.data == tensor.data_ptr():
        return array
    if not shares_memory():
        raise RuntimeError("in this version of MindSpore an array of a view is a copy: change the tensor itself")
    return np.asarray(Memory(tensor, array))
