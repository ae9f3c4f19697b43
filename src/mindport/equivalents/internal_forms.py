"""Functions under torch's own name that torch.nn.functional and torch.nn.utils call, with their order of arguments; old graphs and copied code use them."""

from mindspore import ops

from mindport.declare import difference, equivalent
from mindport.equivalents.convolution import conv1d
from mindport.equivalents.functional_normalization import batch_norm, group_norm, instance_norm
from mindport.equivalents.linear_maps import embedding
from mindport.equivalents.matrix import vector_norm

WEIGHTS = difference("a weight that is NaN or infinite gives infinity where torch gives NaN", when="weight is not None and not ms.isfinite(weight).all()", zh="权重含 NaN 或无穷时得到无穷，PyTorch 得到 NaN")
CUDNN = {"cudnn_enabled": "MindSpore chooses its kernels by device"}


@equivalent("torch.batch_norm", drops=CUDNN, differs=[WEIGHTS])
def torch_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    """`nn.functional.batch_norm` with the weights before the statistics."""
    return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@equivalent("torch.instance_norm", drops=CUDNN, differs=[WEIGHTS])
def torch_instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    """`nn.functional.instance_norm` with the weights before the statistics."""
    return instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


@equivalent("torch.group_norm", drops=CUDNN, differs=[WEIGHTS])
def torch_group_norm(input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True):
    """`nn.functional.group_norm`."""
    return group_norm(input, num_groups, weight, bias, eps)


@equivalent("torch.embedding", drops={"sparse": "the gradient is dense, with the same values"})
def torch_embedding(weight, input, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    """`nn.functional.embedding` with the table first; -1 stands for no padding."""
    return embedding(input, weight, None if padding_idx == -1 else padding_idx, None, 2.0, scale_grad_by_freq)


@equivalent("torch.norm_except_dim")
def norm_except_dim(v, pow=2, dim=0):
    """The norm over all axes but one, axes kept; of dim=-1 over all of them."""
    if dim == -1:
        return vector_norm(v, pow)
    return vector_norm(v, pow, tuple(axis for axis in range(v.ndim) if axis != dim % v.ndim), True) if v.ndim > 1 else ops.abs(v)


@equivalent("torch.nn.functional.conv_tbc")
def conv_tbc(input, weight, bias, pad=0):
    """A convolution of (time, batch, channels) with a kernel (time, channels, outputs).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.conv_tbc.html
    """
    return conv1d(input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, 1, pad).permute(2, 0, 1)
