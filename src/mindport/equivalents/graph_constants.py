"""What a graph takes for constant: numbers and text that Python holds, tensors in attributes, and where its parameters stand in memory.

MindSpore's graphs go on with what they were compiled with, without an error: it is compared before each run.
"""

import os
import sys
from functools import cache
from types import FunctionType, MethodType, ModuleType

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

#: What MindSpore keeps in every cell about its own work.
INTERNAL = frozenset(vars(nn.Cell())) - {"training", "_params", "_cells", "_buffers"}
PLAIN = frozenset((bool, int, float, complex, str, bytes, type(None), slice, type(...)))
#: Longer containers count by identity.
LARGEST = 200
FRAMEWORKS = tuple(os.path.dirname(module.__file__) for module in (ms, np))
PYTHON = os.path.dirname(os.__file__)
HOOKS = [name for name in vars(nn.Cell()) if "hook" in name and "state_dict" not in name and name != "_is_recursion_hook"]


def is_library(names):
    """Whether a module's namespace belongs to MindSpore, NumPy or Python."""
    path = names.get("__file__") or ""
    return path.startswith(FRAMEWORKS) or path.startswith(PYTHON) and "-packages" not in path


@cache
def category(kind):
    """How values of a type count: asked for hundreds of values at each step."""
    if issubclass(kind, Parameter):
        return "parameter"
    if issubclass(kind, (Tensor, np.ndarray)):
        return "content"
    if issubclass(kind, (tuple, list, dict)):
        return "container"
    if issubclass(kind, nn.Cell):
        return "cell"
    if issubclass(kind, FunctionType):
        return "function"
    is_opaque = issubclass(kind, (type, ModuleType)) or is_library(vars(sys.modules.get(kind.__module__, os)))
    return "identity" if is_opaque else "object"


def signature(value):
    """What a graph is compiled for: shapes and dtypes of tensors, other values as they are."""
    if isinstance(value, Tensor):
        return tuple(value.shape), str(value.dtype)
    if isinstance(value, (tuple, list)):
        return type(value), *(signature(part) for part in value)
    if isinstance(value, dict):
        return dict, *((key, signature(part)) for key, part in value.items())
    return (type(value), value) if type(value) in PLAIN else id(value)


def held_by(forward):
    """What a function holds besides its code: its object, what its closure binds, its defaults."""
    values = []
    if type(forward) is MethodType:
        values, forward = [forward.__self__], forward.__func__
    return [*values, *(held.cell_contents for held in forward.__closure__ or ()), *(forward.__defaults__ or ())]


