"""``z.real = x`` and ``z.imag = x``: in torch they write into z; a tensor of MindSpore's takes an attribute that nothing reads.

``z[1].imag = x`` is stored where it was taken from. A base of which nothing is known is asked when the program runs; changes of a
part (``z.real[1] = 5``, ``z.real *= 2``) are what `in_place` judges.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.complex_numbers"
PARTS = ("real", "imag")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored functions."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=base, attr=part) as target]) if part in PARTS and _may_be_tensor(context, base):
                context.claimed.add(id(target))
                context.plan(node, lambda n=node, b=base, p=part: _write(context, n, b, p), last=True)  # type: ignore[misc]


def _may_be_tensor(context: Context, base: ast.expr) -> bool:
    """Whether it is a tensor, or nothing is known of it; an object's own ``self`` is none."""
    if isinstance(base, ast.Name) and base.id in ("self", "cls"):
        return False
    return any(isinstance(one, v.TensorValue | v.Unknown) for one in v.options(context.facts.value(base)))


def _write(context: Context, statement: ast.Assign, base: ast.expr, part: str) -> None:
    held, value = (context.editing.current(*context.editing.span(node)) for node in (base, statement.value))
    if isinstance(base, ast.Subscript) and _is_view(context, base):
        text = f"{held} = {context.definition(KNOWLEDGE, f'with_{part}')}({held}, {value})"
    else:
        text = f"{context.definition(KNOWLEDGE, f'set_{part}')}({held}, {value})"
    context.editing.replace(*context.editing.span(statement), text)


def _is_view(context: Context, base: ast.Subscript) -> bool:
    """Whether a tensor's region is taken by numbers and slices, which may be written twice: what indices take is a copy, which torch changes alone."""
    if not v.is_tensor(context.facts.value(base.value)) or any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(base)):
        return False
    return all(_is_number(context, part) for part in (base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]))


def _is_number(context: Context, part: ast.expr) -> bool:
    if isinstance(part, ast.Slice) or isinstance(part, ast.Constant) and not isinstance(part.value, bool):
        return True
    return v.is_int(context.facts.value(part))
