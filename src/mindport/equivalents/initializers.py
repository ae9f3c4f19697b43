"""torch.nn.init: values drawn into a tensor that exists.

https://docs.pytorch.org/docs/2.13/nn.init.html. A parameter takes them by `set_data`, as MindSpore
users write it; another tensor is overwritten in place. The distributions are torch's, the stream of
random numbers is MindSpore's.
"""

import math

import numpy as np
from mindspore import Parameter, Tensor, _no_grad
from mindspore.common.initializer import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Identity,
    Normal,
    One,
    Orthogonal,
    TruncatedNormal,
    XavierNormal,
    XavierUniform,
    Zero,
    initializer,
)

from mindport.declare import Refused, equivalent
from mindport.equivalents.initializer_stream import initial_numbers

GENERATOR = {"generator": "MindSpore draws from its one global stream; mindspore.set_seed sets it"}


def _write(tensor, values):
    """Put values into a tensor, or into what it is a view of; `copy_` does nothing to transposed views, and raises for others."""
    if tensor.size:
        with _no_grad():
            tensor[()] = values
    return tensor


def _fill(tensor, values):
    """Overwrite any tensor with an initializer's values."""
    drawn = initializer(values, tensor.shape, tensor.dtype).init_data()
    if isinstance(tensor, Parameter):
        return tensor.set_data(drawn)
    return _write(tensor, drawn)


@equivalent("torch.nn.init.constant_", "torch.nn.init.constant")
def constant_(tensor, val):
    """One value everywhere."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(Constant(val), tensor.shape, tensor.dtype))
    return _fill(tensor, Constant(val))


@equivalent("torch.nn.init.zeros_")
def zeros_(tensor):
    """Zeros."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(Zero(), tensor.shape, tensor.dtype))
    return _fill(tensor, Zero())


@equivalent("torch.nn.init.ones_")
def ones_(tensor):
    """Ones."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(One(), tensor.shape, tensor.dtype))
    return _fill(tensor, One())


@equivalent("torch.nn.init.eye_", "torch.nn.init.eye")
def eye_(tensor):
    """The identity matrix."""
    return _fill(tensor, Identity())


@equivalent("torch.nn.init.dirac_", "torch.nn.init.dirac")
def dirac_(tensor, groups=1):
    """The identity of a convolution."""
    return _fill(tensor, Dirac(groups))


@equivalent("torch.nn.init.normal_", "torch.nn.init.normal", random=True, drops=GENERATOR)
def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """A normal distribution."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(Normal(std, mean), tensor.shape, tensor.dtype))
    return _fill(tensor, Normal(std, mean))


@equivalent("torch.nn.init.trunc_normal_", random=True, drops=GENERATOR)
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """A normal distribution, drawn again outside [a, b]."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(TruncatedNormal(std, mean, a, b), tensor.shape, tensor.dtype))
    return _fill(tensor, TruncatedNormal(std, mean, a, b))


@equivalent("torch.nn.init.uniform_", "torch.nn.init.uniform", random=True, drops=GENERATOR)
def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """A uniform distribution on [a, b). MindSpore's `Uniform` is symmetric about 0."""
    drawn = Tensor(initial_numbers().uniform(a, b, tensor.shape).astype(np.float32), tensor.dtype)
    if isinstance(tensor, Parameter):
        return tensor.set_data(drawn)
    return _write(tensor, drawn)


@equivalent("torch.nn.init.xavier_uniform_", "torch.nn.init.xavier_uniform", random=True, drops=GENERATOR)
def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Uniform with variance gain² · 2 / (fan_in + fan_out)."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(XavierUniform(gain), tensor.shape, tensor.dtype))
    return _fill(tensor, XavierUniform(gain))


@equivalent("torch.nn.init.xavier_normal_", "torch.nn.init.xavier_normal", random=True, drops=GENERATOR)
def xavier_normal_(tensor, gain=1.0, generator=None):
    """Normal with variance gain² · 2 / (fan_in + fan_out)."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(XavierNormal(gain), tensor.shape, tensor.dtype))
    return _fill(tensor, XavierNormal(gain))


@equivalent("torch.nn.init.kaiming_uniform_", "torch.nn.init.kaiming_uniform", random=True, drops=GENERATOR)
def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Uniform with variance gain² / fan, He et al. 2015."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(HeUniform(a, mode, nonlinearity), tensor.shape, tensor.dtype))
    return _fill(tensor, HeUniform(a, mode, nonlinearity))


@equivalent("torch.nn.init.kaiming_normal_", "torch.nn.init.kaiming_normal", random=True, drops=GENERATOR)
def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Normal with variance gain² / fan, He et al. 2015."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(HeNormal(a, mode, nonlinearity), tensor.shape, tensor.dtype))
    return _fill(tensor, HeNormal(a, mode, nonlinearity))


@equivalent("torch.nn.init.orthogonal_", "torch.nn.init.orthogonal", random=True, drops=GENERATOR)
def orthogonal_(tensor, gain=1, generator=None):
    """A random (semi-)orthogonal matrix, times gain."""
    if isinstance(tensor, Parameter):
        return tensor.set_data(initializer(Orthogonal(gain), tensor.shape, tensor.dtype))
    return _fill(tensor, Orthogonal(gain))


@equivalent("torch.nn.init.calculate_gain")
def calculate_gain(nonlinearity, param=None):
    """The factor that keeps a variance through a nonlinearity."""
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    if nonlinearity in ("linear", "sigmoid", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"):
        return 1
    raise Refused("the nonlinearity is none that torch.nn.init.calculate_gain knows")


@equivalent("torch.nn.init.sparse_", "torch.nn.init.sparse", random=True, drops=GENERATOR)
def sparse_(tensor, sparsity, std=0.01, generator=None):
    """A matrix of normal numbers, in each column of which a share of the rows is 0."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows = tensor.shape[0]
    order = np.argsort(np.random.random(tuple(tensor.shape)), axis=0).argsort(axis=0)
    drawn = np.random.normal(0, std, tuple(tensor.shape)) * (order >= math.ceil(sparsity * rows))
    value = Tensor(drawn.astype(np.float32)).astype(tensor.dtype)
    return tensor.set_data(value) if isinstance(tensor, Parameter) else _write(tensor, value)
