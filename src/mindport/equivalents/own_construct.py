"""Functions that stand in a cell's own `construct`, as MindSpore can compile them.

A graph that meets a cell (`self` in the function's closure) parses its `construct`: the one that the function stands in, with all that
no graph holds (optimizers, backward calls, files). The function is given a cell of the same attributes and methods without it.
"""

import weakref
from types import CellType, FunctionType

from mindspore import nn

#: Views of cells, one each: what a graph was compiled with is compared by identity.
VIEWS = weakref.WeakKeyDictionary()


def holds(code, inner):
    """Whether a function's code stands in another's text."""
    parts = [part for part in code.co_consts if hasattr(part, "co_consts")]
    return any(part is inner or holds(part, inner) for part in parts)


def without_construct(cell):
    """A cell with the attributes and methods of another one, which share their memory, and nothing to call."""

    def construct(self):
        return None

    if cell not in VIEWS:
        plain = vars(nn.Cell)["__init__"]  # a name in the text would lead `Reached` to every constructor
        view = type(f"Part{type(cell).__name__}", (type(cell),), {"construct": construct, "__init__": plain, "__module__": type(cell).__module__})()
        view.__dict__ = cell.__dict__
        VIEWS[cell] = view
    return VIEWS[cell]


def outside_of_construct(function):
    """The function, with such a cell in the place of one in whose `construct` it stands."""
    held = function.__closure__ or ()
    own = [isinstance(part.cell_contents, nn.Cell) and holds(type(part.cell_contents).construct.__code__, function.__code__) for part in held]
    if not any(own):
        return function
    closure = tuple(CellType(without_construct(part.cell_contents)) if is_own else part for part, is_own in zip(held, own))
    made = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__qualname__ = function.__qualname__
    return made
