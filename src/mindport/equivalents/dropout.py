"""Dropout as functions. `ops.dropout` zeroes in training where nothing is said, as torch does."""

from mindspore import ops

from mindport.declare import difference, equivalent

KEPT = difference("the input keeps its values: code that reads it again sees them unchanged", when="inplace", zh="输入张量保持不变")


@equivalent("torch.nn.functional.dropout", random=True, differs=[KEPT])
def dropout(input, p=0.5, training=True, inplace=False):
    """Zeroes elements with probability p and scales the others by 1 / (1 − p).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.dropout.html
    """
    if p == 1:
        return input * 0 if training else input
    if p == 0:  # a whole number, too, which MindSpore's kernel does not take
        return ops.dropout(input, p=0.0, training=training)
    return ops.dropout(input, p=p, training=training)


@equivalent("torch.dropout", random=True, opinfo="nn.functional.dropout")
def torch_dropout(input, p, train):
    """Zeroes elements with probability p and scales the others by 1 / (1 − p)."""
    if p == 0:
        return ops.dropout(input, p=0.0, training=train)
    return ops.dropout(input, p=p, training=train)


def _dropped_channels(x, p, axes):
    shape = [n if i in axes else 1 for i, n in enumerate(x.shape)]
    if p == 1:
        return x * 0
    kept = (ops.rand(*shape) >= p).astype(x.dtype)
    return x * kept / (1 - p)


@equivalent("torch.nn.functional.dropout1d", "torch.nn.functional.dropout2d", "torch.nn.functional.dropout3d", random=True, differs=[KEPT])
def dropout2d(input, p=0.5, training=True, inplace=False):
    """Zeroes whole channels (axes 0 and 1) with probability p."""
    return _dropped_channels(input, p, (0, 1)) if training and p > 0 else input


@equivalent("torch.nn.functional.alpha_dropout", random=True, differs=[KEPT, difference("a tensor without axes becomes one of length 1", when="input.ndim == 0", zh="零维张量变为一维")])
def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout to selu's negative limit, then scaled so that mean and variance stay."""
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0
    limit = -1.7580993408473766
    scale = ((1 - p) * (1 + p * limit**2)) ** -0.5
    kept = ops.rand(*input.shape) >= p
    return ops.where(kept, input, ops.full_like(input, limit)) * scale - scale * p * limit


@equivalent("torch.nn.functional.feature_alpha_dropout", random=True, differs=[difference("which channels go is drawn by MindSpore's generator", when="training", risk="style", zh="丢弃的通道由 MindSpore 的随机数决定"), KEPT])
def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """`alpha_dropout` of whole channels (axes 0 and 1)."""
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0
    limit = -1.7580993408473766
    scale = ((1 - p) * (1 + p * limit**2)) ** -0.5
    kept = ops.rand(*input.shape[:2], *(1,) * (input.ndim - 2)) >= p
    return ops.where(kept, input, ops.full_like(input, limit)) * scale - scale * p * limit
