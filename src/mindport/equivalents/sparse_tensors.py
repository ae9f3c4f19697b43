"""Sparse tensors: coordinates and values, kept as two tensors, with the products and sums that graph networks use.

MindSpore's `COOTensor` and `CSRTensor` have few operators, another interface and, on CPU, hardly a kernel (docs/differences/sparse.md).
`SparseTensor` has the members of a MindSpore tensor that conversion writes, and computes by gather and scatter, whose gradients
reach values and dense operands on every device. What it lacks raises and names `to_dense()`. https://docs.pytorch.org/docs/2.13/sparse.html
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops


class SparseTensor:
    """A tensor of `shape` that is 0 but at `places` (int64, one row an axis, one column an element) where it has `entries`; places that repeat add up.

    `entries` may have axes of their own, dense ones, behind the sparse axes. `coalesced`: sorted places, none twice.
    """

    is_sparse = True

    def __init__(self, places, entries, shape, coalesced=False, compressed=None):
        self.places, self.entries, self.shape = places, entries, tuple(int(size) for size in shape)
        self.coalesced, self.compressed = coalesced or entries.shape[0] < 2, compressed

    @property
    def dtype(self):
        """The values' dtype."""
        return self.entries.dtype

    @property
    def device(self):
        """Where the values are."""
        return self.entries.device

    @property
    def ndim(self):
        """The number of axes, sparse and dense."""
        return len(self.shape)

    @property
    def size(self):
        """The number of elements, zeros included, as of MindSpore's tensors."""
        return math.prod(self.shape)

    @property
    def requires_grad(self):
        """Whether the values are a parameter that is trained."""
        return getattr(self.entries, "requires_grad", False)

    @property
    def T(self):
        """The transposed matrix."""
        return self.t()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(f"'{name}' of a sparse tensor was not converted: call to_dense() before it")

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, index):
        """The part at whole numbers for sparse axes, a dense tensor where no sparse axis is left; ``x[i, ...]`` is ``x[i]``."""
        found, axis = self, 0
        parts = index if isinstance(index, tuple) else (index,)
        for part in parts[:-1] if parts[-1] is Ellipsis else parts:
            if isinstance(part, slice) and part == slice(None):
                axis += 1
            elif isinstance(part, (int, np.integer)) and isinstance(found, SparseTensor):
                found = found.select(axis, part)
            else:
                raise NotImplementedError("a sparse tensor is indexed by whole numbers for its sparse axes: call to_dense() before other indices")
        return found

    def select(self, dim, index):
        """The part at one place of a sparse axis, without that axis."""
        axis, count = dim % self.ndim, self.places.shape[0]
        if axis >= count:
            raise NotImplementedError("a dense axis of a sparse tensor is not selected from: call to_dense() before it")
        if not -self.shape[axis] <= index < self.shape[axis]:
            raise IndexError(f"select(): index {index} out of range for an axis of size {self.shape[axis]}")
        places, shape = self.places.asnumpy(), self.shape[:axis] + self.shape[axis + 1 :]
        kept = np.flatnonzero(places[axis] == index % self.shape[axis])
        if count == 1:
            return self.entries[Tensor(kept, ms.int64)].sum(0) if len(kept) else ops.zeros(shape, self.dtype)
        others = np.delete(places[:, kept], axis, 0)
        entries = self.entries[Tensor(kept, ms.int64)] if len(kept) else ops.zeros((0, *self.entries.shape[1:]), self.dtype)
        return SparseTensor(Tensor(others, ms.int64), entries, shape, self.coalesced)

    def unsqueeze(self, dim):
        """One more axis, of size 1, a sparse one up to behind the last of these; not coalesced, as in torch."""
        axis, count = dim % (self.ndim + 1), self.places.shape[0]
        shape = (*self.shape[:axis], 1, *self.shape[axis:])
        if axis > count:
            return SparseTensor(self.places, self.entries.unsqueeze(axis - count + 1), shape)
        return SparseTensor(Tensor(np.insert(self.places.asnumpy(), axis, 0, 0), ms.int64), self.entries, shape)

    def __repr__(self):
        return f"SparseTensor(indices={self.places}, values={self.entries}, size={self.shape}, nnz={self.entries.shape[0]})"

    def with_entries(self, entries):
        """Other values at the same places."""
        return SparseTensor(self.places, entries, self.shape, self.coalesced, self.compressed)

    def dim(self):
        """The number of axes, sparse and dense."""
        return self.ndim

    def _nnz(self):
        """How many places have a value."""
        return self.entries.shape[0]

    def _indices(self):
        """The places as they are held, (sparse axes, elements)."""
        return self.places

    def _values(self):
        """The values as they are held, (elements, dense axes)."""
        return self.entries

    def is_coalesced(self):
        """Whether the places are sorted and none stands twice."""
        return self.coalesced

    def sparse_dim(self):
        """The number of sparse axes."""
        return self.places.shape[0]

    def dense_dim(self):
        """The number of dense axes."""
        return self.entries.ndim - 1

    def indices(self):
        """The places, int64 of (sparse axes, elements)."""
        return self.of_coalesced(self.places)

    def values(self):
        """The values, of (elements, dense axes)."""
        return self.entries if self.compressed else self.of_coalesced(self.entries)

    def of_coalesced(self, part):
        """`part`; raises as torch does where places may repeat."""
        if not self.coalesced:
            raise RuntimeError("Cannot get indices or values of an uncoalesced tensor, please call .coalesce() first")
        return part

    def crow_indices(self):
        """Of the CSR format: where each row's elements begin, and their number at the end; int64."""
        counts = np.bincount(self.places[0].asnumpy(), minlength=self.shape[0])
        return Tensor(np.concatenate([[0], np.cumsum(counts)]), ms.int64)

    def col_indices(self):
        """Of the CSR format: the column of each element; int64."""
        return self.places[1]

    def flat(self):
        """Each element's place among all places, counted row by row; int64."""
        sizes = self.shape[: self.places.shape[0]]
        found = self.places[0]
        for axis in range(1, len(sizes)):
            found = found * sizes[axis] + self.places[axis]
        return found

    def coalesce(self):
        """The same tensor with sorted places, values of one place added up."""
        if self.coalesced:
            return self
        flat, inverse = np.unique(self.flat().asnumpy(), return_inverse=True)
        places = np.stack(np.unravel_index(flat, self.shape[: self.places.shape[0]]))
        return SparseTensor(Tensor(places, ms.int64), segment_sum(self.entries, Tensor(inverse, ms.int32), len(flat)), self.shape, True)

    def to_dense(self, dtype=None):
        """All elements, as a dense tensor."""
        sizes = self.shape[: self.places.shape[0]]
        total = segment_sum(self.entries, self.flat(), math.prod(sizes)).reshape(self.shape)
        return total if dtype is None else total.astype(dtype)

    def to_sparse(self, *form):
        """The tensor itself."""
        return self

    def astype(self, dtype):
        """Values of another dtype."""
        return self.with_entries(self.entries.astype(dtype))

    def to(self, *place, **options):
        """Values of another dtype; devices are MindSpore's."""
        dtype = next((given for given in (*place, *options.values()) if isinstance(given, type(ms.float32))), None)
        return self if dtype is None else self.astype(dtype)

    def cuda(self, *place, **options):
        """The tensor itself: MindSpore has one device for all."""
        return self

    def cpu(self):
        """The tensor itself."""
        return self

    def float(self):
        """Values in float32."""
        return self.astype(ms.float32)

    def double(self):
        """Values in float64."""
        return self.astype(ms.float64)

    def half(self):
        """Values in float16."""
        return self.astype(ms.float16)

    def copy(self):
        """Values of their own."""
        return self.with_entries(self.entries.copy())

    def clone(self):
        """Values of their own."""
        return self.copy()

    def detach(self):
        """Values that no gradient reaches."""
        return self.with_entries(ops.stop_gradient(self.entries))

    def transpose(self, *axes):
        """Sparse axes in another order, as MindSpore's `transpose` takes them."""
        axes = axes[0] if axes and isinstance(axes[0], (tuple, list)) else axes
        axes = [axis % self.ndim for axis in axes] or list(range(self.ndim))[::-1]
        count = self.places.shape[0]
        if sorted(axes[:count]) != list(range(count)) or axes[count:] != list(range(count, self.ndim)):
            raise NotImplementedError("dense axes of a sparse tensor stay where they are: call to_dense() before it")
        return SparseTensor(ops.stack([self.places[axis] for axis in axes[:count]]), self.entries, [self.shape[axis] for axis in axes])

    def swapaxes(self, first, second):
        """Two sparse axes exchanged."""
        axes = list(range(self.ndim))
        axes[first], axes[second] = axes[second], axes[first]
        return self.transpose(axes)

    def t(self):
        """The transposed matrix."""
        return self.swapaxes(0, 1)

    def sum(self, axis=None):
        """The sum of all elements, a dense tensor; along sparse axes, a sparse tensor of what is left."""
        if axis is None:
            return self.entries.sum()
        gone = {each % self.ndim for each in ([axis] if isinstance(axis, int) else axis)}
        count = self.places.shape[0]
        kept = [each for each in range(count) if each not in gone]
        if any(each >= count for each in gone):
            raise NotImplementedError("sums along dense axes of a sparse tensor were not converted: call to_dense() before it")
        if not kept:
            return self.entries.sum(axis=0)
        shape = [size for each, size in enumerate(self.shape) if each not in gone]
        return SparseTensor(ops.stack([self.places[each] for each in kept]), self.entries, shape).coalesce()

    def mm(self, other):
        """The product with a dense or a sparse matrix, or with a dense vector."""
        return self @ other

    def matmul(self, other):
        """The product with a dense or a sparse matrix, or with a dense vector."""
        return self @ other

    def mv(self, other):
        """The product with a dense vector."""
        return self @ other

    def mul(self, other):
        """Element by element; as sparse as this tensor."""
        return self * other

    def div(self, other):
        """Element by element."""
        return self / other

    def add(self, other):
        """The sum with a sparse tensor."""
        return self + other

    def __matmul__(self, other):
        return sparse_product(self, other) if isinstance(other, SparseTensor) else sparse_times_dense(self, other)

    def __rmatmul__(self, other):
        return (self.t() @ other.swapaxes(0, 1)).swapaxes(0, 1)

    def __neg__(self):
        return self.with_entries(-self.entries)

    def __add__(self, other):
        if not isinstance(other, SparseTensor):
            raise NotImplementedError("a sparse and a dense tensor: write dense + sparse.to_dense()")
        places = ops.cat((self.places, other.places), axis=1)
        both = SparseTensor(places, ops.cat((self.entries, other.entries)), self.shape)
        return both.coalesce() if self.coalesced and other.coalesced else both

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        if isinstance(other, SparseTensor):
            if not (self.coalesced and other.coalesced):
                raise NotImplementedError("sparse times sparse, element by element: call coalesce() on both before it")
            _, first, second = np.intersect1d(self.flat().asnumpy(), other.flat().asnumpy(), return_indices=True)
            first, second = Tensor(first, ms.int64), Tensor(second, ms.int64)
            return SparseTensor(self.places[:, first], self.entries[first] * other.entries[second], self.shape, True)
        if isinstance(other, Tensor) and other.ndim:
            spread = ops.broadcast_to(other, self.shape)
            return self.with_entries(self.entries * spread[tuple(self.places)])
        return self.with_entries(self.entries * other)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        if isinstance(other, Tensor) and other.ndim:
            raise NotImplementedError("a sparse tensor divided by a dense one, as torch refuses it")
        return self.with_entries(self.entries / other)

    def __pow__(self, exponent):
        return self.of_each(lambda entries: entries**exponent)

    def pow(self, exponent):
        """Element by element, of what is not zero."""
        return self**exponent

    def abs(self):
        """Element by element."""
        return self.of_each(ops.abs)

    def sqrt(self):
        """Element by element."""
        return self.of_each(ops.sqrt)

    def of_each(self, function):
        """Of a function that keeps zeros: values of one place are added up before."""
        one = self.coalesce()
        return one.with_entries(function(one.entries))


