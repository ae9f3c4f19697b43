"""``y = x.detach().mul_(2)``: x changes and its gradient does not know of it; y holds the same numbers, and no gradient leads from it to x."""

from mindspore import _no_grad

from mindport.equivalents.inplace import overwrite


def written_back(tensor, value):
    """`value`, whose numbers `tensor` holds afterwards, too; the gradient of neither knows of the other."""
    if tensor.shape == value.shape:  # ``x.detach().squeeze_()`` leaves x as it is
        with _no_grad():
            overwrite(tensor, value.copy())
    return value
