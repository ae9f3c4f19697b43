"""Casts to a dtype that only the run knows: no gradient goes through those to whole numbers, as in torch."""

from mindspore import ops


def cast(x, dtype):
    """`x` in a dtype; without a gradient where that is one of whole numbers or of truth values (MindSpore's cast hands it on).

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.to.html
    """
    made = x.to(dtype)
    return made if made.is_floating_point() or made.is_complex() else ops.stop_gradient(x).to(dtype)
