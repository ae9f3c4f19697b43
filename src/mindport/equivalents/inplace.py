"""Arithmetic and elementwise functions that change their tensor and return it.

MindSpore's own in-place methods are no substitute: on CPU `add_ sub_ mul_ div_` return the new value and leave the
tensor as it was, the others have no kernel. Assignment through ``tensor[()]`` writes into the tensor's memory,
so that its views, its base and a Parameter's owner see it; ``tensor[...] = value`` gives the tensor new memory.

MindSpore keeps the inputs that a gradient needs without a copy and does not notice that they were overwritten, so
functions whose gradient needs the old value compute from ``self.copy()``. An *earlier* function that needs it, as in
``y = x * x; x.mul_(2)``, still gets a wrong gradient where torch raises.
"""

import mindspore as ms
from mindspore import Parameter, Tensor, _no_grad, ops

from mindport.declare import difference, equivalent
from mindport.equivalents.arithmetic import OF_QUOTIENT, TENSOR_DIVISION, fmod, with_quotient
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.exponential import erfinv
from mindport.equivalents.near_zero import expm1_near_zero, log1p_near_zero
from mindport.equivalents.pointwise import nan_to_num, sign, torch_round
from mindport.equivalents.powers import power
from mindport.equivalents.tangent import tanh_of


def overwrite(tensor, value):
    """Write `value`, cast to the tensor's dtype, into the tensor's memory; return the tensor.

    A parameter that was assigned to by index is a view of itself: kernels that update parameters then leave it as it is.
    """
    if isinstance(tensor, Parameter):
        with _no_grad():  # torch allows it only there, and MindSpore raises where a gradient is being taken
            tensor.copy_(ops.broadcast_to(value.astype(tensor.dtype), tensor.shape))
    elif tensor.dtype == ms.bfloat16:  # which assignment by index does not know on CPU, and `copy_` does not reach a view: bits are written
        with _no_grad():
            tensor.view(ms.int16)[()] = ops.broadcast_to(value.astype(tensor.dtype), tensor.shape).copy().view(ms.int16)
    elif tensor.size:
        tensor[()] = value.astype(tensor.dtype)
    return tensor


def overwrite_computed(tensor, value):
    """`overwrite` for results of arithmetic: fractions do not fit into whole numbers, nor whole numbers into truth values.

    Raises RuntimeError, as torch does.
    """
    if kind_of_number(value) > kind_of_number(tensor):
        raise RuntimeError(f"result type {value.dtype} can't be cast to the desired output type {tensor.dtype}")
    return overwrite(tensor, value)


def kind_of_number(tensor):
    """0 of truth values, 1 of whole numbers, 2 of fractions, 3 of complex numbers."""
    if tensor.dtype == ms.bool_:
        return 0
    if tensor.is_complex():
        return 3
    return 2 if tensor.is_floating_point() else 1


@equivalent("torch.Tensor.add_")
def add_(self, other, *, alpha=1):
    """self += alpha * other."""
    if alpha == 1:
        return overwrite_computed(self, self + other)
    return overwrite_computed(self, self + alpha * other)


@equivalent("torch.Tensor.sub_", "torch.Tensor.subtract_")
def sub_(self, other, *, alpha=1):
    """self -= alpha * other."""
    if alpha == 1:
        return overwrite_computed(self, self - other)
    return overwrite_computed(self, self - alpha * other)


@equivalent("torch.Tensor.mul_", "torch.Tensor.multiply_")
def mul_(self, other):
    """self *= other."""
    return overwrite_computed(self, self.copy() * other)


@equivalent("torch.Tensor.div_", "torch.Tensor.divide_", differs=[TENSOR_DIVISION])
def div_(self, other, *, rounding_mode=None):
    """self /= other, floored or truncated on request."""
    return overwrite_computed(self, ops.div(self.copy(), other, rounding_mode=rounding_mode))


@equivalent("torch.Tensor.true_divide_", differs=[TENSOR_DIVISION])
def true_divide_(self, other):
    """self /= other."""
    return overwrite_computed(self, self.copy() / other)


