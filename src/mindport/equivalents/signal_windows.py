"""The windows of torch.signal: computed by NumPy in float64, then a tensor of the wanted dtype."""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor

from mindport.declare import Refused, equivalent

#: Why the parameters of memory change nothing.
MEMORY = {
    "layout": "MindSpore has one layout for dense tensors",
    "device": "MindSpore's device is a setting of the process",
    "requires_grad": "MindSpore differentiates by function, not by tensor",
}


def _positions(M, sym):
    """0 … M - 1, and the length over which the window is symmetric."""
    if M < 0:
        raise Refused("a window has no negative length")
    return np.arange(M, dtype=np.float64), max(M - 1 if sym else M, 1)


def _tensor(values, dtype):
    """A window of one point is 1."""
    values = np.ones(1) if values.shape[0] == 1 else values
    return Tensor(values).astype(ms.float32 if dtype is None else dtype)


@equivalent("torch.signal.windows.general_cosine", drops=MEMORY)
def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """The sum of (-1)^i a[i] cos(2 pi i k / n). https://docs.pytorch.org/docs/2.13/generated/torch.signal.windows.general_cosine.html"""
    k, length = _positions(M, sym)
    values = sum((-1) ** i * weight * np.cos(2 * np.pi * i * k / length) for i, weight in enumerate(a))
    return _tensor(values + np.zeros(M), dtype)


@equivalent("torch.signal.windows.general_hamming", drops=MEMORY)
def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """alpha - (1 - alpha) cos(2 pi k / n)."""
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype)


@equivalent("torch.signal.windows.hamming", drops=MEMORY)
def hamming(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """The Hamming window. https://docs.pytorch.org/docs/2.13/generated/torch.signal.windows.hamming.html"""
    return general_cosine(M, a=[0.54, 0.46], sym=sym, dtype=dtype)


@equivalent("torch.signal.windows.hann", drops=MEMORY)
def hann(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """The Hann window. https://docs.pytorch.org/docs/2.13/generated/torch.signal.windows.hann.html"""
    return general_cosine(M, a=[0.5, 0.5], sym=sym, dtype=dtype)


@equivalent("torch.signal.windows.blackman", drops=MEMORY)
def blackman(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """The Blackman window."""
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, dtype=dtype)


@equivalent("torch.signal.windows.nuttall", drops=MEMORY)
def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Nuttall's four-term window."""
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype)


@equivalent("torch.signal.windows.bartlett", drops=MEMORY)
def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """A triangle from 0 to 1 to 0."""
    k, length = _positions(M, sym)
    return _tensor(1 - np.abs(2 * k / length - 1), dtype)


@equivalent("torch.signal.windows.cosine", drops=MEMORY)
def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Half a wave of the sine."""
    k, _ = _positions(M, sym)
    return _tensor(np.sin(np.pi / max(M if sym else M + 1, 1) * (k + 0.5)), dtype)


@equivalent("torch.signal.windows.exponential", drops=MEMORY)
def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """exp(-|k - center| / tau)."""
    if tau <= 0:
        raise Refused("tau must be positive")
    if sym and center is not None:
        raise Refused("center= goes with sym=False only, as in torch")
    k, _ = _positions(M, sym)
    middle = (M - 1 if sym else M) / 2 if center is None else center
    return _tensor(np.exp(-np.abs(k - middle) / tau), dtype)


@equivalent("torch.signal.windows.gaussian", drops=MEMORY)
def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """exp(-((k - middle) / std)^2 / 2)."""
    if std <= 0:
        raise Refused("std must be positive")
    k, _ = _positions(M, sym)
    return _tensor(np.exp(-(((k - (M - 1 if sym else M) / 2) / (std * math.sqrt(2))) ** 2)), dtype)


@equivalent("torch.signal.windows.kaiser", drops=MEMORY)
def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """The Kaiser window, of modified Bessel functions of order 0."""
    if beta < 0:
        raise Refused("beta must not be negative")
    k, length = _positions(M, sym)
    return _tensor(np.i0(beta * np.sqrt(np.maximum(0, 1 - (2 * k / length - 1) ** 2))) / np.i0(beta), dtype)
