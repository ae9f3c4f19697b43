"""In-place forms of running products, of scatters that reduce, and of polygamma."""

from mindport.declare import difference, equivalent
from mindport.equivalents.cumulative import cumprod
from mindport.equivalents.inplace import overwrite
from mindport.equivalents.probability_functions import polygamma
from mindport.equivalents.scatter_reduction import index_reduce, scatter_reduce


@equivalent("torch.Tensor.cumprod_", differs=[difference("the gradient of complex numbers is NaN from a zero on", when="self.is_complex() and (self == 0).any()", risk="loud", zh="复数遇到零时梯度为 NaN")])
def cumprod_(self, dim, *, dtype=None):
    """The running product along an axis, in place. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.cumprod_.html"""
    return overwrite(self, cumprod(self.copy(), dim, dtype=dtype))


@equivalent("torch.Tensor.scatter_reduce_")
def scatter_reduce_(self, dim, index, src, reduce, *, include_self=True):
    """The elements of `src` that `index` sends to one place are reduced, in place.

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.scatter_reduce_.html
    """
    return overwrite(self, scatter_reduce(self.copy(), dim, index, src, reduce, include_self=include_self))


@equivalent("torch.Tensor.index_reduce_")
def index_reduce_(self, dim, index, source, reduce, *, include_self=True):
    """The slices of `source` that `index` sends to one place are reduced, in place."""
    return overwrite(self, index_reduce(self.copy(), dim, index, source, reduce, include_self=include_self))


@equivalent("torch.Tensor.polygamma_", differs=[difference("at the poles it is infinite, where torch gives a large number", when="((self <= 0) & (self.double() % 1 == 0)).any()", risk="style", zh="极点处为无穷，PyTorch 为很大的数"), difference("infinity gives NaN", when="ms.isinf(self).any()", zh="无穷得到 NaN"), difference("float64 is computed with the accuracy of float32", when="self.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def polygamma_(self, n):
    """The n-th derivative of digamma, in place."""
    return overwrite(self, polygamma(n, self.copy()))
