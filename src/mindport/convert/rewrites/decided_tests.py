"""``if torch.jit.is_scripting(): …``: branches that MindSpore never takes go, with the tests that decided them.

A call whose equivalent is a constant decides its test, and so does a question with one answer (`asked_names`). The branch that stays is dedented; a
test that is decided in part keeps the operands that still decide. Left as it is where
dedenting would touch a multi-line string, or a comment of ours stands inside.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from mindport.convert.context import Context
from mindport.convert.decide import Inline, decide
from mindport.convert.rewrites.asked_names import answers
from mindport.convert.site import site
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the folding of all if statements whose test holds a constant call."""
    constants: dict[int, bool] = {id(place): answer for place, answer, _ in answers(context)}
    for same_place in uses.values():
        use = same_place[0]
        if use.kind in ("call", "value") and len(same_place) == 1 and isinstance(use.node, ast.Call) and not use.node.args:
            decision = decide(context.shared.catalog, site(use), context.look, context.shared.forced)
            if isinstance(decision, Inline) and isinstance(decision.result, ast.Constant) and isinstance(decision.result.value, bool):
                constants[id(use.node)] = decision.result.value
    if not constants:
        return
    for node in context.file.nodes:
        deciding = {id(part) for part in _operands(node.test)} & set(constants) if isinstance(node, (ast.If, ast.IfExp)) else None
        if deciding:
            context.plan(node, lambda n=node: _fold(context, n, constants))  # type: ignore[misc]
            for same_place in uses.values():  # the test's constant calls are written by the folding
                if id(same_place[0].node) in deciding:
                    context.claimed.add(id(same_place[0].node))
                    context.record(same_place[0], "removed", context.file.segment(same_place[0].node))


def _operands(test: ast.expr) -> Iterator[ast.expr]:
    """What the test's truth is made of by `not`, `and` and `or`. A call inside of anything else (``f() is not None``) is a value there."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _operands(operand)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _operands(value)
        case _:
            yield test


def _truth(test: ast.expr, constants: dict[int, bool]) -> bool | None:
    if id(test) in constants:
        return constants[id(test)]
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _truth(operand, constants)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=values):
            truths = [_truth(value, constants) for value in values]
            deciding = isinstance(op, ast.Or)
            # `f() and False` still calls f: only a decided prefix may go without it.
            for truth in truths:
                if truth is deciding:
                    return deciding
                if truth is None:
                    return None
            return not deciding
    return None


def _rest(context: Context, test: ast.expr, constants: dict[int, bool]) -> str:
    """The text of an undecided test without its decided operands."""
    match test:
        case ast.BoolOp(op=op, values=values):
            neutral = isinstance(op, ast.And)
            kept: list[str] = []
            for value in values:
                truth = _truth(value, constants)
                if truth is None:
                    text = _rest(context, value, constants)
                    kept.append(f"({text})" if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or) else text)
                elif truth is not neutral:
                    kept.append(str(truth))
            return (" and " if neutral else " or ").join(kept)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _rest(context, operand, constants)
            return f"not ({inner})" if isinstance(operand, ast.BoolOp) else f"not {inner}"
    return context.editing.current(*context.editing.span(test))


def _fold(context: Context, node: ast.If | ast.IfExp, constants: dict[int, bool]) -> None:
    truth = _truth(node.test, constants)
    editing = context.editing
    if isinstance(node, ast.IfExp):
        if truth is not None:
            kept = node.body if truth else node.orelse
            text = editing.current(*editing.span(kept))
            editing.replace(*editing.span(node), text if isinstance(kept, (ast.Name, ast.Constant, ast.Call, ast.Attribute)) else f"({text})")
        else:
            editing.replace(*editing.span(node.test), _rest(context, node.test, constants))
        return
    if truth is None or not _foldable(context, node):
        text = str(truth) if truth is not None else _rest(context, node.test, constants)
        editing.replace(*editing.span(node.test), text)
        return
    start, end = editing.span(node)
    first, last = editing.line_start(start), editing.line_end(end)
    block = node.body if truth else node.orelse
    if block:
        inner_first = editing.line_start(editing.span(block[0])[0])
        inner_last = editing.line_end(editing.span(block[-1])[1])
        indent = editing.indent(start)
        body = textwrap.indent(textwrap.dedent(editing.current(inner_first, inner_last)), indent)
        editing.replace(first, last, body)
    else:
        owner = context.parents.get(id(node))
        alone = any(getattr(owner, name, None) == [node] for name in ("body", "orelse", "finalbody"))
        editing.replace(first, last, f"{editing.indent(start)}pass\n" if alone else "")


def _foldable(context: Context, node: ast.If) -> bool:
    """Whether the statement stands on lines of its own and may be dedented."""
    editing = context.editing
    start, end = editing.span(node)
    first, last = editing.line_start(start), editing.line_end(end)
    if any(first < place < last for place in context.marks):
        return False
    if not editing.text.startswith("if", start) or editing.text[first:start].strip():
        return False  # an elif, or after a semicolon
    blocks = [block for block in (node.body, node.orelse) if block]
    if any(editing.span(block[0])[0] < editing.line_end(start) for block in blocks if block is node.body and block[0].lineno == node.lineno):
        return False  # if x: y on one line
    if node.orelse and editing.text.startswith("elif", editing.span(node.orelse[0])[0]):
        return False
    if any(isinstance(part, (ast.Import, ast.ImportFrom)) for part in ast.walk(node)):
        return False  # imports are written where they stand, behind all other work
    strings = (part for part in ast.walk(node) if isinstance(part, (ast.Constant, ast.JoinedStr)))
    return not any(part.lineno != part.end_lineno for part in strings)
