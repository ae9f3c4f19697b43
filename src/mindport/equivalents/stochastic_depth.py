"""timm's stochastic depth as a function."""

from mindspore import ops

from mindport.declare import equivalent
from mindport.equivalents.random import bernoulli


@equivalent("timm.layers.drop_path", random=True)
def drop_path(x, drop_prob=0.0, training=False, scale_by_keep=True):
    """In training each example becomes zero with probability drop_prob, and the others grow by 1 / (1 - drop_prob)."""
    if drop_prob == 0.0 or not training:
        return x
    kept = 1 - drop_prob
    mask = bernoulli(ops.full((x.shape[0],) + (1,) * (x.ndim - 1), kept, dtype=x.dtype))
    return x * (mask / kept if kept > 0.0 and scale_by_keep else mask)
