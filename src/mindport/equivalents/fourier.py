"""Discrete Fourier transforms and the shifts of their results."""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.python_data import with_axes

BESIDE = difference("the finite part beside an infinite one is rounded otherwise", when="not ms.isfinite(input).all()", risk="style", zh="与无穷部分相伴的有限部分舍入不同")


def _along_no_axes(input, s, dim):
    """A transform over no axes: the numbers themselves, complex. MindSpore's transforms take an empty list for every axis, or end the process."""
    if s or dim == 0 or dim:
        raise RuntimeError("as many sizes as axes are needed")
    if input.is_complex():
        return input.copy()
    return input.astype(ms.complex128 if input.dtype == ms.float64 else ms.complex64)


@equivalent("torch.fft.fft", differs=[BESIDE])
def fft(input, n=None, dim=-1, norm=None, *, out=None):
    """The Fourier transform along one axis. https://docs.pytorch.org/docs/2.13/generated/torch.fft.fft.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.fft(input, n, dim, norm)


@equivalent("torch.fft.fft2")
def fft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """`fft` over the last two axes or the two given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.fft2.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return fft2(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        return _along_no_axes(input, s, dim)
    if isinstance(dim, int):
        return ops.fft2(input, s, (dim,), norm)
    return ops.fft2(input, s, dim, norm)


@equivalent("torch.fft.fftn")
def fftn(input, s=None, dim=None, norm=None, *, out=None):
    """`fft` over all axes, the last of them, or those given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.fftn.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return fftn(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        return _along_no_axes(input, s, dim)
    if s is not None and dim is None:
        dim = tuple(range(-len(s), 0))
    if isinstance(dim, int):
        return ops.fftn(input, s, (dim,), norm)
    return ops.fftn(input, s, dim, norm)


@equivalent("torch.fft.ifft", differs=[BESIDE])
def ifft(input, n=None, dim=-1, norm=None, *, out=None):
    """The inverse Fourier transform along one axis. https://docs.pytorch.org/docs/2.13/generated/torch.fft.ifft.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.ifft(input, n, dim, norm)


@equivalent("torch.fft.ifft2")
def ifft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """`ifft` over the last two axes or the two given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.ifft2.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return ifft2(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        return _along_no_axes(input, s, dim)
    if isinstance(dim, int):
        return ops.ifft2(input, s, (dim,), norm)
    return ops.ifft2(input, s, dim, norm)


@equivalent("torch.fft.ifftn")
def ifftn(input, s=None, dim=None, norm=None, *, out=None):
    """`ifft` over all axes, the last of them, or those given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.ifftn.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return ifftn(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        return _along_no_axes(input, s, dim)
    if s is not None and dim is None:
        dim = tuple(range(-len(s), 0))
    if isinstance(dim, int):
        return ops.ifftn(input, s, (dim,), norm)
    return ops.ifftn(input, s, dim, norm)


@equivalent("torch.fft.rfft", differs=[BESIDE])
def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The half of the Fourier transform of real input that determines the rest. https://docs.pytorch.org/docs/2.13/generated/torch.fft.rfft.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.rfft(input, n, dim, norm)


@equivalent("torch.fft.rfft2")
def rfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """`rfft` over the last two axes or the two given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.rfft2.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return rfft2(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        raise RuntimeError("rfft2 must transform at least one axis, and as many as there are sizes")
    if isinstance(dim, int):
        return ops.rfft2(input, s, (dim,), norm)
    return ops.rfft2(input, s, dim, norm)


@equivalent("torch.fft.rfftn")
def rfftn(input, s=None, dim=None, norm=None, *, out=None):
    """`rfft` over all axes, the last of them, or those given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.rfftn.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return rfftn(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        raise RuntimeError("rfftn must transform at least one axis, and as many as there are sizes")
    if s is not None and dim is None:
        dim = tuple(range(-len(s), 0))
    if isinstance(dim, int):
        return ops.rfftn(input, s, (dim,), norm)
    return ops.rfftn(input, s, dim, norm)


@equivalent("torch.fft.irfft")
def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The inverse of rfft; real. https://docs.pytorch.org/docs/2.13/generated/torch.fft.irfft.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.irfft(input, n, dim, norm)


@equivalent("torch.fft.irfft2")
def irfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """`irfft` over the last two axes or the two given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.irfft2.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return irfft2(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        raise RuntimeError("irfft2 must transform at least one axis, and as many as there are sizes")
    if isinstance(dim, int):
        return ops.irfft2(input, s, (dim,), norm)
    return ops.irfft2(input, s, dim, norm)


@equivalent("torch.fft.irfftn")
def irfftn(input, s=None, dim=None, norm=None, *, out=None):
    """`irfft` over all axes, the last of them, or those given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.irfftn.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return irfftn(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        raise RuntimeError("irfftn must transform at least one axis, and as many as there are sizes")
    if s is not None and dim is None:
        dim = tuple(range(-len(s), 0))
    if isinstance(dim, int):
        return ops.irfftn(input, s, (dim,), norm)
    return ops.irfftn(input, s, dim, norm)


@equivalent("torch.fft.hfft")
def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The Fourier transform of a Hermitian signal given by its half; real. https://docs.pytorch.org/docs/2.13/generated/torch.fft.hfft.html

    Of a strided tensor `ops.hfft`, `ops.hfft2` and `ops.hfftn` give wrong values, also after `contiguous()`.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if norm == "ortho":
        return ops.irfft(ops.conj(input), n, dim, "ortho")
    if norm == "forward":
        return ops.irfft(ops.conj(input), n, dim, "backward")
    return ops.irfft(ops.conj(input), n, dim, "forward")


@equivalent("torch.fft.hfft2")
def hfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """`hfft` over the last two axes or the two given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.hfft2.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return hfft2(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        raise RuntimeError("hfft2 must transform at least one axis, and as many as there are sizes")
    if isinstance(dim, int):
        return hfft2(input, s, (dim,), norm)
    if norm == "ortho":
        return ops.irfft2(ops.conj(input), s, dim, "ortho")
    if norm == "forward":
        return ops.irfft2(ops.conj(input), s, dim, "backward")
    return ops.irfft2(ops.conj(input), s, dim, "forward")


@equivalent("torch.fft.hfftn")
def hfftn(input, s=None, dim=None, norm=None, *, out=None):
    """`hfft` over all axes, the last of them, or those given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.hfftn.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return hfftn(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        raise RuntimeError("hfftn must transform at least one axis, and as many as there are sizes")
    if s is not None and dim is None:
        dim = tuple(range(-len(s), 0))
    if isinstance(dim, int):
        return hfftn(input, s, (dim,), norm)
    if norm == "ortho":
        return ops.irfftn(ops.conj(input), s, dim, "ortho")
    if norm == "forward":
        return ops.irfftn(ops.conj(input), s, dim, "backward")
    return ops.irfftn(ops.conj(input), s, dim, "forward")


@equivalent("torch.fft.ihfft", differs=[BESIDE])
def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The inverse of hfft. https://docs.pytorch.org/docs/2.13/generated/torch.fft.ihfft.html

    `ops.ihfft` of a strided tensor is the conjugate of what it should be.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if norm == "ortho":
        return ops.conj(ops.rfft(input, n, dim, "ortho"))
    if norm == "forward":
        return ops.conj(ops.rfft(input, n, dim, "backward"))
    return ops.conj(ops.rfft(input, n, dim, "forward"))


@equivalent("torch.fft.ihfft2")
def ihfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """`ihfft` over the last two axes or the two given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.ihfft2.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return ihfft2(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        raise RuntimeError("ihfft2 must transform at least one axis, and as many as there are sizes")
    if isinstance(dim, int):
        return ihfft2(input, s, (dim,), norm)
    if norm == "ortho":
        return ops.conj(ops.rfft2(input, s, dim, "ortho"))
    if norm == "forward":
        return ops.conj(ops.rfft2(input, s, dim, "backward"))
    return ops.conj(ops.rfft2(input, s, dim, "forward"))


@equivalent("torch.fft.ihfftn")
def ihfftn(input, s=None, dim=None, norm=None, *, out=None):
    """`ihfft` over all axes, the last of them, or those given. https://docs.pytorch.org/docs/2.13/generated/torch.fft.ihfftn.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(s, int):
        return ihfftn(input, (s,), dim, norm)
    if (s is not None and not with_axes(s)) or (dim is not None and not with_axes(dim)):
        raise RuntimeError("ihfftn must transform at least one axis, and as many as there are sizes")
    if s is not None and dim is None:
        dim = tuple(range(-len(s), 0))
    if isinstance(dim, int):
        return ihfftn(input, s, (dim,), norm)
    if norm == "ortho":
        return ops.conj(ops.rfftn(input, s, dim, "ortho"))
    if norm == "forward":
        return ops.conj(ops.rfftn(input, s, dim, "backward"))
    return ops.conj(ops.rfftn(input, s, dim, "forward"))


@equivalent("torch.fft.fftshift")
def fftshift(input, dim=None):
    """The frequency 0 moved to the middle. https://docs.pytorch.org/docs/2.13/generated/torch.fft.fftshift.html

    Without axes the gradient of `ops.fftshift` is another one from the second call on.
    """
    return ops.fftshift(input, tuple(range(input.ndim)) if dim is None else dim)


@equivalent("torch.fft.ifftshift")
def ifftshift(input, dim=None):
    """The frequency 0 moved back to the front. https://docs.pytorch.org/docs/2.13/generated/torch.fft.ifftshift.html

    Without axes the gradient of `ops.ifftshift` is another one from the second call on.
    """
    return ops.ifftshift(input, tuple(range(input.ndim)) if dim is None else dim)
