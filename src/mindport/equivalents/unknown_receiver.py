"""Members of objects that may be tensors: which they are shows when the program runs. These have no torch name.

Functions whose first argument is called `receiver` ask on a program's behalf (`layers/asked_by_mindspore.py`).
"""

from __future__ import annotations

from functools import partial

from mindspore import Tensor, nn


def method(receiver, name, of_tensors, of_cells=None):
    """``receiver.name``, ready to be called: PyTorch's meaning for a tensor and for a cell, where given, else the object's own.

    A class that defines the method itself, between `nn.Cell` and the receiver, keeps it.
    """
    if of_tensors is not None and isinstance(receiver, Tensor):
        return partial(of_tensors, receiver)
    if of_cells is not None and isinstance(receiver, nn.Cell):
        if not any(name in vars(c) for c in type(receiver).__mro__ if not c.__module__.startswith(("mindspore", "builtins"))):
            return partial(of_cells, receiver)
    return getattr(receiver, name)


def member_or(receiver, name, default, of_tensors, of_cells=None):
    """``getattr(receiver, name, default)``, with PyTorch's meaning for a tensor and for a cell, where given."""
    try:
        return method(receiver, name, of_tensors, of_cells)
    except AttributeError:
        return default


def attribute(receiver, name, of_tensors):
    """``receiver.name``: PyTorch's meaning for a tensor, else the object's own."""
    if isinstance(receiver, Tensor):
        return of_tensors(receiver)
    return getattr(receiver, name)


def field(result, name, place):
    """``result.name`` of what a method gave: the field's place in the tuple that MindSpore's tensors give, else the object's own."""
    if type(result) is tuple:
        return result[place]
    return getattr(result, name)


def handed_on(receiver, name, **of_cells):
    """``getattr(receiver, name)``, as an object's ``__getattr__`` hands it on: PyTorch's meaning of the names in `of_cells` for a cell."""
    return method(receiver, name, None, of_cells[name]) if name in of_cells else getattr(receiver, name)
