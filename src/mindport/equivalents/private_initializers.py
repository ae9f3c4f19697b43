"""torch's inner initialisers, which projects call where they wrote their own before torch had it: the public ones, under other names.

A file of their own, so that what calls the public ones keeps its evidence.
"""

from mindport.declare import equivalent
from mindport.equivalents.initializers import GENERATOR, constant_, normal_, trunc_normal_, uniform_, zeros_


@equivalent("torch.nn.init._no_grad_fill_")
def no_grad_fill(tensor, val):
    """One value everywhere."""
    return constant_(tensor, val)


@equivalent("torch.nn.init._no_grad_zero_")
def no_grad_zero(tensor):
    """Zeros."""
    return zeros_(tensor)


@equivalent("torch.nn.init._no_grad_normal_", random=True, drops=GENERATOR)
def no_grad_normal(tensor, mean, std, generator=None):
    """A normal distribution."""
    return normal_(tensor, mean, std)


@equivalent("torch.nn.init._no_grad_trunc_normal_", random=True, drops=GENERATOR)
def no_grad_trunc_normal(tensor, mean, std, a, b, generator=None):
    """A normal distribution, drawn again outside [a, b]."""
    return trunc_normal_(tensor, mean, std, a, b)


@equivalent("torch.nn.init._no_grad_uniform_", random=True, drops=GENERATOR)
def no_grad_uniform(tensor, a, b, generator=None):
    """A uniform distribution on [a, b)."""
    return uniform_(tensor, a, b)
