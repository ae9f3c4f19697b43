"""Containers of tensors that MindSpore's compiler reads as Python's own, with the same contents.

A graph that subscripts or iterates over a cell takes what it finds for constant: ``self.weights[0]`` of a container that is a cell runs, and its
parameters get gradients of zero, without an error (docs/differences/graphs.md). A tuple or dictionary of parameters is compiled as it should be.
"""

import sys
from functools import wraps

import mindspore as ms  # noqa: F401 (loads the compiler)

#: MindSpore's compiler, where names of a program become objects: up to 2.8, and since.
COMPILERS = ("mindspore._extends.parse", "mindspore.graph._parse")


def reading_contents(find):
    """How the compiler finds an object, with contents in the place of those that offer them."""

    @wraps(find)
    def found_contents(*given):
        found = find(*given)
        contents = getattr(type(found), "contents_in_graphs", None)
        return found if contents is None else contents(found)

    found_contents.reads_contents = True
    return found_contents


def read_contents():
    """Has the compiler read contents from now on; another converted project may have done so."""
    for name in COMPILERS:
        for module in (sys.modules.get(name), sys.modules.get(f"{name}.parser")):
            for function in ("resolve_symbol", "get_attr_from_object"):
                find = getattr(module, function, None)
                if find is not None and not getattr(find, "reads_contents", False):
                    setattr(module, function, reading_contents(find))


class ContentsInGraphs:
    """A container whose `contents_in_graphs()` a graph reads in its place."""

    def __init_subclass__(cls, **named):
        super().__init_subclass__(**named)
        read_contents()
