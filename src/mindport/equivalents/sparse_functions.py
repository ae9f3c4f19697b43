"""What makes sparse tensors, what they are made of, and functions that take them: `sparse_tensors.SparseTensor` with torch's names.

https://docs.pytorch.org/docs/2.13/sparse.html
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, constant, difference, equivalent
from mindport.equivalents.linalg import matmul, mm, mv
from mindport.equivalents.reduction import torch_sum
from mindport.equivalents.sparse_tensors import SparseTensor, segment_sum

HERE = {"device": "MindSpore has one device for all", "check_invariants": "nothing is checked", "pin_memory": "the memory is MindSpore's"}

OTHERS = [difference(
    "an operator whose left operand is dense raises: put the sparse tensor to the left, or call to_dense()",
    risk="loud", zh="左操作数为稠密张量的运算会报错：把稀疏张量放在左侧，或先调用 to_dense()",
)]

#: What `torch.Tensor` means where a project asks for a tensor's class.
TENSORS = (Tensor, SparseTensor)

constant("torch.Tensor_or_sparse", TENSORS)


def as_tensor(data, dtype=None):
    """Data as a tensor; a tensor keeps its gradient."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.astype(dtype)
    values = np.array([each.asnumpy() if isinstance(each, Tensor) else each for each in data]) if isinstance(data, (list, tuple)) else np.asarray(data)
    if dtype is None and not isinstance(data, np.ndarray):
        dtype = ms.float32 if values.dtype.kind == "f" else ms.int64 if values.dtype.kind in "iu" else None
    return Tensor(values, dtype)


@equivalent("torch.sparse_coo_tensor", drops=HERE, differs=OTHERS)
def sparse_coo_tensor(
    indices, values=None, size=None, *, dtype=None, device=None, pin_memory=False, requires_grad=False, check_invariants=None, is_coalesced=None,
):
    """A sparse tensor of places (sparse axes, elements) and values. https://docs.pytorch.org/docs/2.13/generated/torch.sparse_coo_tensor.html"""
    if requires_grad:
        raise Refused("requires_grad=True: make the values a Parameter and the sparse tensor of them where it is used")
    if values is None:
        kind = ms.float32 if dtype is None else dtype
        return SparseTensor(ops.zeros((len(indices), 0), ms.int64), ops.zeros((0,), kind), indices, True)
    places, entries = as_tensor(indices, ms.int64), as_tensor(values, dtype)
    if size is None:
        size = [int(row.max()) + 1 for row in places.asnumpy()] + list(entries.shape[1:])
    return SparseTensor(places, entries, size, bool(is_coalesced))


@equivalent("torch.sparse_csr_tensor", drops=HERE, differs=OTHERS)
def sparse_csr_tensor(crow_indices, col_indices, values, size=None, *, dtype=None, device=None, pin_memory=False, requires_grad=False, check_invariants=None):
    """A sparse matrix of row ends, columns and values. https://docs.pytorch.org/docs/2.13/generated/torch.sparse_csr_tensor.html"""
    if requires_grad:
        raise Refused("requires_grad=True: make the values a Parameter and the sparse tensor of them where it is used")
    ends, columns, entries = as_tensor(crow_indices, ms.int64).asnumpy(), as_tensor(col_indices, ms.int64), as_tensor(values, dtype)
    if ends.ndim != 1:
        raise Refused("batches of CSR matrices: keep a list of matrices")
    if size is None:
        size = (len(ends) - 1, int(columns.max()) + 1)
    rows = Tensor(np.repeat(np.arange(len(ends) - 1), np.diff(ends)), ms.int64)
    return SparseTensor(ops.stack((rows, columns)), entries, size, True, "csr")


def legacy(dtype, arguments):
    """The constructors of torch.sparse named after a dtype: places, values and sizes, or sizes alone."""
    if arguments and isinstance(arguments[0], Tensor):
        return sparse_coo_tensor(arguments[0], as_tensor(arguments[1], dtype), *arguments[2:])
    return sparse_coo_tensor(arguments[0] if arguments and isinstance(arguments[0], (tuple, list)) else arguments, dtype=dtype)


@equivalent("torch.sparse.FloatTensor", "torch.cuda.sparse.FloatTensor", drops={"device": "MindSpore has one device for all"})
def sparse_float_tensor(*data, device=None):
    """float32: places, values and sizes, or sizes alone."""
    return legacy(ms.float32, data)


@equivalent("torch.sparse.DoubleTensor", "torch.cuda.sparse.DoubleTensor", drops={"device": "MindSpore has one device for all"})
def sparse_double_tensor(*data, device=None):
    """float64: places, values and sizes, or sizes alone."""
    return legacy(ms.float64, data)


@equivalent("torch.sparse.LongTensor", "torch.cuda.sparse.LongTensor", drops={"device": "MindSpore has one device for all"})
def sparse_long_tensor(*data, device=None):
    """int64: places, values and sizes, or sizes alone."""
    return legacy(ms.int64, data)


