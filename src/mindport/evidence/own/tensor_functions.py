"""Samples for functions and tensor methods that OpInfo lacks, or calls in another order than torch's users do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch.testing import make_tensor

from mindport.evidence.samples import Sample, own

EQUATIONS: dict[str, tuple[tuple[int, ...], ...]] = {
    "ij,jk->ik": ((3, 4), (4, 5)),
    "bij,bjk->bik": ((2, 3, 4), (2, 4, 5)),
    "bhid,bhjd->bhij": ((2, 2, 3, 4), (2, 2, 5, 4)),
    "bhij,bhjd->bhid": ((2, 2, 3, 5), (2, 2, 5, 4)),
    "B H I D, B H J D -> B H I J": ((2, 2, 3, 4), (2, 2, 5, 4)),
    "nchw,vw->nchv": ((2, 3, 4, 5), (6, 5)),
    "ij->ji": ((3, 4),),
    "ii->i": ((4, 4),),
    "ii": ((4, 4),),
    "ij->": ((3, 4),),
    "ij->j": ((3, 4),),
    "i,j->ij": ((3,), (4,)),
    "i,i->": ((3,), (3,)),
    "ij,ij->ij": ((3, 4), (3, 4)),
    "...ij,...jk->...ik": ((2, 3, 3, 4), (3, 4, 5)),
    "b...,b->...": ((3, 2, 4), (3,)),
    "ij,jk,kl->il": ((2, 3), (3, 4), (4, 5)),
    "ij,jk": ((2, 3), (3, 4)),
    "ij,kj->ik": ((2, 1), (3, 4)),
}


@own("torch.einsum")
def einsum(dtype: torch.dtype) -> Iterator[Sample]:
    """Products, diagonals, sums, transpositions, ellipses and a broadcast axis."""
    for equation, shapes in EQUATIONS.items():
        yield Sample((equation, *(make_tensor(shape, dtype=dtype, device="cpu") for shape in shapes)))


@own("torch.where")
def where(dtype: torch.dtype) -> Iterator[Sample]:
    """Two tensors, a tensor and a number either way round, and a condition alone."""
    x, y = (make_tensor((3, 4), dtype=dtype, device="cpu") for _ in range(2))
    condition = torch.tensor([True, False, False, True]).expand(3, 4)
    number: float = 2 if not dtype.is_floating_point else 0.5
    yield Sample((condition, x, y))
    yield Sample((condition[0], x, y[:1]))
    yield Sample((condition[:, :1], x[0], y))
    if dtype != torch.bool:
        yield Sample((condition, x, number))
        yield Sample((condition, number, x))
    yield Sample((condition,))


@own("torch.Tensor.copy_", "torch.Tensor.type_as")
def pairs(dtype: torch.dtype) -> Iterator[Sample]:
    """A tensor and one whose elements fit it."""
    for shape, other in (((3, 4), (3, 4)), ((3, 4), (4,)), ((2, 3), ())):
        yield Sample((make_tensor(shape, dtype=dtype, device="cpu"), make_tensor(other, dtype=dtype, device="cpu")))
    yield Sample((make_tensor((2, 3), dtype=dtype, device="cpu"), torch.tensor([1, 2, 3])))


@own("torch.Tensor.fill_diagonal_")
def fill_diagonal(dtype: torch.dtype) -> Iterator[Sample]:
    """Square and oblong matrices, and cubes, whose diagonal has as many elements as they have axes' length."""
    for shape in ((3, 3), (3, 5), (4, 2), (3, 3, 3), (2, 2, 2, 2)):
        yield Sample((make_tensor(shape, dtype=dtype, device="cpu"), 1))