@equivalent("torch.Tensor.floor_divide_", differs=[TENSOR_DIVISION, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(self).all()", zh="输入含 NaN 或无穷时结果不同")])
def floor_divide_(self, other):
    """self //= other."""
    return overwrite(self, ops.floor_divide(self, other))


@equivalent("torch.Tensor.remainder_", differs=[TENSOR_DIVISION])
def remainder_(self, other):
    """The remainder with the divisor's sign, in place."""
    return overwrite(self, self.copy() % other)


@equivalent("torch.Tensor.fmod_", differs=[TENSOR_DIVISION])
def fmod_(self, other):
    """The remainder with the dividend's sign, in place."""
    return overwrite(self, fmod(self.copy(), other))


@equivalent("torch.Tensor.pow_")
def pow_(self, exponent):
    """self **= exponent."""
    return overwrite_computed(self, power(self.copy(), exponent))


@equivalent("torch.Tensor.addcmul_")
def addcmul_(self, tensor1, tensor2, *, value=1):
    """self += value * tensor1 * tensor2."""
    if self.dtype in (ms.float64, ms.complex64, ms.complex128) or not self.dtype == tensor1.dtype == tensor2.dtype:  # for which MindSpore has no kernel, or one of float32's digits
        return overwrite(self, self + exact(value, self) * tensor1 * tensor2)
    return overwrite(self, ops.addcmul(self.copy(), tensor1, tensor2, value))


@equivalent("torch.Tensor.addcdiv_", differs=[OF_QUOTIENT])
def addcdiv_(self, tensor1, tensor2, *, value=1):
    """self += value * tensor1 / tensor2, without MindSpore's `addcdiv`, for which small divisors are zero."""
    return overwrite(self, with_quotient(self, value, tensor1, tensor2))


@equivalent("torch.Tensor.addmm_", differs=[difference("matrices without columns give unspecified values", when="mat1.numel() == 0", zh="空矩阵的结果未定义"), difference("an empty tensor gives unspecified values", when="self.numel() == 0", zh="空张量的结果不确定")])
def addmm_(self, mat1, mat2, *, beta=1, alpha=1):
    """self = beta * self + alpha * mat1 @ mat2, in place."""
    return overwrite(self, exact(beta, self) * self + exact(alpha, self) * ops.mm(mat1, mat2))


@equivalent("torch.Tensor.lerp_")
def lerp_(self, end, weight):
    """self += weight * (end - self)."""
    if self.dtype == ms.float64:  # no kernel
        return overwrite(self, self + exact(weight, self) * (end - self))
    return overwrite(self, ops.lerp(self.copy(), end, weight))


@equivalent("torch.Tensor.clamp_", "torch.Tensor.clip_", "torch.clamp_", "torch.clip_", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(self).all() or isinstance(min, Tensor) and not ms.isfinite(min).all() or isinstance(max, Tensor) and not ms.isfinite(max).all()", zh="输入含 NaN 或无穷时结果不同")])
def clamp_(self, min=None, max=None):
    """self limited to [min, max], in place; beside a number a tensor without axes is one, too."""
    if isinstance(min, Tensor) and isinstance(max, (int, float)):
        min = min.item()
    if isinstance(max, Tensor) and isinstance(min, (int, float)):
        max = max.item()
    return overwrite(self, ops.clamp(self.copy(), min, max))


@equivalent("torch.Tensor.clamp_min_", "torch.clamp_min_", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(self).all()", zh="输入含 NaN 或无穷时结果不同")])
def clamp_min_(self, min):
    """self raised to min, in place."""
    return overwrite(self, ops.clamp(self.copy(), min))


@equivalent("torch.Tensor.clamp_max_", "torch.clamp_max_", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(self).all()", zh="输入含 NaN 或无穷时结果不同")])
def clamp_max_(self, max):
    """self lowered to max, in place."""
    return overwrite(self, ops.clamp(self.copy(), None, max))


@equivalent("torch.Tensor.abs_", "torch.abs_")
def abs_(self):
    """|self|, in place."""
    return overwrite(self, ops.abs(self.copy()))


@equivalent("torch.Tensor.neg_", "torch.neg_")
def neg_(self):
    """-self, in place."""
    return overwrite(self, -self)


@equivalent("torch.Tensor.exp_", "torch.exp_")
def exp_(self):
    """exp(self), in place."""
    return overwrite(self, ops.exp(self.copy()))


@equivalent("torch.Tensor.expm1_", "torch.expm1_")
def expm1_(self):
    """exp(self) - 1, in place."""
    return overwrite(self, expm1_near_zero(self.copy()))


@equivalent("torch.Tensor.log_", "torch.log_")
def log_(self):
    """log(self), in place."""
    return overwrite(self, ops.log(self.copy()))


@equivalent("torch.Tensor.log2_", "torch.log2_")
def log2_(self):
    """log2(self), in place."""
    return overwrite(self, ops.log2(self.copy()))


@equivalent("torch.Tensor.log10_", "torch.log10_")
def log10_(self):
    """log10(self), in place."""
    return overwrite(self, ops.log10(self.copy()))


@equivalent("torch.Tensor.log1p_", "torch.log1p_")
def log1p_(self):
    """log(1 + self), in place."""
    return overwrite(self, log1p_near_zero(self.copy()))


@equivalent("torch.Tensor.sqrt_", "torch.sqrt_")
def sqrt_(self):
    """The square root, in place."""
    return overwrite(self, ops.sqrt(self.copy()))


@equivalent("torch.Tensor.rsqrt_", "torch.rsqrt_")
def rsqrt_(self):
    """1 / sqrt(self), in place."""
    return overwrite(self, ops.rsqrt(self.copy()))


@equivalent("torch.Tensor.square_", "torch.square_")
def square_(self):
    """self squared, in place."""
    return overwrite(self, ops.square(self.copy()))


@equivalent("torch.Tensor.reciprocal_", "torch.reciprocal_")
def reciprocal_(self):
    """1 / self, in place."""
    return overwrite(self, ops.reciprocal(self.copy()))


@equivalent("torch.Tensor.floor_", "torch.floor_")
def floor_(self):
    """self rounded down, in place."""
    return overwrite(self, ops.floor(self))


@equivalent("torch.Tensor.ceil_", "torch.ceil_")
def ceil_(self):
    """self rounded up, in place."""
    return overwrite(self, ops.ceil(self))


@equivalent("torch.Tensor.trunc_", "torch.trunc_")
def trunc_(self):
    """self without its fractional part, in place."""
    return overwrite(self, ops.trunc(self))


@equivalent("torch.Tensor.frac_", "torch.frac_")
def frac_(self):
    """self's fractional part, in place."""
    return overwrite(self, ops.frac(self.copy()))


@equivalent("torch.Tensor.sigmoid_", "torch.sigmoid_")
def sigmoid_(self):
    """sigmoid(self), in place."""
    return overwrite(self, ops.sigmoid(self.copy()))


@equivalent("torch.Tensor.tanh_", "torch.tanh_")
def tanh_(self):
    """tanh(self), in place."""
    return overwrite(self, tanh_of(self.copy()))


@equivalent("torch.Tensor.relu_", "torch.relu_", "torch.nn.functional.relu_", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(self).all()", zh="输入含 NaN 或无穷时结果不同")])
def relu_(self):
    """max(self, 0), in place."""
    return overwrite(self, ops.relu(self.copy()))


@equivalent("torch.Tensor.sin_", "torch.sin_")
def sin_(self):
    """sin(self), in place."""
    return overwrite(self, ops.sin(self.copy()))


@equivalent("torch.Tensor.cos_", "torch.cos_")
def cos_(self):
    """cos(self), in place."""
    return overwrite(self, ops.cos(self.copy()))


@equivalent("torch.Tensor.erf_", "torch.erf_")
def erf_(self):
    """erf(self), in place."""
    return overwrite(self, ops.erf(self.copy()))


@equivalent("torch.Tensor.erfinv_")
def erfinv_(self):
    """The inverse of erf, in place."""
    return overwrite(self, erfinv(self.copy()))


@equivalent("torch.Tensor.negative_", "torch.negative_")
def negative_(self):
    """-self, in place."""
    return overwrite(self, -self)


@equivalent("torch.Tensor.absolute_")
def absolute_(self):
    """|self|, in place."""
    return overwrite(self, ops.abs(self.copy()))


@equivalent("torch.Tensor.sign_")
def sign_(self):
    """The sign of self, in place."""
    return overwrite(self, sign(self.copy()))


@equivalent("torch.Tensor.round_", "torch.round_")
def round_(self, *, decimals=0):
    """self rounded, halves to even, in place."""
    return overwrite(self, torch_round(self, decimals=decimals))


@equivalent("torch.Tensor.nan_to_num_", "torch.nan_to_num_")
def nan_to_num_(self, nan=0.0, posinf=None, neginf=None):
    """NaN and the infinities replaced, in place."""
    return overwrite(self, nan_to_num(self.copy(), nan, posinf, neginf))


@equivalent("torch.Tensor.logical_and_")
def logical_and_(self, other):
    """Logical and, in place."""
    return overwrite(self, ops.logical_and(self, other))


@equivalent("torch.Tensor.logical_or_")
def logical_or_(self, other):
    """Logical or, in place."""
    return overwrite(self, ops.logical_or(self, other))


@equivalent("torch.Tensor.logical_xor_")
def logical_xor_(self, other):
    """Logical xor, in place."""
    return overwrite(self, ops.logical_xor(self, other))


@equivalent("torch.Tensor.bitwise_and_")
def bitwise_and_(self, other):
    """Bitwise and, in place."""
    return overwrite(self, ops.bitwise_and(self, other))


@equivalent("torch.Tensor.bitwise_or_")
def bitwise_or_(self, other):
    """Bitwise or, in place."""
    return overwrite(self, ops.bitwise_or(self, other))


@equivalent("torch.Tensor.bitwise_xor_")
def bitwise_xor_(self, other):
    """Bitwise xor, in place."""
    return overwrite(self, ops.bitwise_xor(self, other))


@equivalent("torch.Tensor.logical_not_")
def logical_not_(self):
    """Logical not, in place."""
    return overwrite(self, ops.logical_not(self))


@equivalent("torch.fill", differs=[difference("a tensor as the value gets no gradient", when="isinstance(value, Tensor)", zh="张量值没有梯度")])
def fill(input, value):
    """A new tensor like `input` that holds one value; the input's gradient is zeros. torch's function has no page of its own; see `Tensor.fill_`."""
    filled = ops.full_like(input, value)
    if input.dtype == ms.bfloat16:  # has no `where` on CPU, and no gradient there
        return filled
    return ops.where(ops.full(tuple(input.shape), True, dtype=ms.bool_), filled, input)
