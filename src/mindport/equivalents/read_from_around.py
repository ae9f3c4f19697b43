"""Tensors that a function reads from around it, where they want a gradient: a graph takes them for constants, so Parameters stand in their places."""

from collections import OrderedDict
from types import CellType, FunctionType

import mindspore as ms

from mindport.equivalents.kept_gradients import nodes_below
from mindport.equivalents.nested_structures import tree_flatten

#: Kinds of arguments, and of what stands around a function.
CONSTANT = "constant"
TENSOR = "tensor"
DICTIONARY = "dictionary"
LIST = "list"
TUPLE = "tuple"
OTHER = "other"


def kind_of(value):
    """What an argument is: a tensor, a flat row of tensors, something without tensors, or something else that holds some."""
    if isinstance(value, ms.Tensor):
        return TENSOR
    members = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    if not any(isinstance(leaf, ms.Tensor) for member in members for leaf in tree_flatten(member)[0]):
        return CONSTANT
    kind = {dict: DICTIONARY, OrderedDict: DICTIONARY, list: LIST, tuple: TUPLE}.get(type(value), OTHER)
    return kind if all(isinstance(member, ms.Tensor) for member in members) else OTHER


def members_of(value):
    """The tensors of an argument that is one, or a flat row of some."""
    kind = kind_of(value)
    return [] if kind in (CONSTANT, OTHER) else [value] if kind == TENSOR else list(value.values()) if kind == DICTIONARY else list(value)


def remade(flat, kind, start, size, names, constant):
    """An argument, of all tensors: a graph reads this text."""
    if kind == CONSTANT:
        return constant
    if kind == TENSOR:
        return flat[start]
    if kind == DICTIONARY:
        return {name: flat[start + i] for i, name in enumerate(names)}
    if kind == LIST:
        return [flat[start + i] for i in range(size)]
    return tuple([flat[start + i] for i in range(size)])


def around(function):
    """What a function holds of names from around it, by their places; a name that is not bound yet holds nothing."""
    held = {}
    for place, cell in enumerate(function.__closure__ or ()):
        try:
            held[place] = cell.cell_contents
        except ValueError:
            continue
    return held


def wanting(value):
    """The tensors of a value that want a gradient; a graph finds Parameters by itself."""
    members = members_of(value)
    return [] if all(isinstance(member, ms.Parameter) for member in members) else [member for member in members if member._requires_grad]


def read_from_around(func):
    """The tensors that want a gradient and that a function, or one inside of it, holds."""
    found, waiting, seen = [], [func], set()
    while waiting:
        function = waiting.pop()
        if id(function) in seen or not isinstance(function, FunctionType):
            continue
        seen.add(id(function))
        for value in around(function).values():
            waiting.append(value)
            found += [member for member in wanting(value) if all(member is not other for other in found)]
    return found


def named_in_files(reached):
    """(a file's names, the name, its value) of the tensors that want a gradient, and flat rows of some, among what a function reads by names of its file."""
    return [(names, name, names[name]) for names, name in reached.places.values() if name in names and wanting(names[name])]


def standing_for(value, numbers):
    """The same row of other tensors, by the identity of its own."""
    members = [numbers.get(id(member), member) for member in members_of(value)]
    return remade(members, kind_of(value), 0, len(members), tuple(value) if kind_of(value) == DICTIONARY else (), None)


def with_stand_ins(func, numbers, made=None):
    """The function with other tensors around it, by the identity of those that it reads; itself where it reads none."""
    if not any(id(tensor) in numbers for tensor in read_from_around(func)):
        return func
    made = {} if made is None else made
    if id(func) not in made:
        cells = [CellType() for _ in func.__closure__]
        own = made[id(func)] = FunctionType(func.__code__, func.__globals__, func.__name__, func.__defaults__, tuple(cells))
        own.__kwdefaults__ = func.__kwdefaults__
        own.__dict__.update(func.__dict__)
        for place, value in around(func).items():
            cells[place].cell_contents = standing_for(value, numbers) if members_of(value) else with_stand_ins(value, numbers, made)
    return made[id(func)]


def check_unreached(function, members, tensors):
    """Raises where a tensor that the function is handed was computed from what it is differentiated by: that part of the gradient would be lost."""
    nodes = {member._grad_node._unique_id() for member in members if getattr(member, "_grad_node", None) is not None}
    handed = [value for value in tensors if getattr(value, "_grad_node", None) is not None]
    if nodes & nodes_below(handed):
        raise RuntimeError(f"{function.__qualname__} is handed a tensor that was computed from what its gradient is wanted by: compute that beside the loss")
