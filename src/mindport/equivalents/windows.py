"""The windows that stand in torch itself: periodic where torch.signal's are symmetric; and the frequencies of a discrete Fourier transform."""

import mindspore as ms
import numpy as np
from mindspore import Tensor

from mindport.declare import Refused, equivalent
from mindport.equivalents.signal_windows import MEMORY

PINNED = {**MEMORY, "pin_memory": "MindSpore pins what it needs itself"}


def made_window(window_length, periodic, dtype, values):
    """values(k, n) of the positions 0 … window_length - 1, n one less for a symmetric window; one point is 1."""
    if window_length < 0:
        raise Refused("a window has no negative length")
    if window_length < 2:
        found = np.ones(window_length)
    else:
        n = window_length if periodic else window_length - 1
        found = values(np.arange(window_length, dtype=np.float64), n)
    return Tensor(found).astype(ms.float32 if dtype is None else dtype)


@equivalent("torch.hann_window", drops=PINNED)
def hann_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """0.5 - 0.5 cos(2 pi k / n). https://docs.pytorch.org/docs/2.13/generated/torch.hann_window.html"""
    return made_window(window_length, periodic, dtype, lambda k, n: 0.5 - 0.5 * np.cos(2 * np.pi * k / n))


@equivalent("torch.hamming_window", drops=PINNED)
def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """alpha - beta cos(2 pi k / n). https://docs.pytorch.org/docs/2.13/generated/torch.hamming_window.html"""
    return made_window(window_length, periodic, dtype, lambda k, n: alpha - beta * np.cos(2 * np.pi * k / n))


@equivalent("torch.blackman_window", drops=PINNED)
def blackman_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """0.42 - 0.5 cos(2 pi k / n) + 0.08 cos(4 pi k / n). https://docs.pytorch.org/docs/2.13/generated/torch.blackman_window.html"""
    return made_window(
        window_length, periodic, dtype, lambda k, n: np.maximum(0.42 - 0.5 * np.cos(2 * np.pi * k / n) + 0.08 * np.cos(4 * np.pi * k / n), 0)
    )


@equivalent("torch.bartlett_window", drops=PINNED)
def bartlett_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """1 - |2 k / n - 1|. https://docs.pytorch.org/docs/2.13/generated/torch.bartlett_window.html"""
    return made_window(window_length, periodic, dtype, lambda k, n: 1 - np.abs(2 * k / n - 1))


@equivalent("torch.kaiser_window", drops=PINNED)
def kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """I0(beta sqrt(1 - (2 k / n - 1)²)) / I0(beta). https://docs.pytorch.org/docs/2.13/generated/torch.kaiser_window.html"""
    return made_window(
        window_length, periodic, dtype, lambda k, n: np.i0(beta * np.sqrt(np.maximum(1 - (2 * k / n - 1) ** 2, 0))) / np.i0(beta)
    )


@equivalent("torch.fft.fftfreq", drops=MEMORY)
def fftfreq(n, d=1.0, *, dtype=None, layout=None, device=None, requires_grad=False):
    """The frequencies of `n` points, the negative ones last. https://docs.pytorch.org/docs/2.13/generated/torch.fft.fftfreq.html"""
    return Tensor(np.fft.fftfreq(n if isinstance(n, float) else int(n), d)).astype(ms.float32 if dtype is None else dtype)


@equivalent("torch.fft.rfftfreq", drops=MEMORY)
def rfftfreq(n, d=1.0, *, dtype=None, layout=None, device=None, requires_grad=False):
    """The frequencies of `n` real points. https://docs.pytorch.org/docs/2.13/generated/torch.fft.rfftfreq.html"""
    return Tensor(np.fft.rfftfreq(n if isinstance(n, float) else int(n), d)).astype(ms.float32 if dtype is None else dtype)
