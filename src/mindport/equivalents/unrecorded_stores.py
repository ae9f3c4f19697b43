"""``buffer[i] = v`` while gradients are recorded: into the memory that views of the buffer share, as in torch.

MindSpore 2.10 gives the tensor new memory then, in a differentiated function and on the tape, also where no gradient is
concerned: ``first = buffer[0]`` of before keeps the old numbers, without an error (docs/differences/in_place.md). Inside of
``_no_grad`` it writes into the memory. What has a gradient is stored as MindSpore does.
"""

from mindspore import _no_grad

from mindport.equivalents.indexing_steps import index_through


def put_unrecorded(tensor, index, value, plain):
    """``tensor[index] = value``, past the recording where neither wants a gradient. MindSpore 2.7 does not say whether they do."""
    if getattr(tensor, "_requires_grad", True) or getattr(value, "_requires_grad", False):
        return plain(tensor, index, value)
    with _no_grad():
        return plain(tensor, index, value)


STORES_AS_TORCH = index_through("unrecorded", write=put_unrecorded)
