"""What may be assigned to a region of a tensor: in torch also a value with more axes, as long as the first ones have length 1.

``features[i] = net(image[None])`` writes (1, C) into a row of C numbers. MindSpore 2.10 raises ("BroadcastTo: input's rank")
or, beside index tensors, counts the shapes otherwise. Measured in PyNative; compiled graphs write by themselves.
"""

import numpy as np
from mindspore import Tensor

from mindport.equivalents.indexing_steps import index_through


def axes_of_index(item):
    """Axes that an index takes away, and axes of the result that an index tensor gives (-1: none)."""
    if item is None:
        return -1, -1
    if item is Ellipsis or isinstance(item, slice):
        return 0, -1
    if isinstance(item, bool):
        return 0, 1
    if isinstance(item, (list, tuple)):
        item = np.asarray([one.asnumpy() if isinstance(one, Tensor) else one for one in item])
    ndim = getattr(item, "ndim", 0)
    masks = str(getattr(item, "dtype", "")).lower() in ("bool", "bool_")
    return (ndim, 1) if masks else (1, ndim)


def axes_of_region(tensor, index):
    """How many axes ``tensor[index]`` has."""
    items = [axes_of_index(item) for item in (index if isinstance(index, tuple) else (index,))]
    return tensor.ndim - sum(taken for taken, _ in items) + max([0, *(given for _, given in items)])


def put_as_torch(tensor, index, value, plain):
    """``tensor[index] = value`` without those first axes of length 1 of the value that the region does not have."""
    if isinstance(value, Tensor) and value.ndim > 0 and value.shape[0] == 1:
        surplus = value.ndim - axes_of_region(tensor, index)
        while surplus > 0 and value.shape[0] == 1:
            value = value.squeeze(0)
            surplus -= 1
    return plain(tensor, index, value)


VALUES_AS_TORCH = index_through("values", write=put_as_torch)
