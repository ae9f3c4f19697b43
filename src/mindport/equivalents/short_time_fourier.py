"""The short-time Fourier transform and its inverse."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, equivalent
from mindport.equivalents.padding import pad as padded


def _window(window, win_length, n_fft, dtype):
    """The window in the middle of n_fft points, ones where none is given."""
    count = n_fft if win_length is None else win_length
    found = ops.ones((count,), dtype) if window is None else window
    left = (n_fft - count) // 2
    return ops.pad(found, (left, n_fft - count - left)) if count < n_fft else found


def _frames(x, n_fft, hop):
    """(batch, frames, n_fft)."""
    count = 1 + (x.shape[-1] - n_fft) // hop
    places = Tensor([[f * hop + i for i in range(n_fft)] for f in range(count)], ms.int64)
    return ops.gather(x, places, 1)


@equivalent("torch.stft", "torch.Tensor.stft", drops={"align_to_window": "it matters with center=False only, where it is refused"})
def stft(
    input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False,
    onesided=None, return_complex=None, align_to_window=None,
):
    """Fourier transforms of windows along the last axis: (…, frequencies, frames).

    https://docs.pytorch.org/docs/2.13/generated/torch.stft.html
    """
    if align_to_window is not None and not center:
        raise Refused("align_to_window is not supported: pad the window instead")
    if input.is_complex() or (window is not None and window.is_complex()):
        raise Refused("stft of complex numbers is not supported: transform real and imaginary part")
    hop = n_fft // 4 if hop_length is None else hop_length
    x = input.unsqueeze(0) if input.ndim == 1 else input
    if center:
        x = padded(x.unsqueeze(1), (n_fft // 2, n_fft // 2), pad_mode).squeeze(1)
    frames = _frames(x, n_fft, hop) * _window(window, win_length, n_fft, x.dtype)
    norm = "ortho" if normalized else "backward"
    found = ops.fft(frames, None, -1, norm) if onesided is False else ops.rfft(frames, None, -1, norm)
    found = found.swapaxes(1, 2)
    found = found if input.ndim == 2 else found.squeeze(0)
    return found if return_complex else ops.stack((ops.real(found), ops.imag(found)), axis=-1)


@equivalent("torch.istft", "torch.Tensor.istft")
def istft(
    input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None, length=None,
    return_complex=False,
):
    """The signal whose `stft` is given, by overlapping and adding. https://docs.pytorch.org/docs/2.13/generated/torch.istft.html"""
    if return_complex:
        raise Refused("return_complex=True is not supported: the result is real")
    if not input.is_complex():
        raise Refused("istft takes complex numbers: use torch.view_as_complex")
    hop = n_fft // 4 if hop_length is None else hop_length
    x = input.unsqueeze(0) if input.ndim == 2 else input
    one_half = onesided if onesided is not None else x.shape[1] != n_fft
    norm = "ortho" if normalized else "backward"
    spectrum = x.swapaxes(1, 2)
    frames = ops.irfft(spectrum, n_fft, -1, norm) if one_half else ops.real(ops.ifft(spectrum, None, -1, norm))
    weight = _window(window, win_length, n_fft, frames.dtype)
    count = frames.shape[1]
    total = n_fft + hop * (count - 1)
    places = Tensor([f * hop + i for f in range(count) for i in range(n_fft)], ms.int64)
    added = (frames * weight).reshape(frames.shape[0], -1)
    index = ops.broadcast_to(places, added.shape)
    signal = ops.tensor_scatter_elements(ops.zeros((added.shape[0], total), added.dtype), index, added, 1, "add")
    squares = ops.tile(ops.square(weight), (count,))
    envelope = ops.tensor_scatter_elements(ops.zeros((total,), weight.dtype), places, squares, 0, "add")
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - n_fft // 2 if center else total
    short = max(end - total, 0)
    found = signal[:, start : min(end, total)] / envelope[start : min(end, total)]
    found = ops.pad(found, (0, short)) if short else found
    return found if input.ndim == 3 else found.squeeze(0)
