"""``table[index]`` where the index tensor holds negative numbers, and a gradient is taken.

MindSpore 2.10 gives the right elements, and no gradient to those that were counted from the back, silently: the gradient of
``p[Tensor([0, -1])]`` has nothing for the last row, as that of `ops.gather` (measured on CPU, PyNative; docs/differences/indexing.md).
"""

from mindspore import Tensor, ops

from mindport.equivalents.indexing_steps import as_lists, index_through

WHOLE = ("Int8", "Int16", "Int32", "Int64")


def from_the_front(tensor, index):
    """An index tensor that counts the first axis from the front; anything else as it is."""
    if isinstance(index, Tensor) and index.ndim and str(index.dtype) in WHOLE and tensor.ndim:
        return ops.where(index < 0, index + tensor.shape[0], index)
    return index


def take_from_the_front(tensor, index, plain):
    """``tensor[index]`` with the index tensor counted from the front."""
    return plain(tensor, from_the_front(tensor, as_lists(index)))


NEGATIVES_AS_TORCH = index_through("negatives", read=take_from_the_front)
