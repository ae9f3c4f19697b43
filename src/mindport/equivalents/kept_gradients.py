"""Gradients under `grad` of their parameters, as torch keeps them: each in memory of its own, and changed in place."""

import sys

import mindspore as ms
from mindspore import Tensor, ops

from mindport.equivalents.inplace import overwrite


def copied(value):
    """The same numbers in memory of their own, one element after the other.

    `Tensor.copy` goes through float32 and a division: three operators, which took 2 ms each of an LSTM's two biases in graph mode where a
    kernel that copies takes 0.02. On other devices it is not known to copy, so the place in memory decides.
    """
    if value.dtype in (ms.float32, ms.float64, ms.float16):
        found = ops.Identity()(value)
        if found.data_ptr() != value.data_ptr() and found.is_contiguous():
            return found
    return value.copy()


def apart(values):
    """The gradients, each in memory of its own that can be written to.

    MindSpore gives two parameters that are added up one gradient in one memory, and a transposed parameter a
    transposed one, which `copy_` leaves as it is: what changes one gradient in place (``p.grad.mul_(0.5)``) must reach it, and it alone.
    """
    places, found = set(), []
    for value in values:
        if isinstance(value, Tensor):
            place = value.data_ptr()
            if place in places or not value.is_contiguous():
                value = copied(value)
                place = value.data_ptr()
            places.add(place)
        found.append(value)
    return found


def set_gradient(parameter, value):
    """Gives `parameter.grad` other values: in place, as torch does, where somebody else holds the gradient, too."""
    earlier = parameter.grad
    if earlier is not parameter.grad or sys.getrefcount(earlier) > 3:  # on the tape each read is an object of its own; else the attribute, this function, this call
        overwrite(earlier, value)
    else:
        parameter.grad = value


def add_gradient(parameter, value):
    """Adds to `parameter.grad`."""
    if getattr(parameter, "grad", None) is None:
        parameter.grad = value
    else:
        set_gradient(parameter, parameter.grad + value)


def given_to(node):
    """What an operator of the graph was given, in its order; None where that is a constant."""
    return [given[0] if isinstance(given, tuple) else given for given in node.next_functions]


def nodes_below(outputs, leaves_only=False):
    """The ids of the graph's nodes that `outputs` were computed through, while the graph is there; of parameters and leaves alone, or of all."""
    found, seen = set(), set()
    pending = [output._grad_node for output in outputs]
    while pending:
        node = pending.pop()
        if node is None or node._unique_id() in seen:
            continue
        seen.add(node._unique_id())
        if node.is_leaf():
            found.add(node._unique_id())
        pending += given_to(node)
    return found if leaves_only else seen


def kept_if(keep, gradients):
    """Gradients that may be differentiated again if `keep`; else numbers that nothing goes back through (``create_graph=keep``)."""
    if keep:
        return gradients
    return tuple(map(ops.stop_gradient, gradients)) if isinstance(gradients, tuple) else ops.stop_gradient(gradients)
