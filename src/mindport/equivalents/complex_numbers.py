"""Complex numbers: made from parts, taken apart, conjugated."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, absent, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.inplace import overwrite
from mindport.equivalents.shape import common_shape


@equivalent("torch.complex")
def torch_complex(real, imag, *, out=None):
    """real + i imag. https://docs.pytorch.org/docs/2.13/generated/torch.complex.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _joined(real, imag)


def _joined(real, imag):
    """`ops.Complex` broadcasts nothing."""
    shape = common_shape((real, imag))
    return ops.Complex()(ops.broadcast_to(real, shape), ops.broadcast_to(imag, shape))


@equivalent("torch.polar")
def polar(abs, angle, *, out=None):
    """abs (cos angle + i sin angle). https://docs.pytorch.org/docs/2.13/generated/torch.polar.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    size = ops.abs(abs)
    radius = size + ops.stop_gradient(abs - size)  # the derivative is the sign, as in torch: 0 at 0
    return _joined(radius * ops.cos(angle), radius * ops.sin(angle))


@equivalent("torch.angle", "torch.Tensor.angle")
def angle(input, *, out=None):
    """The argument of a complex number; of a real one 0 or pi, NaN of NaN."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.is_complex():
        real, imaginary = ops.real(input), ops.imag(input)
        nothing = ops.logical_and(real == 0, imaginary == 0)  # its gradient is 0, and NaN by the quotient
        return ops.where(nothing, ops.stop_gradient(ops.atan2(imaginary, real)), ops.atan2(imaginary, ops.where(nothing, ops.ones_like(real), real)))
    x = input if input.is_floating_point() else input.astype(ms.float32)
    half = ops.where(x < 0, ops.full_like(x, 0) + exact(3.141592653589793, x), ops.full_like(x, 0))
    return ops.where(ops.isnan(x), ops.stop_gradient(x), half)


@equivalent("torch.conj", "torch.Tensor.conj", view=True)
def conj(input):
    """The conjugate; a real tensor itself."""
    return ops.conj(input) if input.is_complex() else input


@equivalent("torch.conj_physical", "torch.Tensor.conj_physical")
def conj_physical(input, *, out=None):
    """The conjugate; a real tensor itself."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.conj(input) if input.is_complex() else input


@equivalent("torch.view_as_real", view=True)
def view_as_real(input):
    """Real and imaginary part along a new last axis."""
    return ops.stack((ops.real(input), ops.imag(input)), axis=-1)


@equivalent("torch.view_as_complex", view=True)
def view_as_complex(input):
    """The complex numbers whose parts stand along the last axis."""
    return ops.Complex()(input[..., 0], input[..., 1])


@equivalent("torch.Tensor.cfloat", drops={"memory_format": "MindSpore has one layout for dense tensors"})
def cfloat(self, memory_format=None):
    """In complex64."""
    return self.astype(ms.complex64)


@equivalent("torch.Tensor.cdouble", drops={"memory_format": "MindSpore has one layout for dense tensors"})
def cdouble(self, memory_format=None):
    """In complex128."""
    return self.astype(ms.complex128)


absent("torch.Tensor.chalf", why="MindSpore has no complex numbers of two 16-bit floats: use complex64", rung="community")


@equivalent("torch.real", view=True, differs=[difference("a tensor without elements raises", when="input.is_complex() and input.numel() == 0", risk="loud", zh="空张量会报错"), difference("the gradient is complex", when="input.is_complex()", zh="复数梯度")])
def torch_real(input):
    """The real part; a real tensor itself. https://docs.pytorch.org/docs/2.13/generated/torch.real.html"""
    return ops.real(input) if input.is_complex() else input


@equivalent("torch.imag", view=True, differs=[difference("a tensor without elements raises", when="input.numel() == 0", risk="loud", zh="空张量会报错"), difference("the gradient is complex", when="input.is_complex()", zh="复数梯度")])
def torch_imag(input):
    """The imaginary part of a complex tensor. https://docs.pytorch.org/docs/2.13/generated/torch.imag.html"""
    if not input.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return ops.imag(input)


@equivalent("torch.adjoint", "torch.Tensor.adjoint", view=True)
def adjoint(input):
    """The conjugate transpose of each matrix. https://docs.pytorch.org/docs/2.13/generated/torch.adjoint.html"""
    turned = input.swapaxes(-2, -1) if input.ndim else input
    return ops.conj(turned) if input.is_complex() else turned


def with_real(tensor, value):
    """A tensor's numbers with other real parts, broadcast; those of a tensor of real numbers are all there is of them."""
    value = ops.broadcast_to(value if isinstance(value, Tensor) else ms.tensor(value), tensor.shape)
    return _joined(value.astype(ops.imag(tensor).dtype), ops.imag(tensor)) if tensor.is_complex() else value.astype(tensor.dtype)


def with_imag(tensor, value):
    """A complex tensor's numbers with other imaginary parts, broadcast."""
    if not tensor.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    value = ops.broadcast_to(value if isinstance(value, Tensor) else ms.tensor(value), tensor.shape)
    return _joined(ops.real(tensor), value.astype(ops.real(tensor).dtype))


def set_real(owner, value):
    """``z.real = value``: into the memory of a tensor, where MindSpore would give the object an attribute; anything else is asked itself."""
    if isinstance(owner, Tensor):
        overwrite(owner, with_real(owner, value))
    else:
        owner.real = value


def set_imag(owner, value):
    """``z.imag = value``: into the memory of a tensor."""
    if isinstance(owner, Tensor):
        overwrite(owner, with_imag(owner, value))
    else:
        owner.imag = value
