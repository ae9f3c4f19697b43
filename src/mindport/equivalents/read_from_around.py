"""Tensors that a function reads from around it, where they want a gradient: a graph takes them for constants, so Parameters stand in their places."""

from types import CellType, FunctionType

import mindspore as ms

from mindport.equivalents.kept_gradients import nodes_below

#: Kinds of arguments.
CONSTANT = "constant"
TENSOR = "tensor"
DICTIONARY = "dictionary"
LIST = "list"
TUPLE = "tuple"



def kind_of(value):
    """What an argument is: a tensor, a flat row of tensors, or something else."""
    if isinstance(value, ms.Tensor):
        return TENSOR
    members = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    if not any(isinstance(member, ms.Tensor) for member in members):
        return CONSTANT
    if not all(isinstance(member, ms.Tensor) for member in members):
        raise NotImplementedError("a derivative inside of another by what holds tensors and other things, or dictionaries in dictionaries: give its function flat dictionaries of tensors")
    return DICTIONARY if isinstance(value, dict) else LIST if isinstance(value, list) else TUPLE


def members_of(value):
    """The tensors of an argument."""
    kind = kind_of(value)
    return [] if kind == CONSTANT else [value] if kind == TENSOR else list(value.values()) if kind == DICTIONARY else list(value)


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


def read_from_around(func):
    """The tensors that want a gradient and that a function, or one that it names, reads from around it."""
    found, waiting, seen = [], [func], set()
    while waiting:
        function = waiting.pop()
        if id(function) in seen or not isinstance(function, FunctionType):
            continue
        seen.add(id(function))
        for cell in function.__closure__ or ():
            value = cell.cell_contents
            waiting.append(value)
            if kind_of(value) != CONSTANT and not all(isinstance(member, ms.Parameter) for member in members_of(value)):
                found += [member for member in members_of(value) if member._requires_grad and all(member is not other for other in found)]
    return found


def with_stand_ins(func, numbers):
    """The function with other tensors around it, by the identity of those that it reads."""
    if not isinstance(func, FunctionType) or not func.__closure__:
        return func
    cells = []
    for cell in func.__closure__:
        value = cell.cell_contents
        kind, members = kind_of(value), [numbers.get(id(member), member) for member in members_of(value)]
        if kind != CONSTANT:
            cells.append(CellType(remade(members, kind, 0, len(members), tuple(value) if kind == DICTIONARY else (), None)))
        else:
            cells.append(CellType(with_stand_ins(value, numbers)))
    made = FunctionType(func.__code__, func.__globals__, func.__name__, func.__defaults__, tuple(cells))
    made.__dict__.update(func.__dict__)
    return made


def check_unreached(function, members, tensors):
    """Raises where a tensor that the function is handed was computed from what it is differentiated by: that part of the gradient would be lost."""
    nodes = {member._grad_node._unique_id() for member in members if getattr(member, "_grad_node", None) is not None}
    handed = [value for value in tensors if getattr(value, "_grad_node", None) is not None]
    if nodes & nodes_below(handed):
        raise RuntimeError(f"{function.__qualname__} is handed a tensor that was computed from what its gradient is wanted by: compute that beside the loss")
