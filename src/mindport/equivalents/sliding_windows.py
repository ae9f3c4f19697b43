"""Windows that slide along one axis."""

import numpy as np
from mindspore import Tensor, ops

from mindport.declare import equivalent


@equivalent("torch.Tensor.unfold", view=True)
def unfold(self, dimension, size, step):
    """All windows of `size` that begin `step` apart along an axis: their number stands there, their elements last.

    A copy where torch gives a view. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.unfold.html
    """
    if self.ndim == 0:
        return unfold(self.reshape(1), 0, size, step)[0]  # one window
    axis = dimension % self.ndim
    length = self.shape[axis]
    if size < 0 or size > length or step < 1:
        raise ValueError(f"windows of {size} every {step} do not fit an axis of size {length}")
    count = (length - size) // step + 1
    places = np.arange(count)[:, None] * step + np.arange(size)
    shape = tuple(self.shape)
    if size == 0 or self.size == 0:
        return ops.zeros((*shape[:axis], count, *shape[axis + 1 :], size), self.dtype)
    taken = ops.index_select(self, axis, Tensor(places.reshape(-1).astype(np.int32)))
    order = [place for place in range(self.ndim + 1) if place != axis + 1] + [axis + 1]
    return ops.permute(ops.reshape(taken, shape[:axis] + (count, size) + shape[axis + 1 :]), tuple(order))