def sparsely(dense, count):
    """The sparse tensor of what is not zero; the first `count` axes are sparse ones."""
    values = dense.asnumpy()
    held = values.reshape(values.shape[:count] + (-1,)).any(axis=-1) if count < values.ndim else values != 0
    flat = np.flatnonzero(held)
    places = np.stack(np.unravel_index(flat, held.shape))
    rows = dense.reshape((-1,) + dense.shape[count:])
    entries = ops.gather(rows, Tensor(flat, ms.int64), 0) if len(flat) else ops.zeros((0,) + dense.shape[count:], dense.dtype)
    return SparseTensor(Tensor(places, ms.int64), entries, dense.shape, True)


@equivalent("torch.Tensor.to_sparse", "torch.Tensor.to_sparse_coo")
def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    """The sparse tensor of what is not zero. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.to_sparse.html"""
    if layout is not None or blocksize is not None or dense_dim is not None:
        raise Refused("layout=, blocksize= and dense_dim=: only the COO format was converted here; to_sparse_csr() is the other one")
    if isinstance(self, SparseTensor):
        return SparseTensor(self.places, self.entries, self.shape, self.coalesced)
    return sparsely(self, self.ndim if sparse_dim is None else sparse_dim)


@equivalent("torch.Tensor.to_sparse_csr")
def to_sparse_csr(self, dense_dim=None):
    """The CSR matrix of what is not zero. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.to_sparse_csr.html"""
    if dense_dim is not None:
        raise Refused("dense_dim=: matrices of numbers alone were converted")
    one = self.coalesce() if isinstance(self, SparseTensor) else sparsely(self, 2)
    return SparseTensor(one.places, one.entries, one.shape, True, "csr")


def densely(tensor, dtype):
    """All elements of a sparse tensor, or of a dense one."""
    if isinstance(tensor, SparseTensor):
        return tensor.to_dense(dtype)
    return tensor if dtype is None else tensor.astype(dtype)


@equivalent("torch.Tensor.to_dense", drops={"masked_grad": "the gradient reaches the values that are held"})
def to_dense(self, dtype=None, *, masked_grad=True):
    """All elements; a dense tensor is its own. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.to_dense.html"""
    return densely(self, dtype)


@equivalent("torch.Tensor.coalesce")
def coalesce(self):
    """Sorted places, none twice. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.coalesce.html"""
    return self.coalesce()


@equivalent("torch.Tensor.is_coalesced")
def is_coalesced(self):
    """Whether the places are sorted and none stands twice."""
    return self.is_coalesced()


@equivalent("torch.Tensor.indices")
def indices(self):
    """The places of a coalesced tensor, (sparse axes, elements)."""
    return self.indices()


@equivalent("torch.Tensor.values")
def values(self):
    """The values of a coalesced tensor, (elements, dense axes)."""
    return self.values()


@equivalent("torch.Tensor.sparse_dim")
def sparse_dim(self):
    """The number of sparse axes."""
    return self.sparse_dim()


@equivalent("torch.Tensor.dense_dim")
def dense_dim(self):
    """The number of dense axes."""
    return self.dense_dim()


@equivalent("torch.Tensor.crow_indices")
def crow_indices(self):
    """Where each row's elements begin, and their number; int64."""
    return self.crow_indices()


@equivalent("torch.Tensor.col_indices")
def col_indices(self):
    """Each element's column."""
    return self.col_indices()


@equivalent("torch.Tensor.sparse_mask")
def sparse_mask(self, mask):
    """A dense tensor's elements where a sparse one has some. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.sparse_mask.html"""
    if isinstance(self, SparseTensor):
        raise Refused("sparse_mask of a sparse tensor: call to_dense() before it")
    return mask.with_entries(self[tuple(mask.places)])


@equivalent("torch.mm_or_sparse", "torch.spmm", "torch.dsmm")
def mm_or_sparse(input, mat2, *, out=None):
    """The product of two matrices, of which one or both may be sparse. https://docs.pytorch.org/docs/2.13/generated/torch.mm.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return input @ mat2 if isinstance(input, SparseTensor) else mat2.__rmatmul__(input) if isinstance(mat2, SparseTensor) else mm(input, mat2)


@equivalent("torch.matmul_or_sparse")
def matmul_or_sparse(input, other, *, out=None):
    """The product, of which one matrix may be sparse. https://docs.pytorch.org/docs/2.13/generated/torch.matmul.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return input @ other if isinstance(input, SparseTensor) else other.__rmatmul__(input) if isinstance(other, SparseTensor) else matmul(input, other)


