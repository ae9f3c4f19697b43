"""A derivative inside of another, as one operation whose backward pass is compiled (`tape_derivatives`): by tensors, or by those of dictionaries and lists.

A graph takes tensors. So a function's dictionaries and lists are taken apart; where it calls a module with them, and for tensors that it reads from
around it, Parameters with the same numbers stand in their places (`placed_parameters`).
"""

from types import FunctionType

import mindspore as ms

from mindport.equivalents.member_derivatives import as_row
from mindport.equivalents.placed_parameters import CALLING, InPlace, in_place, parameters_for
from mindport.equivalents.reached_code import Reached
from mindport.equivalents.read_from_around import (
    CONSTANT,
    DICTIONARY,
    LIST,
    OTHER,
    TENSOR,
    TUPLE,
    kind_of,
    members_of,
    read_from_around,
    remade,
    with_stand_ins,
)
from mindport.equivalents.tape_derivatives import on_tape


def own_code(func):
    """What tells a function from others: the code of a plain one, of a method, of one to which arguments are bound, of a derivative's."""
    func = getattr(func, "func", func)
    func = getattr(func, "__func__", func)
    inside = getattr(func, "derivative_of", None)
    return (func.__code__, own_code(inside)) if inside is not None else func.__code__ if isinstance(func, FunctionType) else type(func)


class Place:
    """Where an argument's tensors stand among all of them, and what it is made of again."""

    def __init__(self, value, start):
        self.kind, self.start, self.size = kind_of(value), start, len(members_of(value))
        if self.kind == OTHER:
            raise NotImplementedError(f"a derivative inside of another by a function of a {type(value).__name__} that is no flat row of tensors: give it flat dictionaries of tensors")
        self.names = tuple(value) if self.kind == DICTIONARY else ()
        self.constant = value if self.kind == CONSTANT else None


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
