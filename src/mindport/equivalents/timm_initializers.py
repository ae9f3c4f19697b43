"""timm's initialisers: truncated normal numbers, and variances that follow a weight's shape.

As timm 1.0 draws them. In timm 0.4, `lecun_normal_` cut off at 2, not at two deviations: its numbers have 1.3 times the variance.
"""

import math

from mindport.declare import Refused, equivalent
from mindport.equivalents.initializer_fans import _calculate_fan_in_and_fan_out
from mindport.equivalents.initializers import normal_, uniform_
from mindport.equivalents.initializers import trunc_normal_ as truncated


@equivalent("timm.layers.trunc_normal_", random=True)
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """A normal distribution, drawn again outside [a, b], which mean and std do not move."""
    return truncated(tensor, mean, std, a, b)


@equivalent("timm.layers.trunc_normal_tf_", random=True)
def trunc_normal_tf_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """A standard normal distribution, drawn again outside [a, b], then scaled by std and moved by mean."""
    return truncated(tensor, mean, std, mean + a * std, mean + b * std)


@equivalent("timm.layers.variance_scaling_", random=True)
def variance_scaling_(tensor, scale=1.0, mode="fan_in", distribution="normal"):
    """Numbers with variance scale / fan; of the truncated distribution, what is cut off is made up for."""
    into, out = _calculate_fan_in_and_fan_out(tensor)
    fans = {"fan_in": into, "fan_out": out, "fan_avg": (into + out) / 2}
    if mode not in fans:
        raise Refused("mode is 'fan_in', 'fan_out' or 'fan_avg'")
    deviation = math.sqrt(scale / fans[mode])
    if distribution == "truncated_normal":
        trunc_normal_tf_(tensor, 0.0, deviation / 0.87962566103423978)
    elif distribution == "normal":
        normal_(tensor, 0.0, deviation)
    elif distribution == "uniform":
        uniform_(tensor, -math.sqrt(3) * deviation, math.sqrt(3) * deviation)
    else:
        raise ValueError(f"invalid distribution {distribution}")


@equivalent("timm.layers.lecun_normal_", random=True)
def lecun_normal_(tensor):
    """Truncated normal numbers with variance 1 / fan_in."""
    variance_scaling_(tensor, mode="fan_in", distribution="truncated_normal")
