"""Samples of functions under torch's own name that OpInfo does not have, and scenarios of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from mindport.evidence.samples import Sample, own
from mindport.evidence.scenarios import Side, scenario


def _drawn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


@own("torch.Tensor.random_")
def whole_numbers(dtype: torch.dtype) -> Iterator[Sample]:
    """Nothing, an upper bound, both bounds."""
    if dtype in (torch.float32, torch.int64, torch.uint8):
        for args in ((10,), (3, 9), (0, 2)):
            yield Sample((torch.zeros(40, 30).to(dtype), *args))


@own("torch.nn.init.sparse_")
def shares_of_zeros(dtype: torch.dtype) -> Iterator[Sample]:
    """A half, a tenth."""
    if dtype == torch.float32:
        for share in (0.5, 0.1):
            yield Sample((torch.zeros(40, 30), share), eager=True)
        yield Sample((torch.zeros(40, 30), 0.25), {"std": 2.0}, eager=True)


@own("torch.batch_norm")
def batches(dtype: torch.dtype) -> Iterator[Sample]:
    """Evaluation and training, with and without weights."""
    if dtype == torch.float32:
        yield Sample((_drawn(4, 3, 5), _drawn(3), _drawn(3) + 1, torch.zeros(3), torch.ones(3), False, 0.1, 1e-5, True))
        yield Sample((_drawn(4, 3), None, None, None, None, True, 0.1, 1e-3, False))


@own("torch.instance_norm")
def instances(dtype: torch.dtype) -> Iterator[Sample]:
    """Statistics of the input and given ones."""
    if dtype == torch.float32:
        yield Sample((_drawn(4, 3, 5), _drawn(3), _drawn(3) + 1, None, None, True, 0.1, 1e-5, True))
        yield Sample((_drawn(4, 3, 5), None, None, torch.zeros(3), torch.ones(3), False, 0.1, 1e-5, True))


@own("torch.group_norm")
def groups(dtype: torch.dtype) -> Iterator[Sample]:
    """With and without weights."""
    if dtype == torch.float32:
        yield Sample((_drawn(2, 6, 5), 3, _drawn(6), _drawn(6) + 1, 1e-4))
        yield Sample((_drawn(2, 6, 5, 2), 2))


@own("torch.embedding")
def tables(dtype: torch.dtype) -> Iterator[Sample]:
    """Plain, with a padding row, scaled by how often a row is read."""
    if dtype == torch.float32:
        places = torch.tensor([[0, 2, 2], [3, 1, 0]])
        yield Sample((_drawn(5, 3), places))
        yield Sample((_drawn(5, 3), places, 2))
        yield Sample((_drawn(5, 3), places), {"scale_grad_by_freq": True})


@own("torch.norm_except_dim")
def norms(dtype: torch.dtype) -> Iterator[Sample]:
    """Each axis and all of them, other powers."""
    if dtype == torch.float32:
        for args in ((), (2, 0), (2, 2), (2, -1), (1, 0)):
            yield Sample((_drawn(4, 3, 2), *args))


@own("torch.nn.functional.conv_tbc")
def over_time(dtype: torch.dtype) -> Iterator[Sample]:
    """With and without padding."""
    if dtype == torch.float32:
        for pad in ((), (1,), (2,)):
            yield Sample((_drawn(7, 2, 3), _drawn(3, 3, 4), _drawn(4), *pad))


@own("torch.nn.functional.max_pool1d_with_indices")
def lines(dtype: torch.dtype) -> Iterator[Sample]:
    """Strides and padding."""
    if dtype == torch.float32:
        yield Sample((_drawn(2, 3, 9), 3))
        yield Sample((_drawn(2, 3, 9), 3, 2, 1))


@own("torch.nn.functional.max_pool2d_with_indices")
def maps(dtype: torch.dtype) -> Iterator[Sample]:
    """Strides, padding, both indices asked for."""
    if dtype == torch.float32:
        yield Sample((_drawn(2, 3, 9, 8), 3))
        yield Sample((_drawn(2, 3, 9, 8), (3, 2), 2, 1), {"return_indices": True})


@own("torch.nn.functional.adaptive_max_pool1d_with_indices")
def tiled_lines(dtype: torch.dtype) -> Iterator[Sample]:
    """Sizes that divide the axis and that do not."""
    if dtype == torch.float32:
        yield Sample((_drawn(2, 3, 9), 3))
        yield Sample((_drawn(2, 3, 9), 4))


@own("torch.nn.functional.adaptive_max_pool2d_with_indices")
def tiled_maps(dtype: torch.dtype) -> Iterator[Sample]:
    """Sizes that divide the axes and that do not."""
    if dtype == torch.float32:
        yield Sample((_drawn(2, 3, 8, 6), (4, 3)))
        yield Sample((_drawn(2, 3, 9, 7), 4))


@own("torch.fake_quantize_per_tensor_affine")
def steps_of_a_tensor(dtype: torch.dtype) -> Iterator[Sample]:
    """Numbers and tensors for scale and zero point; what is cut off."""
    if dtype == torch.float32:
        yield Sample((_drawn(5, 6), 0.1, 0, 0, 255))
        yield Sample((_drawn(5, 6) * 3, 0.05, 10, -20, 30))
        yield Sample((_drawn(5, 6), torch.tensor(0.1), torch.tensor(3, dtype=torch.int32), -128, 127))


@own("torch.fake_quantize_per_channel_affine")
def steps_of_channels(dtype: torch.dtype) -> Iterator[Sample]:
    """Along the first and along the last axis."""
    if dtype == torch.float32:
        for axis in (0, 2):
            size = (4, 3, 4)[axis]
            yield Sample((_drawn(4, 3, 4), torch.rand(size, generator=torch.Generator().manual_seed(axis)) * 0.1 + 0.01, torch.arange(size, dtype=torch.int32), axis, -20, 20))


@scenario("torch.frombuffer")
def numbers_in_bytes(side: Side) -> Any:
    """Dtypes, counts, offsets; a copy of the bytes."""
    data = np.arange(12, dtype=np.float32).tobytes()
    rows: list[tuple[torch.dtype, dict[str, int]]] = [(torch.float32, {}), (torch.float32, {"count": 3, "offset": 8}), (torch.int16, {"offset": 2}), (torch.uint8, {"count": 9}), (torch.int64, {})]
    return [side.call(bytearray(data), dtype=side.value(dtype), **more) + 0 for dtype, more in rows]


@scenario("torch.ByteStorage.from_buffer")
def bytes_of_a_picture(side: Side) -> Any:
    """As transforms of pictures were written before NumPy's arrays were taken; a count and an offset."""
    data = np.arange(200, 224, dtype=np.uint8).tobytes()
    return [side.make("torch.ByteTensor", side.call(data, **more)) + 0 for more in ({}, {"byte_order": "native"}, {"count": 5, "offset": 3})]
