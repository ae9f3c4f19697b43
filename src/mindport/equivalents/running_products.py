"""The running product's gradient from a zero on: the transmittance behind an opaque sample (``torch.cumprod(1 - alpha, -1)``, NeRF).

MindSpore's backward pass of `ops.cumprod` divides by the input: NaN for all that comes before a zero, silently. The product of all distances
1, 2, 4, … has every gradient, of any order. No torch name.
"""

import mindspore as ms
import numpy as np
from mindspore import ops
from mindspore.ops.functional import is_sequence_value_unknown

from mindport.equivalents.nested_derivatives import running


def doubled_products(x, dim):
    """The running product in log2(n) products: the r-th is of up to 2^r elements, ``p[i] = p[i] * p[i - 2^r]``."""
    count, by = x.shape[dim], 1
    places = np.arange(count)
    shape = [1] * x.ndim
    shape[dim] = count
    while by < count:
        earlier = ops.gather(x, ms.tensor(np.maximum(places - by, 0)), dim)
        x = x * ops.where(ms.tensor((places < by).reshape(shape)), ops.ones_like(x), earlier)
        by *= 2
    return x


def product_with_zeros(product, x, dim):
    """`product`, the running product of x, with a gradient that zeros in x do not spoil (floats, where the shape is known). Of what is out of range there is none."""
    if not x.is_floating_point():
        return product
    if not running():
        if is_sequence_value_unknown(x.shape):  # how many products there are shows in no graph of dynamic shape
            return product
    elif not bool((x == 0).any()):
        return product
    if x.size == 0 or x.shape[dim] < 2:
        return product
    doubled = doubled_products(x, dim)
    exact, other = ops.stop_gradient(product), ops.stop_gradient(doubled)  # the numbers stay those of `ops.cumprod`: other roundings, and overflows in other places
    return ops.where(ops.isfinite(exact) & ops.isfinite(other), doubled + (exact - other), exact)
