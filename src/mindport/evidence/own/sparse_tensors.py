"""Scenarios of sparse tensors: matrices whose places repeat, are unsorted, sorted, none; their products, sums, softmax; gradients of values and dense factors."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.counted_reductions import called
from mindport.evidence.scenarios import Side, scenario
from mindport.forms import OR_SPARSE

COO = "torch.sparse_coo_tensor"
UNSORTED = torch.tensor([[2, 0, 2, 0, 3], [1, 4, 0, 0, 1]])
REPEATED = torch.tensor([[2, 0, 2, 0, 2], [1, 4, 1, 0, 1]])
NONE = torch.zeros(2, 0, dtype=torch.int64)
VALUES = torch.tensor([0.5, -1.5, 2.0, 3.0, -0.25])
DENSE = torch.linspace(-1, 2, 15).reshape(5, 3)
SIZE = (4, 5)
MATRICES = ((UNSORTED, VALUES), (REPEATED, VALUES), (NONE, VALUES[:0]))


def matrix(side: Side, places: torch.Tensor, values: Any, size: tuple[int, ...] = SIZE) -> Any:
    """A sparse matrix of this side."""
    return side.make(COO, side.value(places), side.value(values) if isinstance(values, torch.Tensor) else values, size)


def matrices(side: Side) -> list[Any]:
    """One of each kind."""
    return [matrix(side, *each) for each in MATRICES]


def parts(sparse: Any) -> list[Any]:
    """What a sparse tensor holds, as plain tensors."""
    one = sparse.coalesce()
    return [one.indices(), one.values(), tuple(one.shape), sparse.to_dense()]


@scenario(COO, "torch.sparse.FloatTensor")
def made(side: Side) -> Any:
    """Of places and values, with and without a size, of dense rows; what it holds, its types and members."""
    found: list[Any] = []
    for places, values in MATRICES[:2]:
        for size in ((), (torch.Size(SIZE),)):
            sparse = side.call(side.value(places), side.value(values), *size)
            found += [*parts(sparse), sparse._indices(), sparse._values(), sparse._nnz(), sparse.is_coalesced(), sparse.dim(), side.dtype(sparse)]
    rows = side.call(side.value(UNSORTED[:1]), side.value(DENSE), torch.Size((4, 3)))
    found += [*parts(rows), rows.sparse_dim(), rows.dense_dim()]
    double = matrix(side, *MATRICES[0]).double()
    found += [side.dtype(double), *parts(double.float())]
    return found


@scenario(COO)
def arithmetic(side: Side) -> Any:
    """With numbers, of two sparse ones, with a dense one; transposed; values' gradients through all of it."""
    first, second = matrix(side, *MATRICES[0]), matrix(side, *MATRICES[1])
    dense = side.value(torch.linspace(0, 1, 20).reshape(SIZE))
    found = [*map(parts, (first * 2, 2 * first, first / 4, -first, first + second, first - second, first.coalesce() * second.coalesce(), first * dense, first.t(), first.transpose(0, 1), second.abs()))]
    found += [first @ side.value(DENSE), first @ side.value(DENSE[:, 0]), first.sum(), first.sum(1).to_dense()]
    weights = side.value(DENSE)
    found.append(side.gradients(lambda values: ((matrix(side, REPEATED, values) * 3) @ weights) ** 2, VALUES))
    found.append(side.gradients(lambda dense: (first.t() @ dense) ** 2, DENSE[:4]))
    return found


@scenario("torch.sparse.DoubleTensor", "torch.sparse.LongTensor")
def made_of_a_type(side: Side) -> Any:
    """With values of the type, and of sizes alone."""
    values = VALUES.double() if "Double" in side.name else torch.arange(5)
    sparse = side.call(side.value(UNSORTED), side.value(values), torch.Size(SIZE))
    nothing = side.call(*SIZE)
    return [*parts(sparse), side.dtype(sparse), side.dtype(nothing), nothing.to_dense(), nothing._nnz()]


@scenario("torch.sparse_csr_tensor")
def compressed(side: Side) -> Any:
    """Rows' ends, columns and values, and what they are times something dense."""
    ends, columns = side.value(torch.tensor([0, 2, 2, 5])), side.value(torch.tensor([0, 3, 1, 2, 3]))
    found: list[Any] = []
    for size in ((), ((3, 6),)):
        sparse = side.call(ends, columns, side.value(VALUES), *size)
        found += [sparse.crow_indices(), sparse.col_indices(), sparse.values(), sparse.to_dense(), tuple(sparse.shape)]
    return [*found, side.call(ends, columns, side.value(VALUES), (3, 5)) @ side.value(DENSE)]


@scenario("torch.Tensor.to_sparse", "torch.Tensor.to_sparse_coo", "torch.Tensor.to_sparse_csr")
def of_dense(side: Side) -> Any:
    """What is not zero, of a matrix, of nothing but zeros, of more axes; what is sparse already."""
    values = torch.tensor([[0.0, 1.5, 0.0], [0.0, 0.0, 0.0], [-2.0, 0.0, 3.0]])
    found = [side.call(side.value(v)) for v in (values, values * 0)]
    if "csr" in side.name:
        return [(s.crow_indices(), s.col_indices(), s.values(), s.to_dense()) for s in found]
    found += [side.call(side.value(values), 1), side.call(side.value(values.reshape(3, 1, 3)))] if side.name.endswith("to_sparse") else []
    return [*map(parts, found), *parts(side.call(matrix(side, *MATRICES[1]))), side.gradients(lambda x: side.call(x).values() ** 2, values + 1)]


