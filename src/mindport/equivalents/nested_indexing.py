"""``x[i]`` in a differentiated function that runs within another: MindSpore (2.7 to 2.10) refuses whole numbers there, and takes ``x[i, ...]``.

"Only support integers, … but got 0 with type <class 'int'>": a loop over a tensor's rows, too.
"""

from mindspore import Tensor

from mindport.equivalents.indexing_steps import index_through


class Nested:
    """Counts the differentiated functions that are running; indexing knows of it from the first that runs within another."""

    def __enter__(self):
        Tensor.differentiated_ = getattr(Tensor, "differentiated_", 0) + 1
        if Tensor.differentiated_ == 2:
            index_through("nested", take_nested)

    def __exit__(self, *problem):
        Tensor.differentiated_ -= 1


def take_nested(tensor, index, plain):
    """``tensor[index]``."""
    return plain(tensor, (index, ...) if type(index) is int and Tensor.differentiated_ > 1 else index)
