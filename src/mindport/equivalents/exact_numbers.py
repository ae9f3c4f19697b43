"""Python's floats beside float64 tensors, with all their digits: MindSpore's operators take them through float32. No torch name."""

import mindspore as ms


def exact(number, tensor):
    """A number as it stands beside a tensor: of float64 a tensor, else as it is."""
    return ms.tensor(number, ms.float64) if isinstance(number, float) and tensor.dtype == ms.float64 else number


def scaled_sum(beta, x, alpha, product):
    """beta * x + alpha * product; with beta 0, x does not matter."""
    scaled = exact(alpha, product) * product
    return scaled if beta == 0 else exact(beta, x) * x + scaled
