"""``self.num_batches_tracked``: MindSpore's normalisation counts no batches, so code that only counts them goes.

Normalisation layers of projects repeat torch's own forward, which counts for ``momentum=None`` (refused when the layer is
made). Whether there is a counter is whether statistics are tracked; a number read from it stays under its finding.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.facts import Use

COUNTER = "num_batches_tracked"
#: What says the same, of the layers that have both.
TRACKS = "track_running_stats"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the tests for a counter, and the statements that count."""
    tracking = {use.name.rpartition(".")[0] for same_place in uses.values() for use in same_place if use.name.endswith(f".{TRACKS}")}
    counters = {
        id(same_place[0].node): same_place
        for same_place in uses.values()
        if all(use.name.endswith(f".{COUNTER}") and _kept_nowhere(context, use.name) for use in same_place)
    }
    for node in context.file.nodes if counters else ():
        match node:
            case ast.Compare(left=ast.Attribute() as counter, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
                asked = counters.get(id(counter), [])
                # Elsewhere nobody reads whether statistics are tracked, and the layer may not hold it.
                if asked and all(use.name.rpartition(".")[0] in tracking for use in asked):
                    _claim(context, counter, asked)
                    context.plan(node, lambda n=node, c=counter, o=op: _test(context, n, c, isinstance(o, ast.Is)))  # type: ignore[misc]
            case ast.Expr() | ast.AugAssign() | ast.Assign():
                counter_of = _counted(node)
                if counter_of is not None and id(counter_of) in counters:
                    for part in ast.walk(node):
                        context.claimed.add(id(part))
                        if id(part) in counters:
                            _claim(context, part, counters[id(part)])  # type: ignore[arg-type]
                    context.going.add(id(node))
                    context.plan(node, lambda n=node: context.remove(n))  # type: ignore[misc]


def _kept_nowhere(context: Context, name: str) -> bool:
    layer = context.shared.catalog.layer_attribute(name)
    return layer is not None and layer[0].state.get(layer[1], "") is None


def _counted(statement: ast.stmt) -> ast.Attribute | None:
    """The counter that a statement adds one to, in either way of writing it."""
    one = ast.dump(ast.Constant(value=1))
    match statement:
        case ast.AugAssign(target=ast.Attribute() as counter, op=ast.Add(), value=value) if ast.dump(value) == one:
            return counter
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute() as counter, attr="add_"), args=[value], keywords=[])) if ast.dump(value) == one:
            return counter
        case ast.Assign(targets=[ast.Attribute() as counter], value=ast.BinOp(left=ast.Attribute() as before, op=ast.Add(), right=value)):
            if ast.dump(value) == one and ast.unparse(before) == ast.unparse(counter):
                return before
    return None


def _claim(context: Context, counter: ast.expr, uses: list[Use]) -> None:
    context.claimed.add(id(counter))
    context.record(uses[0], "rewritten", context.file.segment(counter))
    context.report(
        "MP103", f"MindSpore's layers keep no {COUNTER}: batches are not counted", counter, api=uses[0].name, risk="style",
    )  # fmt: skip


def _test(context: Context, node: ast.Compare, counter: ast.Attribute, absent: bool) -> None:
    editing = context.editing
    owner = editing.current(*editing.span(counter.value))
    text = f"{owner}.{TRACKS}"
    editing.replace(*editing.span(node), f"(not {text})" if absent else text)
