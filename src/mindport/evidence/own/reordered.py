"""Samples that OpInfo holds in another order of arguments, or without the draws that make them comparable."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch.testing import make_tensor

from mindport.evidence.samples import Sample, opinfos, own


@own("torch.nn.functional.embedding_bag")
def embedding_bag(dtype: torch.dtype) -> Iterator[Sample]:
    """OpInfo's, which put the table first."""
    for op in opinfos("torch.nn.functional.embedding_bag", None):
        if dtype in op.supported_dtypes("cpu"):
            for sample in op.sample_inputs("cpu", dtype, requires_grad=False):
                yield Sample((sample.args[0], sample.input, *sample.args[1:]), dict(sample.kwargs))


@own("torch.istft", "torch.Tensor.istft")
def istft(dtype: torch.dtype) -> Iterator[Sample]:
    """OpInfo's, which hold the complex numbers as pairs of real ones."""
    for op in opinfos("torch.istft", None):
        if dtype in op.supported_dtypes("cpu"):
            for sample in op.sample_inputs("cpu", dtype, requires_grad=False):
                given = sample.input if sample.input.is_complex() else torch.view_as_complex(sample.input.contiguous())
                yield Sample((given, *sample.args), dict(sample.kwargs))


@own("torch.nn.functional.fractional_max_pool2d", "torch.nn.functional.fractional_max_pool3d")
def fractional_max_pool(dtype: torch.dtype) -> Iterator[Sample]:
    """With the draws given; the number of axes decides which of the two takes a sample."""
    if not dtype.is_floating_point:
        return
    for rank, shape in ((2, (1, 3, 9, 9)), (2, (2, 2, 7, 8)), (3, (1, 2, 7, 8, 6)), (3, (2, 1, 6, 6, 6))):
        x = make_tensor(shape, dtype=dtype, device="cpu")
        draws = torch.rand(*shape[:2], rank, dtype=dtype)
        for given in ({"output_size": 2}, {"output_size": (2, 3, 2)[:rank]}, {"output_ratio": (0.5, 0.6, 0.5)[:rank]}):
            for indices in (False, True):
                yield Sample((x, 3), {**given, "return_indices": indices, "_random_samples": draws})
