"""A derivative inside of another, as one operation whose backward pass is compiled (`tape_derivatives`): by tensors, or by those of dictionaries and lists.

A graph takes tensors. So a function's dictionaries and lists are taken apart; where it calls a module with them, and for tensors that it reads from
around it, Parameters with the same numbers stand in their places (`placed_parameters`).
"""

from types import CellType, FunctionType

import mindspore as ms

from mindport.equivalents.member_derivatives import as_row
from mindport.equivalents.placed_parameters import CALLING, InPlace, in_place, parameters_for
from mindport.equivalents.reached_code import Reached
from mindport.equivalents.tape_derivatives import on_tape

#: Kinds of arguments.
CONSTANT = "constant"
TENSOR = "tensor"
DICTIONARY = "dictionary"
LIST = "list"
TUPLE = "tuple"


def own_code(func):
    """What tells a function from others: the code of a plain one, of a method, of one to which arguments are bound, of a derivative's."""
    func = getattr(func, "func", func)
    func = getattr(func, "__func__", func)
    inside = getattr(func, "derivative_of", None)
    return (func.__code__, own_code(inside)) if inside is not None else func.__code__ if isinstance(func, FunctionType) else type(func)


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


class Place:
    """Where an argument's tensors stand among all of them, and what it is made of again."""

    def __init__(self, value, start):
        self.kind, self.start, self.size = kind_of(value), start, len(members_of(value))
        self.names = tuple(value) if self.kind == DICTIONARY else ()
        self.constant = value if self.kind == CONSTANT else None


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


def of_flat(func, places):
    """The function of all its arguments' tensors."""
    made_of = tuple([(place.kind, place.start, place.size, place.names, place.constant) for place in places])

    def of_all(*flat):
        return func(*[remade(flat, kind, start, size, names, constant) for kind, start, size, names, constant in made_of])

    return of_all


def of_some(func, places, rows):
    """The function of those of its arguments that are tensors; `rows`: what stands for the others."""
    numbers, rest = [], []
    for place, row in zip(places, rows):
        numbers.append(sum(1 for number in numbers if number >= 0) if place.kind == TENSOR else -1)
        rest.append(row)
    numbers, rest = tuple(numbers), tuple(rest)

    def of_tensors(*handed):
        return func(*[handed[number] if number >= 0 else rest[place] for place, number in enumerate(numbers)])

    return of_tensors


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


def operation(func, argnums, args):
    """The gradients of ``func(*args)`` by its arguments `argnums`, as one operation that can be differentiated again."""
    chosen = tuple([place % len(args) for place in ((argnums,) if isinstance(argnums, int) else argnums)])
    places, flat = [], []
    for value in args:
        places.append(Place(value, len(flat)))
        flat += members_of(value)
    code = own_code(func), chosen, tuple([(place.kind, place.size, place.names) for place in places])
    around = read_from_around(func)
    reached = Reached(func)
    if CALLING in reached.names:
        found = by_stand_ins(func, reached, args, places, chosen, around, code)
    else:
        stand_ins = parameters_for(func, around)
        func = with_stand_ins(func, dict(zip(map(id, around), stand_ins)))
        wanted = tuple([places[place].start + i for place in chosen for i in range(places[place].size)])
        flat = [member.reshape(member.shape) if isinstance(member, ms.Parameter) else member for member in flat]
        found = as_row(on_tape(of_flat(func, places), wanted, code=code, standing=InPlace(stand_ins, around, []) if around else None)(*flat))
    results, start = [], 0
    for place in chosen:
        size = places[place].size
        results.append(remade(found[start : start + size], places[place].kind, 0, size, places[place].names, None))
        start += size
    return results[0] if isinstance(argnums, int) else tuple(results)


def by_stand_ins(func, reached, args, places, chosen, around, code):
    """The gradients where a module is called with dictionaries' tensors, in one row."""
    rows = [place for place, part in enumerate(places) if part.kind in (DICTIONARY, LIST, TUPLE)]
    if any(place in rows for place in chosen) and any(place not in rows for place in chosen):
        raise NotImplementedError("a derivative inside of another by a dictionary or list and by a tensor at once: take one after the other")
    members = [*around, *(member for place in rows for member in members_of(args[place]))]
    stand_ins = parameters_for(func, members)
    numbers = {id(member): stand_in for member, stand_in in zip(members, stand_ins)}
    standing_for = {place: [numbers[id(member)] for member in members_of(args[place])] for place in rows}
    given = [remade(standing_for[place], part.kind, 0, part.size, part.names, None) if place in rows else part.constant for place, part in enumerate(places)]
    of_tensors = of_some(with_stand_ins(func, numbers), places, given)
    tensors = [value for value, part in zip(args, places) if part.kind == TENSOR]
    standing = in_place(func, reached, of_tensors, stand_ins, members, tensors)
    if chosen[0] in rows:
        weights = [parameter for place in chosen for parameter in standing_for[place]]
        return as_row(on_tape(of_tensors, None, weights, code, standing)(*tensors))
    order = [place for place, part in enumerate(places) if part.kind == TENSOR]
    return as_row(on_tape(of_tensors, tuple([order.index(place) for place in chosen]), (), code, standing)(*tensors))
