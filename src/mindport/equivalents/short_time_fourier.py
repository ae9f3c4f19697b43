"""The short-time Fourier transform and its inverse."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
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


def _added(frames, hop):
    """(batch, frames, n) frames laid over each other, each `hop` after the one before."""
    batch, count, size = frames.shape
    pieces = -(-size // hop)
    whole = ops.pad(frames, (0, pieces * hop - size)) if pieces * hop > size else frames
    # piece j of all frames is one stretch of signal, j pieces late
    found = None
    for j in range(pieces):
        stretch = whole[:, :, j * hop : (j + 1) * hop].reshape((batch, count * hop))
        late = ops.pad(stretch, (j * hop, (pieces - 1 - j) * hop))
        found = late if found is None else found + late
    return found[:, : size + hop * (count - 1)]


def _of_real_signals(half, n_fft):
    """Without an imaginary part at either end, as a real signal's transform: torch takes no notice of one."""
    imaginary = ops.imag(half)
    inner = Tensor([float(k not in (0, n_fft / 2)) for k in range(n_fft // 2 + 1)], imaginary.dtype)
    return ops.Complex()(ops.real(half), imaginary * inner)


@equivalent(
    "torch.istft", "torch.Tensor.istft",
    differs=[difference("a float16 window is squared and summed in float32, more precisely than in torch", when="window is not None and window.dtype == ms.float16", risk="style", zh="float16 窗以 float32 计算，比 PyTorch 更精确")],
)
def istft(
    input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None, length=None,
    return_complex=False,
):
    """The signal of short-time Fourier transforms (…, frequencies, frames): frames added up, over the windows' squares.

    https://docs.pytorch.org/docs/2.13/generated/torch.istft.html
    """
    if not input.is_complex():
        raise RuntimeError("istft requires a complex-valued input tensor matching the output from stft with return_complex=True.")
    if window is not None and window.is_complex():
        raise Refused("istft with a complex window is not supported")
    hop = n_fft // 4 if hop_length is None else hop_length
    count = n_fft if win_length is None else win_length
    onesided = input.shape[-2] != n_fft if onesided is None else onesided
    if input.ndim not in (2, 3) or input.shape[-2] != (n_fft // 2 + 1 if onesided else n_fft):
        raise RuntimeError(f"istft: the frequencies' axis of {tuple(input.shape)} does not fit n_fft={n_fft}, onesided={onesided}")
    if not (0 < hop <= count <= n_fft) or (window is not None and tuple(window.shape) != (count,)):
        raise RuntimeError("istft: expected 0 < hop_length <= win_length <= n_fft and a window of win_length points")
    if return_complex and onesided:
        raise RuntimeError("istft: cannot have onesided input with return_complex=True")
    spectra = (input.unsqueeze(0) if input.ndim == 2 else input).swapaxes(1, 2)
    norm = "ortho" if normalized else "backward"
    if return_complex:
        frames = ops.ifft(spectra, None, -1, norm)
        dtype = ops.real(frames).dtype
        shape = _window(window, win_length, n_fft, dtype).astype(dtype)
        signals = [_added(ops.real(frames) * shape, hop), _added(ops.imag(frames) * shape, hop)]
    else:
        frames = ops.irfft(_of_real_signals(spectra[..., : n_fft // 2 + 1], n_fft), n_fft, -1, norm)
        shape = _window(window, win_length, n_fft, frames.dtype).astype(frames.dtype)
        signals = [_added(frames * shape, hop)]
    weight = _added(ops.broadcast_to(shape * shape, (1, spectra.shape[1], n_fft)), hop)
    whole, start = signals[0].shape[-1], n_fft // 2 if center else 0
    end = start + length if length is not None else whole - start
    weight = weight[:, start:end]
    if bool((ops.abs(weight) <= 1e-11).any()):
        raise RuntimeError("window overlap add min: the windows' squares add up to zero somewhere")
    signals = [signal[:, start:end] / weight for signal in signals]
    if end > whole:
        signals = [ops.pad(signal, (0, end - whole)) for signal in signals]
    signal = ops.Complex()(*signals) if return_complex else signals[0]
    return signal.squeeze(0) if input.ndim == 2 else signal
