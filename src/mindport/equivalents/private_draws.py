"""What torch's distributions draw with, which projects import where they write a distribution of their own (a truncated normal with a clipped draw)."""

from mindport.declare import equivalent
from mindport.equivalents.distributions_base import normal_draw


@equivalent("torch.distributions.utils._standard_normal", random=True, drops={"device": "MindSpore has one device for all"})
def standard_normal(shape, dtype, device):
    """Numbers of the standard normal distribution."""
    return normal_draw(shape, dtype)
