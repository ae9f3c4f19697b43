"""``copy.copy(net)``: in torch a module with attributes of its own, which holds the same parameters, buffers and children.

MindSpore 2.10 gives the copy the very dictionary of the cell: what is set on one is set on the other (measured; docs/differences/functions.md).
"""

from mindspore import nn


def shallow_copy_as_torch():
    """Has MindSpore give a cell's copy a dictionary of its own; True."""
    plain = nn.Cell.__setstate__
    if getattr(plain, "as_torch", False):  # another converted project did it
        return True

    def set_state(self, state):
        base, attributes = state
        plain(self, (base, dict(attributes)))

    set_state.as_torch = True
    nn.Cell.__setstate__ = set_state
    return True


SHALLOW_COPIES = shallow_copy_as_torch()
