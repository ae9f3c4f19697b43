"""The short-time Fourier transform and its inverse."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, absent, equivalent
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


absent(
    "torch.istft", "torch.Tensor.istft",
    why="overlapping and adding gave other signals than torch for spectra that are no signal's (measured): invert each frame with "
    "ops.irfft and add the frames by hand",
    rung="packaged",
)
