"""Gradients by parameters, or by the members of a row (a list or dictionary of tensors), that are differentiated again (decision 012).

What computes the loss from them has no name in common with the parameters: it is the statements through which a gradient
flows (`flow`). What they take from elsewhere is handed in; that none of it is computed from the parameters is checked when
the program runs (`equivalents/member_derivatives.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from mindport.convert.context import Reading
from mindport.convert.training.asked import Asked
from mindport.convert.training.carrying import Carrying
from mindport.convert.training.derivatives import (
    Derivative,
    copy,
    not_computed_here,
    only_the_gradient,
    statement_of,
    statements_around,
    taken_in,
)
from mindport.convert.training.flow import flow, flowing
from mindport.convert.training.leaves import leaves
from mindport.convert.training.names import names, root, sure
from mindport.convert.training.region import Obstacle, block_of, check, scopes_around
from mindport.convert.training.writing import check_lines
from mindport.inference.values import TensorValue, options


def find_members(at: Reading, call: ast.Call, wanted: Asked, earlier: Mapping[int, Derivative]) -> Derivative:
    """The statements behind one gradient by members. Raises Obstacle; `Handed` where the caller computed the output."""
    assert wanted.members is not None
    statement = statement_of(at, call)
    placed = block_of(at, statement)
    if placed is None:
        raise Obstacle("the block of this statement is not one that can be followed", statement)
    block, point = placed
    scopes = scopes_around(at, call)
    found = Derivative(call, wanted.output, (), statement, block, point, scopes[0], weights=wanted.weights, start=point, members=wanted.members)
    row = _row(wanted.members)
    owner = root(wanted.members.func if isinstance(wanted.members, ast.Call) else wanted.members)
    whole = {row, owner.id if isinstance(owner, ast.Name) else ""} - {"", "self", "cls"}  # what is differentiated by, or holds it: computed before
    before = [step for step in (*statements_around(at, found), *block[:point]) if not _makes_parameter(at, step)]  # each computation would make another one
    carrying = Carrying(at.facts, scopes, at.file.tree)
    carrying.leaves = {leaf.name for scope in scopes for leaf in leaves(scope)}
    states = flow(before, dict.fromkeys(whole, True), carrying)
    carried = {name.partition(".")[0] for state in states for name, carries in state.items() if carries} - whole
    places, need = list[ast.stmt](), {name.partition(".")[0] for name in flowing(at.facts, wanted.output)}
    for step in reversed(before):
        own = names(step)
        if need & carried & {*own.stores, *(weak.partition(".")[0] for weak in own.weak)}:
            places.insert(0, step)
            need = (need - sure(step)) | {name.partition(".")[0] for name in flowing(at.facts, step)}
    found.depth = 1 + max((d.depth for d in taken_in(wanted.output, earlier)), default=-1)
    if not places and (isinstance(wanted.output, ast.Name) or not carrying.carries(wanted.output, {})):
        not_computed_here(found, need)
    try:
        _move(at, found, places)
    except Obstacle as obstacle:
        copy(at, found, before, carried, earlier, obstacle)
    found.row = row if row in found.free else ""
    check_lines(at, [*found.inside, statement])
    return found


def _makes_parameter(at: Reading, step: ast.stmt) -> bool:
    """Whether a statement binds a parameter and nothing else: gradients begin at it."""
    return isinstance(step, (ast.Assign, ast.AnnAssign)) and step.value is not None and all(isinstance(v, TensorValue) and v.parameter for v in options(at.facts.value(step.value)))


def _row(members: ast.expr) -> str:
    """The name of the row that is differentiated by: ``fast``, ``fast.values()``, ``list(fast.values())``; empty for what is no name."""
    match members:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner]) | ast.Call(func=ast.Attribute(value=inner, attr="values"), args=[]):
            return _row(inner)
    return ""


def _move(at: Reading, found: Derivative, places: list[ast.stmt]) -> None:
    """The statements move into the function, where they are one run that nothing else needs. Raises Obstacle."""
    block = found.block
    if not places:
        return
    start = block.index(places[0]) if places[0] in block else -1
    end = start + len(places)
    if start < 0 or block[start:end] != places:
        raise Obstacle("other statements stand between those that compute the loss", found.call)
    check(places)
    only_the_gradient(at, found, start, end)
    found.moved, found.start = places, start
