"""Samples of functions of dtypes, sizes and devices, and of the few tensor functions without an OpInfo entry."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch.testing import make_tensor

from mindport.evidence.samples import Sample, own, uninitialized

uninitialized("torch.empty", "torch.empty_like", "torch.empty_strided", "torch.Tensor.new_empty", "torch.Tensor.new_empty_strided")


def tensor(*shape: int) -> torch.Tensor:
    """Random float32."""
    return make_tensor(shape, dtype=torch.float32, device="cpu")


@own("torch.Size")
def sizes(dtype: torch.dtype) -> Iterator[Sample]:
    """Lists, tuples, nothing."""
    if dtype == torch.float32:
        yield from (Sample(args, eager=True) for args in ((), ([2, 3],), ((4,),)))


@own("torch.Size.numel")
def elements(dtype: torch.dtype) -> Iterator[Sample]:
    """Several axes, none, one of length 0."""
    if dtype == torch.float32:
        yield from (Sample((torch.Size(size),), eager=True) for size in ((2, 3), (), (4, 0)))


@own("torch.device")
def devices(dtype: torch.dtype) -> Iterator[Sample]:
    """Names with and without an index."""
    if dtype == torch.float32:
        yield from (Sample(args, eager=True) for args in (("cpu",), ("cuda:0",), ("cuda", 1)))


@own("torch.cuda.is_available", "torch.cuda.device_count", "torch.get_default_dtype", "torch.jit.is_scripting", "torch._C._get_tracing_state", "torch._C._is_tracing")
def nothing(dtype: torch.dtype) -> Iterator[Sample]:
    """No arguments."""
    if dtype == torch.float32:
        yield Sample(eager=True)


@own("torch.is_autocast_enabled", "torch.is_autocast_cpu_enabled", "torch.get_autocast_gpu_dtype", "torch.get_autocast_cpu_dtype")
def no_autocast(dtype: torch.dtype) -> Iterator[Sample]:
    """Outside of every region."""
    if dtype == torch.float32:
        yield Sample(eager=True)


@own("torch.get_autocast_dtype")
def autocast_devices(dtype: torch.dtype) -> Iterator[Sample]:
    """Two devices."""
    if dtype == torch.float32:
        yield from (Sample((device,), eager=True) for device in ("cpu", "cuda"))


@own("torch.jit.isinstance")
def containers(dtype: torch.dtype) -> Iterator[Sample]:
    """Types that name what a list, mapping, tuple or union holds."""
    if dtype == torch.float32:
        x = tensor(2)
        for value, wanted in (
            ([1, 2], list[int]), ([1, "a"], list[int]), ([], list[str]), ((1,), list[int]), ([[1], [2]], list[list[int]]),
            ({"a": 1}, dict[str, int]), ({"a": [1]}, dict[str, list[str]]), ((1, "a"), tuple[int, str]), ((1,), tuple[int, str]),
            (None, int | None), (3, int | str), (3.0, int | str), (3, int), (3, (str, int)), ([1], (dict[str, int], list[int])),
            ([1], list[int] | None), ("a", list[int] | None),
        ):
            yield Sample((value, wanted), eager=True)
        yield Sample((x, int), eager=True)


@own("torch.nn.functional.gumbel_softmax")
def logits(dtype: torch.dtype) -> Iterator[Sample]:
    """Soft and hard draws, temperatures, axes."""
    if dtype == torch.float32:
        x = tensor(20, 5)
        yield Sample((x,))
        yield Sample((x,), {"tau": 0.5, "dim": 0})
        yield Sample((x,), {"hard": True})


@own("torch.nn.functional.fold")
def columns(dtype: torch.dtype) -> Iterator[Sample]:
    """Overlapping and padded blocks."""
    if dtype == torch.float32:
        yield Sample((tensor(2, 12, 12), (4, 5), (2, 2)))
        yield Sample((tensor(1, 27, 9),), {"output_size": (5, 5), "kernel_size": 3, "padding": 1, "stride": 2})


@own("torch.nn.functional.affine_grid")
def transformations(dtype: torch.dtype) -> Iterator[Sample]:
    """Images and volumes, with both alignments."""
    if dtype == torch.float32:
        for aligned in (False, True):
            yield Sample((tensor(2, 2, 3), (2, 3, 4, 5)), {"align_corners": aligned})
            yield Sample((tensor(1, 3, 4), (1, 2, 3, 4, 5)), {"align_corners": aligned})


@own("torch.nn.functional.upsample")
def images(dtype: torch.dtype) -> Iterator[Sample]:
    """Sizes and factors, in the usual modes."""
    if dtype == torch.float32:
        yield Sample((tensor(1, 2, 4, 4), 8))
        yield Sample((tensor(1, 2, 4, 5),), {"scale_factor": 2, "mode": "bilinear", "align_corners": True})
        yield Sample((tensor(1, 2, 4),), {"scale_factor": 2})


@own("torch.from_numpy")
def arrays(dtype: torch.dtype) -> Iterator[Sample]:
    """Arrays of several dtypes."""
    if dtype == torch.float32:
        for kind in (np.float32, np.float64, np.int64, np.bool_):
            yield Sample((np.ones((2, 3), kind),), eager=True)


@own("torch.Tensor.cuda", "torch.Tensor.pin_memory", "torch.Tensor.detach_", "torch.Tensor.requires_grad_", "torch.Tensor.dtype", "torch.Tensor.device")
def one_tensor(dtype: torch.dtype) -> Iterator[Sample]:
    """Matrices."""
    yield Sample((make_tensor((2, 3), dtype=dtype, device="cpu"),))


@own("torch.Tensor.type")
def types(dtype: torch.dtype) -> Iterator[Sample]:
    """dtypes."""
    x = make_tensor((2, 3), dtype=dtype, device="cpu")
    yield Sample((x, torch.float64))
    yield Sample((x, torch.int32))


@own("torch.nn.Transformer.generate_square_subsequent_mask")
def lengths(dtype: torch.dtype) -> Iterator[Sample]:
    """Sequence lengths."""
    if dtype == torch.float32:
        yield from (Sample((length,), eager=True) for length in (1, 4))


@own("torch.manual_seed")
def seeds(dtype: torch.dtype) -> Iterator[Sample]:
    """A number."""
    if dtype == torch.float32:
        yield Sample((7,), eager=True)


@own("torch.nn.functional.embedding")
def lookups(dtype: torch.dtype) -> Iterator[Sample]:
    """Indices of several ranks, with and without a row that gets no gradient."""
    if dtype.is_floating_point:
        table = make_tensor((6, 4), dtype=dtype, device="cpu")
        for shape in ((5,), (2, 3), ()):
            yield Sample((torch.randint(0, 6, shape), table))
        yield Sample((torch.tensor([[0, 2], [5, 2]]), table), {"padding_idx": 2})
        yield Sample((torch.tensor([0, 5]), table), {"padding_idx": -1})


@own("torch.Tensor.tile")
def copies(dtype: torch.dtype) -> Iterator[Sample]:
    """Numbers of copies one by one and as one argument, fewer and more than axes."""
    x = make_tensor((2, 3), dtype=dtype, device="cpu")
    yield Sample((x, 2))
    yield Sample((x, 2, 1))
    yield Sample((x, (3,)))
    yield Sample((x, [2, 1, 2]))
    yield Sample((x,), {"dims": (1, 2)})


@own("torch.Tensor.permute", "torch.Tensor.flip")
def axes(dtype: torch.dtype) -> Iterator[Sample]:
    """Axes one by one and as a tuple, counted from either end."""
    x = make_tensor((2, 3, 4), dtype=dtype, device="cpu")
    yield Sample((x, 2, 0, 1))
    yield Sample((x, (1, 0, 2)))
    yield Sample((x, -1, 0, 1))
    yield Sample((x, [0, 1, -1]))
    yield Sample((x,), {"dims": (2, 0, 1)})


@own("torch.dropout")
def dropouts(dtype: torch.dtype) -> Iterator[Sample]:
    """In training and not."""
    if dtype == torch.float32:
        for training in (True, False):
            yield Sample((tensor(40, 30), 0.3, training))


@own("torch.set_default_dtype", "torch._assert")
def no_effect(dtype: torch.dtype) -> Iterator[Sample]:
    """Calls without a result."""
    if dtype == torch.float32:
        yield Sample((torch.float32,), eager=True)
        yield Sample((True, "text"), eager=True)


@own("torch.testing.assert_close")
def close(dtype: torch.dtype) -> Iterator[Sample]:
    """What is close enough: tensors, numbers, nested."""
    if dtype == torch.float32:
        x = tensor(3, 2)
        yield Sample((x, x + 1e-6), eager=True)
        yield Sample((x, x + 1), {"rtol": 0.0, "atol": 2.0}, eager=True)
        yield Sample(([x, 1.0], [x.clone(), 1.0]), eager=True)
        yield Sample(({"a": x}, {"a": x.double()}), {"check_dtype": False}, eager=True)