@scenario("torch.Tensor.to_dense")
def dense_again(side: Side) -> Any:
    """Of sparse ones, in another dtype, of dense ones; gradients of values."""
    found = [side.call(m) for m in matrices(side)]
    found.append(side.call(side.value(DENSE)))
    return [*found, side.gradients(lambda values: side.call(matrix(side, REPEATED, values)) ** 2, VALUES)]


@scenario("torch.Tensor.coalesce")
def sorted_places(side: Side) -> Any:
    """Places sorted, values of one place added up."""
    return [part for m in matrices(side) for part in parts(side.call(m))]


@scenario("torch.Tensor.indices", "torch.Tensor.values", "torch.Tensor.is_coalesced", "torch.Tensor.sparse_dim", "torch.Tensor.dense_dim")
def members(side: Side) -> Any:
    """Of coalesced tensors; of others torch raises for places and values."""
    found = [side.call(m.coalesce()) for m in matrices(side)]
    for other in matrices(side)[:2]:
        try:
            found.append(side.call(other))
        except RuntimeError:
            found.append("raises")
    return found


@scenario("torch.Tensor.crow_indices", "torch.Tensor.col_indices")
def members_of_rows(side: Side) -> Any:
    """Of a CSR matrix."""
    ends, columns = side.value(torch.tensor([0, 2, 2, 5])), side.value(torch.tensor([0, 3, 1, 2, 3]))
    return side.call(side.make("torch.sparse_csr_tensor", ends, columns, side.value(VALUES), (3, 5)))


@scenario("torch.Tensor.sparse_mask")
def masked(side: Side) -> Any:
    """A dense matrix where a sparse one has elements."""
    return parts(side.call(side.value(torch.linspace(0, 1, 20).reshape(SIZE)), matrix(side, *MATRICES[0]).coalesce()))


@scenario("torch.spmm", "torch.dsmm", "torch.sparse.mm", f"torch.mm{OR_SPARSE}", f"torch.matmul{OR_SPARSE}", f"torch.mv{OR_SPARSE}")
def products(side: Side) -> Any:
    """Sparse times dense, dense times dense, sparse times sparse; gradients of both factors."""
    vector = "mv" in side.name
    factor = DENSE[:, 0] if vector else DENSE
    found = [called(side, m, side.value(factor)) for m in matrices(side)]
    if "sparse.mm" not in side.name:
        found.append(called(side, side.value(DENSE[:4]), side.value(factor[:3])))
    if not vector and "dsmm" not in side.name:
        found += parts(called(side, matrix(side, *MATRICES[0]), matrix(side, *MATRICES[1]).t()))
    found.append(side.gradients(lambda values: called(side, matrix(side, REPEATED, values), side.value(factor)) ** 2, VALUES))
    found.append(side.gradients(lambda dense: called(side, matrix(side, *MATRICES[0]), dense) ** 2, factor))
    return found


@scenario("torch.sparse.addmm")
def added_products(side: Side) -> Any:
    """With and without factors; gradients."""
    base, sparse = side.value(DENSE[:4]), matrix(side, *MATRICES[1])
    found = [side.call(base, sparse, side.value(DENSE)), side.call(base, sparse, side.value(DENSE), beta=0.5, alpha=-2)]
    return [*found, side.gradients(lambda base, dense: side.call(base, sparse, dense) ** 2, DENSE[:4], DENSE)]


@scenario("torch.sparse.sum", f"torch.sum{OR_SPARSE}")
def summed(side: Side) -> Any:
    """Of all, along one axis and both; gradients."""
    found: list[Any] = []
    for m in matrices(side)[:2]:
        found += [called(side, m), called(side, m, 0).to_dense(), called(side, m, dim=1).to_dense(), called(side, m, -1).to_dense()]
    if side.name.endswith(OR_SPARSE):
        found += [called(side, side.value(DENSE), 1, keepdim=True), called(side, side.value(DENSE))]
    return [*found, side.gradients(lambda values: called(side, matrix(side, UNSORTED, values)) ** 2, VALUES)]


@scenario("torch.sparse.softmax", "torch.sparse.log_softmax")
def normalised(side: Side) -> Any:
    """Along either axis; gradients."""
    found = [side.call(m, dim).to_dense() for m in matrices(side)[:2] for dim in (0, 1)]
    return [*found, side.gradients(lambda values: side.call(matrix(side, UNSORTED, values), 1).to_dense() ** 2, VALUES)]


@scenario(f"torch.transpose{OR_SPARSE}", f"torch.is_tensor{OR_SPARSE}")
def either(side: Side) -> Any:
    """Of a sparse and of a dense tensor."""
    axes = (0, 1) if "transpose" in side.name else ()
    found = [called(side, m, *axes) for m in (matrix(side, *MATRICES[0]), side.value(DENSE))]
    return [parts(found[0]), found[1]] if axes else found


@scenario(f"torch.nn.Module.register_buffer{OR_SPARSE}")
def registered(side: Side) -> Any:
    """The value is read as an attribute, sparse or dense."""
    net = side.make("torch.nn.Linear", 2, 2)
    for name, tensor in (("sparse", matrix(side, *MATRICES[0])), ("dense", side.value(DENSE))):
        if side.declared is not None:
            side.call(net, name, tensor)
        else:
            net.register_buffer(name, tensor)
    return [*parts(net.sparse), net.dense]
