"""Values rounded to the steps of whole numbers and back, as training for quantisation does; the gradient passes where nothing was cut off.

https://docs.pytorch.org/docs/2.13/generated/torch.fake_quantize_per_tensor_affine.html
"""

from mindspore import ops

from mindport.declare import difference, equivalent


def _in_steps(x, scale, zero_point, low, high):
    fixed = ops.stop_gradient(x)
    step = ops.round(fixed * (1 / scale)) + zero_point
    inside = ops.logical_and(step >= low, step <= high)
    rounded = (ops.clamp(step, low, high) - zero_point) * scale
    return (rounded + ops.where(inside, x - fixed, ops.zeros_like(x))).astype(x.dtype)


@equivalent("torch.fake_quantize_per_tensor_affine")
def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    """(clip(round(x / scale) + zero_point) - zero_point) * scale; the gradient is 1 inside of the range, 0 outside."""
    return _in_steps(input, scale, zero_point, quant_min, quant_max)


@equivalent("torch.fake_quantize_per_channel_affine", differs=[difference("infinity becomes the largest value, in torch the smallest", when="not ms.isfinite(input).all()", zh="无穷变为最大值，PyTorch 为最小值")])
def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    """The same with a scale and a zero point for each place along an axis."""
    shape = tuple(-1 if place == axis % input.ndim else 1 for place in range(input.ndim))
    return _in_steps(input, scale.reshape(shape), zero_point.reshape(shape), quant_min, quant_max)
