"""Empty tensors among those that are joined."""

from mindport.equivalents.promotion import promoted


def without_empty(tensors):
    """The tensors to join without the empty ones that have one axis, all in one dtype, which those count for, too.

    Source: torch.cat takes tensors of shape (0,) for nothing, whatever the others' shapes.
    """
    tensors = promoted(list(tensors))
    return [x for x in tensors if x.shape != (0,)] or tensors[:1]
