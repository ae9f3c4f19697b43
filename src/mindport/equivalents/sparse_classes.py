"""`torch.sparse.FloatTensor` and its like as classes: compared, handed on, and asked for by `isinstance`.

Called where they are named, they are the functions of `sparse_functions`. https://docs.pytorch.org/docs/2.13/sparse.html
"""

import mindspore as ms

from mindport.declare import constant, difference
from mindport.equivalents.sparse_functions import legacy
from mindport.equivalents.sparse_tensors import SparseTensor


class SparseClass(type):
    """The kind of `SparseFloatTensor` and its like: a call makes a sparse tensor, and instances are the sparse tensors of its dtype."""

    def __call__(cls, *data, device=None):
        return legacy(cls.dtype, data)

    def __instancecheck__(cls, instance):
        return isinstance(instance, SparseTensor) and instance.dtype == cls.dtype


class SparseFloatTensor(metaclass=SparseClass):
    """Sparse and float32, as a class."""

    dtype = ms.float32


class SparseDoubleTensor(metaclass=SparseClass):
    """Sparse and float64, as a class."""

    dtype = ms.float64


class SparseLongTensor(metaclass=SparseClass):
    """Sparse and int64, as a class."""

    dtype = ms.int64


ONE_MEMORY = difference(
    "every sparse tensor of the dtype is an instance, wherever it lies: in torch those of the CPU are not", zh="该数据类型的所有稀疏张量都会被判断为该类型，不论所在设备"
)
constant("torch.sparse.FloatTensor", SparseFloatTensor)
constant("torch.cuda.sparse.FloatTensor", SparseFloatTensor, differs=[ONE_MEMORY])
constant("torch.sparse.DoubleTensor", SparseDoubleTensor)
constant("torch.cuda.sparse.DoubleTensor", SparseDoubleTensor, differs=[ONE_MEMORY])
constant("torch.sparse.LongTensor", SparseLongTensor)
constant("torch.cuda.sparse.LongTensor", SparseLongTensor, differs=[ONE_MEMORY])