@own(
    "torch.Tensor.relu_", "torch.relu_", "torch.detach", "torch.Tensor.detach", "torch.Tensor.cpu", "torch.Tensor.share_memory_",
    "torch.is_tensor", "torch.is_floating_point", "torch.Tensor.is_floating_point", "torch.is_complex",
    "torch.Tensor.is_complex", "torch.Tensor.is_signed", "torch.numel", "torch.Tensor.numel", "torch.Tensor.nelement",
    "torch.Tensor.dim", "torch.Tensor.ndimension", "torch.Tensor.element_size", "torch.Tensor.tolist",
    "torch.Tensor.is_contiguous", "torch.Tensor.T", "torch.Tensor.mT", "torch.Tensor.H", "torch.Tensor.mH",
    "torch.Tensor.data", "torch.Tensor.shape", "torch.Tensor.ndim", "torch.Tensor.itemsize", "torch.Tensor.nbytes",
    "torch.Tensor.is_cuda", "torch.Tensor.is_cpu", "torch.Tensor.is_sparse", "torch.Tensor.is_quantized",
    "torch.Tensor.is_mps", "torch.Tensor.is_meta",
)  # fmt: skip
def one_tensor(dtype: torch.dtype) -> Iterator[Sample]:
    """Matrices."""
    for shape in ((3, 4), (1, 5), (2, 2)):
        yield Sample((make_tensor(shape, dtype=dtype, device="cpu"),))


@own("torch.Tensor.size", "torch.Tensor.stride")
def with_an_axis(dtype: torch.dtype) -> Iterator[Sample]:
    """All axes, and one counted from either end."""
    x = make_tensor((2, 3, 4), dtype=dtype, device="cpu")
    for arguments in ((), (0,), (-1,)):
        yield Sample((x, *arguments))


@own("torch.Tensor.to")
def conversions(dtype: torch.dtype) -> Iterator[Sample]:
    """A dtype, a device, both, another tensor."""
    x = make_tensor((2, 3), dtype=dtype, device="cpu", low=0, high=5 if dtype != torch.bool else 2)
    for other in (torch.float16, torch.float32, torch.int64, torch.bool):
        yield Sample((x, other))
    yield Sample((x, "cpu"))
    yield Sample((x, "cpu", torch.int32))
    yield Sample((x,), {"device": "cpu"})
    yield Sample((x,), {"dtype": torch.float64})
    yield Sample((x,), {"device": "cpu", "dtype": torch.float32, "non_blocking": True})
    yield Sample((x, torch.zeros(1, dtype=torch.int32)))


@own("torch.tensor", "torch.as_tensor")
def data(dtype: torch.dtype) -> Iterator[Sample]:
    """Numbers, nested lists, arrays; the dtype is the data's unless it is given."""
    if dtype != torch.float32:
        return
    values: tuple[Any, ...] = (3.5, 3, True, [1.0, 2], [[1, 2], [3, 4]], [True, False], [], np.arange(3.0), np.arange(3, dtype=np.int32))
    for value in values:
        yield Sample((value,))
        yield Sample((value,), {"dtype": torch.float32})


@own("torch.Tensor.new_tensor")
def new_data(dtype: torch.dtype) -> Iterator[Sample]:
    """Lists and numbers, in the dtype of the tensor unless one is given."""
    yield Sample((make_tensor((2,), dtype=dtype, device="cpu"), [1, 2]))
    x = make_tensor((2,), dtype=dtype, device="cpu")
    yield Sample((x, [1, 2]), {"dtype": torch.float32})
    yield Sample((x, 3), {"dtype": torch.int64})
    yield Sample((x, range(3)))
    yield Sample((x, [torch.tensor(1), torch.tensor(2)]))


@own("torch.chain_matmul")
def chain(dtype: torch.dtype) -> Iterator[Sample]:
    """Two and three matrices."""
    if dtype.is_floating_point:
        a, b, c = (make_tensor(shape, dtype=dtype, device="cpu") for shape in ((2, 3), (3, 4), (4, 2)))
        yield Sample((a, b))
        yield Sample((a, b, c))


@own("torch.rand", "torch.randn")
def sizes(dtype: torch.dtype) -> Iterator[Sample]:
    """Sizes one by one, and as a tuple."""
    if dtype.is_floating_point:
        yield Sample((50, 40), {"dtype": dtype})
        yield Sample(((50, 40),), {"dtype": dtype})


@own("torch.randperm")
def counts(dtype: torch.dtype) -> Iterator[Sample]:
    """Numbers of elements."""
    if dtype == torch.int64:
        yield Sample((100,))


@own("torch.index_select", "torch.Tensor.index_select")
def index_select(dtype: torch.dtype) -> Iterator[Sample]:
    """An index without axes, as ``torch.tensor(0)`` is, takes one slice."""
    for axis in (0, -1):
        yield Sample((make_tensor((3, 4), dtype=dtype, device="cpu"), axis, torch.tensor(1)))
