"""Gradients under `grad` of their parameters, as torch keeps them: each in memory of its own, and changed in place."""

import sys

from mindspore import Tensor

from mindport.equivalents.inplace import overwrite


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
                value = value.copy()
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
