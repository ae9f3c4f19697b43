"""timm's helpers for sizes: one number for every axis, widths that a number divides.

As in timm 1.0, where what is iterable becomes a tuple; timm 0.4 gave a list back as it is.
"""

from mindport.declare import equivalent


def in_a_tuple(x, count):
    """A tuple of what is iterable and no text, else the value `count` times."""
    return tuple(x) if hasattr(x, "__iter__") and not isinstance(x, str) else (x,) * count


@equivalent("timm.layers.to_ntuple")
def to_ntuple(n):
    """The function that gives a tuple of what is iterable, else of n times its argument."""
    return lambda x: in_a_tuple(x, n)


@equivalent("timm.layers.to_2tuple")
def to_2tuple(x):
    """A tuple of what is iterable, else the value twice."""
    return in_a_tuple(x, 2)


@equivalent("timm.layers.to_3tuple")
def to_3tuple(x):
    """A tuple of what is iterable, else the value three times."""
    return in_a_tuple(x, 3)


@equivalent("timm.layers.to_4tuple")
def to_4tuple(x):
    """A tuple of what is iterable, else the value four times."""
    return in_a_tuple(x, 4)


@equivalent("timm.layers.make_divisible")
def make_divisible(v, divisor=8, min_value=None, round_limit=0.9):
    """The multiple of divisor next to v, at least min_value; the one above where it would be less than round_limit * v."""
    nearest = max(min_value or divisor, int(v + divisor / 2) // divisor * divisor)
    return nearest + divisor if nearest < round_limit * v else nearest
