"""Samples of questions about tensors, dtypes and settings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch
from torch.testing import make_tensor

from mindport.evidence.samples import Sample, own

DTYPES = (
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64,
    torch.complex64, torch.complex128,
)  # fmt: skip


@own(
    "torch.is_conj", "torch.Tensor.is_conj", "torch.is_neg", "torch.Tensor.is_neg", "torch.is_inference", "torch.Tensor.is_inference",
    "torch.is_signed", "torch.Tensor.is_signed",
    "torch.Tensor.is_pinned", "torch.is_storage", "torch.is_distributed", "torch.Tensor.is_distributed", "torch.get_device", "torch.Tensor.get_device",
)  # fmt: skip
def one_tensor(dtype: torch.dtype) -> Iterator[Sample]:
    """A matrix, a number, nothing."""
    yield from (Sample((make_tensor(shape, dtype=dtype, device="cpu"),), eager=True) for shape in ((2, 3), (), (0,)))


@own("torch.resolve_conj", "torch.Tensor.resolve_conj", "torch.resolve_neg", "torch.Tensor.resolve_neg")
def plain_tensors(dtype: torch.dtype) -> Iterator[Sample]:
    """A matrix, a number, nothing."""
    yield from (Sample((make_tensor(shape, dtype=dtype, device="cpu"),)) for shape in ((2, 3), (), (0,)))


@own("torch.is_nonzero", "torch.Tensor.is_nonzero")
def one_element(dtype: torch.dtype) -> Iterator[Sample]:
    """Zeros and others."""
    for value in (0, 1, 2.5):
        yield Sample((torch.tensor(value).to(dtype),), eager=True)
        yield Sample((torch.tensor([[value]]).to(dtype),), eager=True)


@own("torch.is_same_size", "torch.Tensor.is_same_size")
def two_tensors(dtype: torch.dtype) -> Iterator[Sample]:
    """Equal shapes and others."""
    for first, second in (((2, 3), (2, 3)), ((2, 3), (3, 2)), ((), ()), ((), (1,))):
        yield Sample((make_tensor(first, dtype=dtype, device="cpu"), make_tensor(second, dtype=dtype, device="cpu")), eager=True)


@own("torch.can_cast", "torch.promote_types")
def pairs_of_dtypes(dtype: torch.dtype) -> Iterator[Sample]:
    """Every pair."""
    if dtype == torch.float32:
        yield from (Sample(pair, eager=True) for pair in itertools.product(DTYPES, DTYPES))


@own("torch.result_type")
def operands(dtype: torch.dtype) -> Iterator[Sample]:
    """Tensors with axes and without, and numbers, of every dtype."""
    x, scalar = make_tensor((2,), dtype=dtype, device="cpu"), make_tensor((), dtype=dtype, device="cpu")
    for other in DTYPES:
        for shape in ((2,), ()):
            y = make_tensor(shape, dtype=other, device="cpu")
            yield Sample((x, y), eager=True)
            yield Sample((scalar, y), eager=True)
    for number in (True, 2, 2.5, 1j):
        yield from (Sample(pair, eager=True) for pair in ((x, number), (number, x), (scalar, number)))


@own("torch.broadcast_shapes")
def shapes(dtype: torch.dtype) -> Iterator[Sample]:
    """Shapes that fit, of several lengths, and numbers."""
    if dtype == torch.float32:
        for args in (((2,), (3, 1), (1, 1, 1)), ((4, 1), (5,)), ((),), ((0, 2), (1, 2)), (2, (3, 1)), (3,)):
            yield Sample(args, eager=True)


@own("torch.Tensor.sum_to_size")
def sizes(dtype: torch.dtype) -> Iterator[Sample]:
    """Broadcast axes in front and in the middle, one by one and as a tuple."""
    x = make_tensor((4, 3, 2), dtype=dtype, device="cpu")
    for size in (((3, 1),), (4, 1, 2), ((4, 3, 2),), (1,), ((),)):
        yield Sample((x, *size))


@own("torch.typename")
def objects(dtype: torch.dtype) -> Iterator[Sample]:
    """Objects and types that are not tensors."""
    if dtype == torch.float32:
        yield from (Sample((each,), eager=True) for each in (1, "a", int, [1], dict))


@own(
    "torch.is_inference_mode_enabled", "torch.is_anomaly_enabled", "torch.is_warn_always_enabled", "torch.is_anomaly_check_nan_enabled",
    "torch.is_deterministic_algorithms_warn_only_enabled", "torch.get_float32_matmul_precision", "torch.get_deterministic_debug_mode",
    "torch.are_deterministic_algorithms_enabled",
)  # fmt: skip
def nothing(dtype: torch.dtype) -> Iterator[Sample]:
    """No arguments."""
    if dtype == torch.float32:
        yield Sample(eager=True)


@own("torch.set_warn_always", "torch.set_anomaly_enabled")
def off(dtype: torch.dtype) -> Iterator[Sample]:
    """The default, set again."""
    if dtype == torch.float32:
        yield Sample((False,), eager=True)