class Constants:
    """What hangs on a function as far as names in the code lead to it: two of them are equal where all of it is.

    Numbers and text count by value, parameters by their place in memory, other tensors and arrays by content, the rest
    by identity.
    """

    def __init__(self, forward, args, places, names):
        self.names, self.seen = names, set()
        self.state, self.contents, self.parameters, self.objects = [], [], [], []
        self.slots, self.rows, self.sizes, self.closures = {}, [], [], []
        self.hooked = False
        self.scope = len(places), len(names)
        self.arguments = [signature(argument) for argument in args]
        self.roots = held_by(forward)
        self.state.append(self.arguments)
        self.note(forward)
        for namespace, name in places:
            self.note(namespace.get(name))
            self.note_slots(namespace, (name,))
        self.state.append(self.hooked)
        self.standing = [place(p) for p in self.parameters]
        self.slots = [(holder, names, [id(holder.get(name)) for name in names]) for holder, names in self.slots.values()]
        self.copies = [np.array(read(value)) for value in self.contents]

    def note(self, value):
        """Adds one value and what hangs on it."""
        kind = type(value)
        if kind in PLAIN:
            self.state.append((kind, value))
            return
        if kind is MethodType:
            self.note(value.__func__)
            value = value.__self__
        # A function that is defined anew in each call is the same where its code and what it holds are.
        self.state.append(id(value.__code__ if kind is FunctionType else value))
        if id(value) in self.seen:
            return
        self.seen.add(id(value))
        self.objects.append(value)  # as long as it lives no other has its id
        what = category(type(value))
        if what == "parameter":
            self.parameters.append(value)
        elif what == "content":
            self.contents.append(value)
        elif what == "container":
            self.note_container(value)
        elif what == "cell":
            self.note_cell(value)
        elif what == "function":
            if not is_library(value.__globals__):
                self.closures.append((value, value.__code__, held_by(value)))
                for part in held_by(value):
                    self.note(part)
        elif what == "object":
            self.note_named(getattr(value, "__dict__", {}), frozenset())

    def note_slots(self, holder, names):
        """Entries of a dictionary that hold the same objects as long as nothing changes."""
        self.slots.setdefault(id(holder), (holder, []))[1].extend(names)

    def note_container(self, container):
        """A tuple, list or dictionary, and what it holds."""
        self.state.append(len(container))
        if len(container) > LARGEST:
            self.sizes.append((container, len(container)))
        elif isinstance(container, dict):
            self.note_entries(container)
        else:
            self.rows.append((container, tuple(container)))
            for part in container:
                self.note(part)
        self.note_named(getattr(container, "__dict__", {}), frozenset())

    def note_entries(self, entries):
        """All values of a dictionary."""
        self.sizes.append((entries, len(entries)))
        self.note_slots(entries, entries)
        for part in entries.values():
            self.note(part)

    def note_named(self, values, besides):
        """The attributes that the code mentions."""
        self.sizes.append((values, len(values)))
        named = [name for name in values if name in self.names and name not in besides]
        self.note_slots(values, named)
        for name in named:
            self.note(values[name])

    def note_cell(self, cell):
        """A cell's parameters, buffers and cells, its mode, and its attributes that the code mentions."""
        values = vars(cell)
        self.note_named(values, INTERNAL)
        self.state.append(values["training"])
        self.note_slots(values, ("training", "_params", "_cells", "_buffers", *HOOKS))
        self.hooked = self.hooked or any(values.get(name) for name in HOOKS)
        for kind in ("_params", "_cells", "_buffers"):
            self.note_entries(values.get(kind) or {})

    def still_stand(self, forward, args, scope):
        """Whether all is where it was: quickly seen, and enough, but not what was put anew and is equal.

        `scope` tells how many names the program's steps have met: with more of them there is more to look at.
        """
        return (
            self.scope == scope
            and self.arguments == [signature(argument) for argument in args]
            and are_same(held_by(forward), self.roots)
            and all([*map(id, map(holder.get, names))] == ids for holder, names, ids in self.slots)
            and all(len(container) == size for container, size in self.sizes)
            and all(are_same(container, row) for container, row in self.rows)
            and all(function.__code__ is code and are_same(held_by(function), held) for function, code, held in self.closures)
            and self.standing == [place(p) for p in self.parameters]
            and self.have_contents(self.contents)
        )

    def equal(self, later):
        """Whether another look found the same."""
        return self.state == later.state and self.standing == later.standing and self.have_contents(later.contents)

    def have_contents(self, values):
        """Whether tensors and arrays hold what they held."""
        return all(np.array_equal(read(value), copy) for value, copy in zip(values, self.copies))


def standing(graphs, forward, args, places, names):
    """The graph whose constants are those of now, or None; and these constants, where they had to be read for it."""
    found = next((graph for graph in graphs if graph.constants.still_stand(forward, args, (len(places), len(names)))), None)
    if found is not None or not graphs:
        return found, None
    now = Constants(forward, args, places.values(), names)
    found = next((graph for graph in graphs if graph.constants.equal(now)), None)
    if found is not None:
        found.constants = now
    return found, now


def are_same(ones, others):
    """Whether two rows hold the same objects."""
    return [*map(id, ones)] == [*map(id, others)]


def place(parameter):
    """Whether a parameter is trained, and where it stands in memory."""
    return parameter.requires_grad, parameter.data_ptr()


def read(value):
    """The numbers of a tensor or array."""
    return value.asnumpy() if isinstance(value, Tensor) else value
