"""Samples of the windows in torch itself and of the frequencies of a Fourier transform."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from mindport.evidence.samples import Sample, own


@own("torch.hann_window", "torch.hamming_window", "torch.blackman_window", "torch.bartlett_window", "torch.kaiser_window")
def windows(dtype: torch.dtype) -> Iterator[Sample]:
    """Lengths, symmetric and periodic, in both floating dtypes."""
    for length in (0, 1, 2, 3, 8, 400):
        yield Sample((length,))
        yield Sample((length, False))
    yield Sample((16,), {"periodic": False, "dtype": torch.float64})


@own("torch.fft.fftfreq", "torch.fft.rfftfreq")
def frequencies(dtype: torch.dtype) -> Iterator[Sample]:
    """Even and odd counts, spacings."""
    for count in (1, 2, 5, 8):
        yield Sample((count,))
        yield Sample((count, 0.25))
    yield Sample((9,), {"d": 2.0, "dtype": torch.float64})