@equivalent("torch.mv_or_sparse")
def mv_or_sparse(input, vec, *, out=None):
    """The product of a matrix, which may be sparse, and a vector. https://docs.pytorch.org/docs/2.13/generated/torch.mv.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return input @ vec if isinstance(input, SparseTensor) else mv(input, vec)


@equivalent("torch.sum_or_sparse")
def sum_or_sparse(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """The sum, of a tensor that may be sparse. https://docs.pytorch.org/docs/2.13/generated/torch.sum.html"""
    if not isinstance(input, SparseTensor):
        return torch_sum(input, dim, keepdim, dtype=dtype, out=out)
    if keepdim or out is not None:
        raise Refused("keepdim=True and out= of a sparse tensor: call to_dense() before it")
    return sparse_sum(input, dim, dtype)


@equivalent("torch.transpose_or_sparse")
def transpose_or_sparse(input, dim0, dim1):
    """Two axes exchanged, of a tensor that may be sparse. https://docs.pytorch.org/docs/2.13/generated/torch.transpose.html"""
    return input.swapaxes(dim0, dim1)


#: Sparse buffers are attributes: a cell's own buffers are tensors of MindSpore's.
ATTRIBUTE = [difference(
    "a buffer that is a sparse tensor is no entry of state_dict() and of buffers(), and is passed over when loading",
    risk="loud", zh="作为缓冲区的稀疏张量不在 state_dict() 与 buffers() 之中，加载时会被跳过",
)]


@equivalent("torch.nn.Module.register_buffer_or_sparse", differs=ATTRIBUTE)
def register_buffer_or_sparse(self, name, tensor, persistent=True):
    """Makes a tensor, which may be sparse, an attribute of the cell. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html#torch.nn.Module.register_buffer"""
    if isinstance(tensor, SparseTensor):
        setattr(self, name, tensor)
    else:
        self.register_buffer(name, tensor, persistent=persistent)


@equivalent("torch.is_tensor_or_sparse")
def is_tensor_or_sparse(obj):
    """Whether it is a tensor, dense or sparse. https://docs.pytorch.org/docs/2.13/generated/torch.is_tensor.html"""
    return isinstance(obj, TENSORS)


@equivalent("torch.sparse.mm")
def sparse_mm(mat1, mat2, reduce=None):
    """The product of two matrices, one or both sparse. https://docs.pytorch.org/docs/2.13/generated/torch.sparse.mm.html"""
    if reduce not in (None, "sum"):
        raise Refused("reduce= other than 'sum': gather the rows and use scatter_reduce")
    return mm_or_sparse(mat1, mat2)


@equivalent("torch.sparse.addmm")
def sparse_addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    """beta · mat + alpha · mat1 @ mat2, mat1 sparse. https://docs.pytorch.org/docs/2.13/generated/torch.sparse.addmm.html"""
    return beta * mat + alpha * (mat1 @ mat2)


@equivalent("torch.sparse.sum")
def sparse_sum(input, dim=None, dtype=None):
    """Of all elements, or a sparse tensor of sums. https://docs.pytorch.org/docs/2.13/generated/torch.sparse.sum.html"""
    return (input if dtype is None else input.astype(dtype)).sum(dim)


@equivalent("torch.sparse.softmax")
def sparse_softmax(input, dim, *, dtype=None):
    """Softmax of the elements that are held, along an axis of a matrix: what is not held counts as minus infinity.

    https://docs.pytorch.org/docs/2.13/generated/torch.sparse.softmax.html
    """
    one, shifted, totals = exponents(input, dim, dtype)
    return one.with_entries(ops.exp(shifted) / totals)


@equivalent("torch.sparse.log_softmax")
def sparse_log_softmax(input, dim, *, dtype=None):
    """The logarithm of `torch.sparse.softmax`. https://docs.pytorch.org/docs/2.13/generated/torch.sparse.log_softmax.html"""
    one, shifted, totals = exponents(input, dim, dtype)
    return one.with_entries(shifted - ops.log(totals))


def exponents(input, dim, dtype):
    """The coalesced matrix, its values less the largest of their row or column, and the sum of the exponentials there, each of (elements,)."""
    one = (input if dtype is None else input.astype(dtype)).coalesce()
    segments = other_axis(one, dim)
    if not one.entries.shape[0]:
        return one, one.entries, one.entries
    shifted = one.entries - ops.stop_gradient(largest(one, segments))
    return one, shifted, ops.gather(segment_sum(ops.exp(shifted), segments, int(segments.max()) + 1), segments, 0)


def other_axis(matrix, dim):
    """The number of the row or column in which each element is normalised."""
    if matrix.ndim != 2 or matrix.sparse_dim() != 2:
        raise Refused("softmax of sparse tensors was converted for matrices: call to_dense() before it")
    return matrix.places[1 - dim % 2]


def largest(matrix, segments):
    """For each element the largest one of its row or column."""
    numbers, held = segments.asnumpy(), matrix.entries.asnumpy()
    peaks = np.full(int(numbers.max()) + 1 if len(numbers) else 0, -np.inf, held.dtype)
    np.maximum.at(peaks, numbers, held)
    return Tensor(peaks[numbers])
