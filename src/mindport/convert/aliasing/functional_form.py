"""An in-place call as an expression without the side effect: ``x.mul_(2)`` as ``x * 2``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from mindport.catalog import Entry
from mindport.convert.aliasing.kept_dtypes import is_whole, same_dtype
from mindport.convert.aliasing.out_of_place import out_of_place
from mindport.convert.bind import Binding
from mindport.convert.context import Context
from mindport.convert.decide import Inline, decide
from mindport.convert.inline import write_inline
from mindport.convert.site import bind_site, site
from mindport.convert.specialise import Expression, specialise
from mindport.convert.uses import convert_use
from mindport.inference.facts import Use
from mindport.inference.overlays import storage


def functional(context: Context, use: Use) -> Callable[[], None] | None:
    """The work that writes an in-place call as an expression without the side effect; None where that can't be."""
    short = use.name.rpartition(".")[2]
    if short in storage.SHAPE_ONLY:
        return lambda: _convert_as(context, use, use.name.rstrip("_"))
    if use.kind != "method" or not _keeps_dtype(context, use):
        return None
    plain = replace(use, name=use.name.rstrip("_"))
    known = isinstance(decide(context.shared.catalog, site(plain), context.look, context.shared.forced), Inline)
    as_plain = (lambda: _convert_as(context, use, plain.name)) if known else None
    entries = [e for e in context.shared.catalog.find(use.name) if e.kind == "function"]
    entry = out_of_place(entries[0]) if len(entries) == 1 else None
    if entry is None:
        return as_plain
    place = site(use)
    binding = bind_site(place, entry)
    if not isinstance(binding, Binding):
        return as_plain
    outcome = specialise(entry, binding, context.look)
    if not isinstance(outcome, Expression) or (as_plain is not None and not isinstance(outcome.node, ast.BinOp)):
        return as_plain
    return lambda: _write(context, use, entry, binding, outcome.node)


def _write(context: Context, use: Use, entry: Entry, binding: Binding, result: ast.expr) -> None:
    old = context.file.segment(use.node)
    strategy = write_inline(context.writer, site(use), entry, binding, result)
    if not isinstance(strategy, str):
        convert_use(context, use)
        return
    start, end = context.editing.span(use.node)
    context.record(use, strategy, old, context.editing.current(start, end), entry)  # type: ignore[arg-type]


def _convert_as(context: Context, use: Use, name: str) -> None:
    """Convert a call as if it named the function without the underscore."""
    assert isinstance(use.node, ast.Call)
    assert isinstance(use.node.func, ast.Attribute)
    end = context.editing.span(use.node.func)[1]
    context.editing.replace(end - len(use.node.func.attr), end, name.rpartition(".")[2])
    convert_use(context, replace(use, name=name))


def _keeps_dtype(context: Context, use: Use) -> bool:
    """Whether the result has the tensor's dtype without a cast: no operand is known to be of another one."""
    node = use.node
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    if node.func.attr in ("div_", "divide_", "true_divide_") and is_whole(context, node.func.value):
        return False
    return same_dtype(context, node.func.value, [*node.args, *(k.value for k in node.keywords)])
