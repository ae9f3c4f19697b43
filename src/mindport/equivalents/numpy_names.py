"""NumPy's names of parameters (``axis``, ``keepdims``), which torch's compiled functions take beside their own.

Conversion writes torch's names where it reads a call; of a function that is passed on, or called with ``**kwargs``, only the
call shows which names come.
"""

import functools
import inspect

TORCH_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}


def numpy_named(function):
    """The function, which takes NumPy's names of its parameters, too."""
    own = inspect.signature(function).parameters

    @functools.wraps(function)
    def called(*args, **kwargs):
        return function(*args, **{k if k in own else TORCH_NAMES.get(k, k): value for k, value in kwargs.items()})

    return called
