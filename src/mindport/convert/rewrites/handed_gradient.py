"""A function that takes gradients of what its caller computed is handed a function: ``gradient(y, x)`` becomes ``gradient(y_of_x, x)``."""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.convert.rewrites.input_gradient import (
    MEMBERS,
    claim,
    if_kept,
    plan_function,
    plan_taken,
    take_text,
    taking,
)
from mindport.convert.training.around import data_around, tensors_in
from mindport.convert.training.asked import summed
from mindport.convert.training.derivatives import Derivative
from mindport.convert.training.handed import Gradients, Helper, becomes_gradient, gradients
from mindport.convert.training.second_order import GRAD, kept_if
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the functions that are handed functions, and their callers."""
    found = gradients(context)
    by_node = {id(same[0].node): same[0] for same in uses.values() if same[0].name == GRAD}
    for helper in found.helpers.values():
        if helper.at.file is context.file:
            _plan_helper(context, helper, found, by_node)
    for node in context.file.nodes:
        if id(node) in found.calls and id(node) in found.derivatives:
            _plan_call(context, found, found.derivatives[id(node)])


def _plan_call(context: Context, found: Gradients, derivative: Derivative) -> None:
    """The caller writes what it computed as a function, and hands that in; by a row, with the tensors that it is computed of."""
    by_row = derivative.members is not None
    if by_row:
        derivative.along = data_around(context, derivative)
    plan_function(context, found, derivative)

    def work() -> None:
        take_text(context, derivative)
        given = ", ".join((derivative.function, *derivative.along, *(("reads_row=True",) if derivative.row else ())))
        new = f"{context.definition(MEMBERS, 'OfTensors')}({given})" if by_row else derivative.function
        context.editing.replace(*context.editing.span(derivative.output), new)

    context.plan(derivative.output, work, last=True)


def _plan_helper(context: Context, helper: Helper, found: Gradients, by_node: dict[int, Use]) -> None:
    applied = f"({', '.join(helper.sources) or 'None'})"
    functions: set[int] = set()  # reads of the handed name that mean the function itself
    for node in ast.walk(helper.function):
        if id(node) in found.derivatives or id(node) not in found.handed:
            continue
        if id(node) in by_node:
            _plan_gradient(context, helper, found.handed[id(node)], found, by_node[id(node)])
        else:
            _plan_passing(context, helper, found, found.handed[id(node)], functions)
    for node in ast.walk(helper.function):
        if isinstance(node, ast.Name) and node.id == helper.output and isinstance(node.ctx, ast.Load) and id(node) not in functions | context.claimed:
            context.plan(node, lambda n=node: context.editing.replace(*context.editing.span(n), f"{helper.output}{applied}"))  # type: ignore[misc]
    for argument in ast.walk(helper.function.args):
        if isinstance(argument, ast.arg) and argument.arg == helper.output and argument.annotation is not None:
            end = context.editing.span(argument.annotation)[1]
            start = context.editing.span(argument)[0] + len(argument.arg)
            context.claim(argument.annotation)
            context.plan(argument, lambda s=start, e=end: context.editing.replace(s, e, ""), last=True)  # type: ignore[misc]


def _plan_gradient(context: Context, helper: Helper, derivative: Derivative, found: Gradients, use: Use) -> None:
    """``torch.autograd.grad(y, x)[0]`` of the handed `y`: its derivative, at x; by itself where that takes the name of `y`."""
    statement = derivative.statement
    rebinding = isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name) and becomes_gradient(helper, statement.targets[0])
    places = [helper.sources.index(source) for source in derivative.sources]
    positions = "" if helper.by_row or places == [0] else f", {tuple(places) if len(places) > 1 else places[0]}"
    is_plain = isinstance(summed(derivative.output, derivative.weights), ast.Name) and derivative.weights is None and not derivative.inside
    along = tensors_in(context, derivative, derivative.weights) if context.on_tape and not (rebinding or helper.by_row) else ()
    own = replace(derivative, sources=helper.sources, along=along)  # what is handed in takes all of them
    claim(context, derivative.call, kept_if(derivative.call), *((derivative.members,) if helper.owner else ()), *(() if is_plain else (derivative.output, derivative.weights)))
    if not is_plain:
        plan_function(context, found, own)

    def by_members() -> str:
        take_text(context, own)
        by = helper.sources[0] if helper.sources else context.editing.current(*context.editing.span(derivative.members))  # type: ignore[arg-type]
        return if_kept(context, derivative.call, f"{context.definition(MEMBERS, 'gradients_by_members')}({helper.output if is_plain else own.function}, {by})")

    def written() -> str:
        take_text(context, own)
        new = f"{taking(context)}({helper.output if is_plain else own.function}{positions})"
        return new if rebinding else if_kept(context, derivative.call, f"{new}({', '.join((*helper.sources, *along))})")

    if helper.by_row:
        plan_taken(context, use, replace(derivative, sources=()), by_members)
    else:
        plan_taken(context, use, derivative, written)


def _plan_passing(context: Context, helper: Helper, found: Gradients, derivative: Derivative, functions: set[int]) -> None:
    """What was handed in is handed on, as a function of what the other function wants."""
    if isinstance(derivative.output, ast.Name) and derivative.sources == helper.sources:
        functions.add(id(derivative.output))
    else:
        _plan_call(context, found, derivative)
