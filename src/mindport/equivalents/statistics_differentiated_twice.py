"""Batch normalisation as a function where gradients are differentiated again: what is compiled for it has to write statistics that are no parameters, too."""

import mindspore as ms
from mindspore import ops

from mindport.declare import equivalent
from mindport.equivalents.functional_normalization import SHORT, _statistics, batch_norm


@equivalent("torch.nn.functional.batch_norm_differentiated_twice", opinfo="nn.functional.batch_norm")
def batch_norm_with_statistics(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    """Normalised over all axes but the channels' (axis 1); in training the running statistics move, in a graph, too.

    A graph takes them for constant: where they moved it is compiled anew (`compiled_gradients.py` compares). MindSpore raises where they are a part of another tensor.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.batch_norm.html
    """
    if not training or running_mean is None:
        return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    wide = ops.stop_gradient(input.astype(ms.float32) if input.dtype in SHORT else input)
    mean, variance = _statistics(wide, (0, *range(2, wide.ndim)))
    count = wide.size // wide.shape[1]
    running_mean.copy_((1 - momentum) * running_mean + momentum * mean.reshape(-1))
    running_var.copy_((1 - momentum) * running_var + momentum * variance.reshape(-1) * (count / (count - 1)))
    return batch_norm(input, None, None, weight, bias, True, momentum, eps)
