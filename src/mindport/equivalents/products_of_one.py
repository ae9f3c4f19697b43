"""Products of batches of one matrix, whose gradients MindSpore (2.7 to 2.10) takes wrong.

A row (1, 1, k), in a batch of one, times a matrix (k, m) or a vector gets a gradient of (1, 1, 1, k), without a word; the gradient of a column
(1, n, 1) times a row (1, 1, m) raises ("shape1[-1] must be equal to shape2[-2]"). Larger batches, and `ops.bmm`, are right. No torch name.
"""

from mindspore import Tensor


def are_ones(sizes):
    """Whether all axes have one element."""
    return all(size == 1 for size in sizes)


def product_of_one(input, other, plain):
    """``input @ other``; the same numbers by operators whose gradients are right where the batch is of one matrix."""
    axes, others = len(input.shape), len(other.shape)
    if axes > 2 and others < 3 and are_ones(input.shape[:-1]):
        return plain(input.reshape(input.shape[-1:]), other).reshape(input.shape[:-1] + other.shape[1:])
    if others > 2 and axes > 0 and input.shape[-1] == 1 and are_ones(input.shape[:-2]) and are_ones(other.shape[:-2]):
        made = input * other  # one number each: the sum over k is its only term
        return made if axes > 1 else made.reshape(other.shape[:-2] + other.shape[-1:])
    return plain(input, other)


def multiply_as_torch():
    """Has the operator and the method know batches of one matrix. `ops.matmul` stays: graphs compile it, and would look for what it calls here."""
    if hasattr(Tensor, "multiplied_"):  # another converted project did it
        return True
    Tensor.multiplied_ = True
    plain_operator, plain_method = Tensor.__matmul__, Tensor.matmul

    def operated(self, other):
        return product_of_one(self, other, plain_operator) if isinstance(other, Tensor) else plain_operator(self, other)

    def called(self, tensor2):
        return product_of_one(self, tensor2, plain_method)

    Tensor.__matmul__, Tensor.matmul = operated, called
    return True


MULTIPLIES_AS_TORCH = multiply_as_torch()
