"""Folding a batch normalisation in evaluation mode into the convolution or linear layer before it.

Source: torch/nn/utils/fusion.py.
"""

import copy

from mindspore import Parameter, nn, ops

from mindport.declare import Refused, equivalent
from mindport.layers.state_names import own_buffers, own_parameters


@equivalent("torch.nn.utils.fuse_conv_bn_eval", "torch.nn.utils.fusion.fuse_conv_bn_eval")
def fuse_conv_bn_eval(conv, bn, transpose=False):
    """A copy of the convolution that computes what the convolution and then the normalisation compute.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.fuse_conv_bn_eval.html
    """
    if conv.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if isinstance(conv, nn.Dense):
        raise Refused("a linear layer: call fuse_linear_bn_eval")
    return fused(conv, bn, 1 if transpose else 0)


@equivalent("torch.nn.utils.fuse_linear_bn_eval", "torch.nn.utils.fusion.fuse_linear_bn_eval")
def fuse_linear_bn_eval(linear, bn):
    """A copy of the linear layer that computes what it and then the normalisation compute."""
    if linear.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    return fused(linear, bn, 0)


def fused(layer, bn, axis):
    """The layer with the normalisation's scale on the output axis of its weight."""
    state = {**dict(own_parameters(bn)), **dict(own_buffers(bn))}
    eps = bn.bn2d.eps if isinstance(bn, nn.BatchNorm3d) else bn.eps
    scale = ops.rsqrt(state["running_var"] + eps)
    if state.get("weight") is not None:
        scale = scale * state["weight"]
    result = copy.deepcopy(layer)
    if not layer.has_bias and isinstance(layer, nn.Dense):
        raise Refused("a linear layer without bias: MindSpore's cell decides at construction whether it adds one; build it with bias=True, zero")
    shift = 0 if state.get("bias") is None else state["bias"]
    bias = layer.bias if layer.has_bias else ops.zeros_like(scale)
    stem = layer.weight.name[: -len("weight")] if layer.weight.name.endswith("weight") else ""
    shape = [1] * layer.weight.ndim
    shape[axis] = -1
    result.weight = Parameter(layer.weight * scale.reshape(tuple(shape)), name=layer.weight.name)
    result.__dict__.pop("bias", None)
    result._params["bias"] = Parameter((bias - state["running_mean"]) * scale + shift, name=f"{stem}bias")
    result.has_bias = True
    return result