def segment_sum(rows, segments, count):
    """Rows added up by their segment's number: (count, …)."""
    total = ops.zeros((count,) + rows.shape[1:], rows.dtype)
    return total.index_add(0, segments.astype(ms.int32), rows) if rows.shape[0] and count else total


def sparse_times_dense(sparse, dense):
    """A sparse matrix times a dense matrix or vector: out[i] = Σ values · dense[column]; dense, of (rows, …)."""
    if sparse.ndim != 2:
        raise NotImplementedError("products of sparse tensors were converted for matrices: call to_dense() before it")
    if sparse.shape[1] != dense.shape[0]:
        raise ValueError(f"a sparse matrix of {sparse.shape} and a dense one of {tuple(dense.shape)} have no product")
    values = sparse.entries.reshape((-1,) + (1,) * (dense.ndim - 1))
    return segment_sum(values * ops.gather(dense, sparse.places[1], 0), sparse.places[0], sparse.shape[0])


def sparse_product(first, second):
    """The product of two sparse matrices, sparse and coalesced: elements meet where a column of the first is a row of the second."""
    second = second.coalesce()
    rows = second.places[0].asnumpy()
    columns = first.places[1].asnumpy()
    starts, ends = np.searchsorted(rows, columns, "left"), np.searchsorted(rows, columns, "right")
    counts = ends - starts
    left = np.repeat(np.arange(len(columns)), counts)
    right = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(starts, counts)
    left, right = Tensor(left, ms.int64), Tensor(right, ms.int64)
    places = ops.stack((first.places[0][left], second.places[1][right]))
    return SparseTensor(places, first.entries[left] * second.entries[right], (first.shape[0], second.shape[1])).coalesce()
