"""One number for every axis: the functions that torch's layers apply to kernel sizes, strides and paddings."""

from mindport.declare import equivalent


@equivalent("torch.nn.modules.utils._single")
def _single(x):
    """A tuple of what is iterable, else one number in a tuple."""
    return tuple(x) if hasattr(x, "__iter__") else (x,)


@equivalent("torch.nn.modules.utils._pair")
def _pair(x):
    """A tuple of what is iterable, else the number twice."""
    return tuple(x) if hasattr(x, "__iter__") else (x, x)


@equivalent("torch.nn.modules.utils._triple")
def _triple(x):
    """A tuple of what is iterable, else the number three times."""
    return tuple(x) if hasattr(x, "__iter__") else (x, x, x)


@equivalent("torch.nn.modules.utils._quadruple")
def _quadruple(x):
    """A tuple of what is iterable, else the number four times."""
    return tuple(x) if hasattr(x, "__iter__") else (x, x, x, x)
