"""What MindSpore's tensors do with an index before it takes elements or writes them, where operators run one by one: steps, once a process, in one order.

A step is a function around the rest, ``read(tensor, index, plain)`` or ``write(tensor, index, value, plain)``, where `plain` is MindSpore's own
indexing or the next step. Several converted projects may run in one process, each with a vendored module of its own: the steps stand on `Tensor`.
"""

from functools import partial

from mindspore import Tensor

#: From the outermost to the innermost: ranges are lists and NumPy's arrays are tensors before anything asks what stands among the indices.
ORDER = ("ranges", "arrays", "bytes", "values", "memory", "negatives", "none", "unrecorded", "nested")


def as_lists(index):
    """An index whose ranges are lists: torch takes them for such, MindSpore does not take them."""
    if isinstance(index, tuple):
        return tuple(list(item) if isinstance(item, range) else item for item in index)
    return list(index) if isinstance(index, range) else index


def around(step, plain):
    """The step as a method of tensors, around what is inside of it."""
    inner = partial(step, plain=plain)

    def indexed(self, *index_and_value):
        return inner(self, *index_and_value)

    vars(indexed).update(vars(plain) if hasattr(plain, "__dict__") else {})
    return indexed


def index_through(name, read=None, write=None):
    """Has tensors index through a step that is called `name`; True."""
    if not hasattr(Tensor, "index_steps_"):
        Tensor.index_steps_ = {}
        Tensor.plain_indexing_ = (Tensor._getitem_origin, Tensor._setitem_origin)
    Tensor.index_steps_.setdefault(name, (read, write))
    taken, written = Tensor.plain_indexing_
    for one in reversed(ORDER):
        reading, writing = Tensor.index_steps_.get(one, (None, None))
        taken = around(reading, taken) if reading else taken
        written = around(writing, written) if writing else written
    Tensor._getitem_origin, Tensor._setitem_origin = taken, written
    return True
