"""Softmax and what is built on it."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.matrix import vector_norm

STACKLEVEL = {"_stacklevel": "the depth of a torch warning"}

#: Above the largest number of float16 a sum of as many ones is infinite.
MOST_OF_SHORT = 65504


def guessed_axis(input):
    """The axis that torch takes where none is named: 0 of none, one or three axes, else 1."""
    return 0 if input.ndim in (0, 1, 3) else 1


def softmax_over(x, axis):
    """softmax along an axis; over a single element without MindSpore's kernel, which refuses tensors without axes.

    After one gradient of the kernel over an axis of length 1, later gradients over other axes are wrong on CPU (PyNative).
    Of more numbers than float16 can count the kernel's sum is infinite, and everything 0.
    """
    if x.ndim == 0 or x.shape[axis] == 1:
        return ops.exp(x - x)
    if x.dtype == ms.float16 and x.shape[axis] > MOST_OF_SHORT:
        return ops.softmax(x.astype(ms.float32), axis).astype(x.dtype)
    return ops.softmax(x, axis)


NO_AXES = difference("the gradient of a tensor without axes never ends on CPU", when="input.ndim == 0", risk="loud", zh="零维张量的梯度在 CPU 上不会结束")


@equivalent("torch.nn.functional.softmax", drops=STACKLEVEL, differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """eˣ, normalised to sum 1 along an axis. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.softmax.html"""
    if dim is None:
        return torch_softmax(input, guessed_axis(input), dtype)
    if dtype is None:
        return softmax_over(input, dim)
    return softmax_over(input.astype(dtype), dim)


@equivalent("torch.softmax", "torch.Tensor.softmax", "torch.special.softmax", opinfo="softmax", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def torch_softmax(input, dim, dtype=None):
    """eˣ, normalised to sum 1 along an axis."""
    if dtype is None:
        return softmax_over(input, dim)
    return softmax_over(input.astype(dtype), dim)


@equivalent("torch.nn.functional.softmin", drops=STACKLEVEL, differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """The softmax of −x."""
    if dim is None:
        return torch_softmax(-input, guessed_axis(input), dtype)
    if dtype is None:
        return softmax_over(-input, dim)
    return softmax_over((-input).astype(dtype), dim)


@equivalent("torch.nn.functional.log_softmax", drops=STACKLEVEL, differs=[difference("float64 is computed with the accuracy of float32", when="dtype is None and input.dtype == ms.float64", zh="float64 只有 float32 的精度"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同"), NO_AXES])
def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """The logarithm of softmax. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.log_softmax.html"""
    if dim is None:
        return torch_log_softmax(input, guessed_axis(input), dtype)
    if dtype is None:
        return ops.log_softmax(input, dim)
    if dtype == ms.float64:
        return _exact_log_softmax(input.astype(dtype), dim)
    return ops.log_softmax(input.astype(dtype), dim)


def _exact_log_softmax(x, dim):
    """In float64, which MindSpore's kernel computes with the accuracy of float32."""
    if x.ndim == 0:
        return x - x
    shifted = x - ops.stop_gradient(ops.amax(x, dim, True))
    return shifted - ops.log(ops.sum(ops.exp(shifted), dim, True))


@equivalent("torch.log_softmax", "torch.Tensor.log_softmax", "torch.special.log_softmax", opinfo="log_softmax", differs=[difference("float64 is computed with the accuracy of float32", when="dtype is None and input.dtype == ms.float64", zh="float64 只有 float32 的精度"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同"), NO_AXES])
def torch_log_softmax(input, dim, dtype=None):
    """The logarithm of softmax."""
    if dtype is None:
        return ops.log_softmax(input, dim)
    if dtype == ms.float64:
        return _exact_log_softmax(input.astype(dtype), dim)
    return ops.log_softmax(input.astype(dtype), dim)


@equivalent("torch.nn.functional.gumbel_softmax", random=True, drops={"eps": "torch ignores it"})
def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """A sample from the Gumbel-softmax distribution; hard: one-hot forward, soft gradient."""
    drawn = -ops.log(-ops.log(1 - ops.rand(logits.shape)))
    soft = softmax_over((logits + drawn.astype(logits.dtype)) / tau, dim)
    if not hard:
        return soft
    index = ops.argmax(soft, dim, keepdim=True)
    one = ops.tensor_scatter_elements(ops.zeros_like(logits), index, ops.ones(index.shape, logits.dtype), dim)  # `ops.scatter` keeps the axis of another rank's call
    return ops.stop_gradient(one - soft) + soft


@equivalent("torch.nn.functional.normalize", opinfo="nn.functional.normalize", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """Divided by the p-norm along an axis, at least eps; a zero vector has the gradient 1 / eps.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.normalize.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    norm = ops.maximum(vector_norm(input, p, dim, True), eps)
    return input / (norm.astype(input.dtype) if input.is_complex() else norm)


@equivalent("torch.nn.functional.one_hot")
def one_hot(tensor, num_classes=-1):
    """Indices as vectors of 0 and 1, int64. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.one_hot.html

    `ops.one_hot` gives a zero row where an index is out of range; torch raises.
    """
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    return ops.one_hot(tensor, num_classes, Tensor(1, ms.int64), Tensor(0, ms.int64))
