"""``torch.cat([counts, weights])`` of whole numbers and others: ``ops.cat(promoted([counts, weights]))``.

torch promotes the dtypes, MindSpore's CPU raises. Only where one dtype of a list that is written out is known to be an
integer's, bool or float64, or two are known to differ, or what is joined is cast at once to another dtype than the one that is
known (``torch.cat([torch.zeros(1, n), steps], dim=1).to(dtype=torch.long)`` pads whole numbers), or the tensors of a starred
list may be whole numbers (``torch.cat((x, *hots))``): elsewhere the tensors are
taken to have one dtype.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.aliasing.kept_dtypes import is_made_usual
from mindport.convert.context import Context
from mindport.convert.dtypes import COMPLEX, SHORT_FLOATS, USUAL_FLOATS, WIDE_FLOATS
from mindport.convert.scopes import scope_of
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.promotion"
PROMOTED = "promoted"
_JOINING = frozenset(f"torch.{name}" for name in ("cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "row_stack"))
_FLOATING = COMPLEX | SHORT_FLOATS | USUAL_FLOATS | WIDE_FLOATS


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the promotion of every such list."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for same_place in uses.values():
        for use in same_place:
            if use.name not in _JOINING or use.kind != "call" or not isinstance(use.node, ast.Call) or not use.node.args:
                continue
            joined = use.node.args[0]
            if isinstance(joined, (ast.List, ast.Tuple)) and (_may_differ(context, joined.elts) or _is_cast(context, use.node, joined.elts)):
                context.plan(joined, lambda j=joined: _write(context, j), last=True)  # type: ignore[misc]


def _may_differ(context: Context, items: list[ast.expr]) -> bool:
    dtypes = [dtype for item in items for dtype in (_dtypes_within(context, item) if isinstance(item, ast.Starred) else [_dtype(context, item)])]
    known = {dtype for dtype in dtypes if dtype is not None}
    starred = any(isinstance(item, ast.Starred) for item in items)  # what its tensors are is likely at most
    if known & WIDE_FLOATS and None in dtypes:
        return True  # ``torch.cat([torch.tensor([1.0]), alphas])``: the default dtype, which is not known, beside a schedule in float64
    return len(known) > 1 or ((None in dtypes or starred) and bool(known - _FLOATING))


def _is_cast(context: Context, call: ast.Call, items: list[ast.expr]) -> bool:
    """Whether the join becomes another dtype than a member has, beside members of which nothing is known."""
    method = context.parents.get(id(call))
    outer = context.parents.get(id(method))
    cast = _dtype(context, outer) if isinstance(method, ast.Attribute) and isinstance(outer, ast.Call) and outer.func is method else None
    if cast is None:
        return False
    usual = [is_made_usual(context, item) for item in items]
    dtypes = {_dtype(context, item) for item, made in zip(items, usual, strict=True) if not made}
    return None in dtypes and (bool(dtypes - {None, cast}) or (cast not in _FLOATING and any(usual)))


def _dtype(context: Context, item: ast.expr) -> str | None:
    kinds = v.options(context.facts.value(item))
    found = {kind.dtype if isinstance(kind, v.TensorValue) and not kind.likely else None for kind in kinds}
    return found.pop() if len(found) == 1 else None


def _dtypes_within(context: Context, item: ast.Starred) -> list[str | None]:
    """What the tensors of ``*hots`` may have, None for what is not known: a list is filled in several places, and one of them may give whole numbers."""
    kinds = [kind for held in v.options(context.facts.value(item.value)) for kind in (v.options(v.element_of(held)) if isinstance(held, v.Sequence) else [v.Unknown()])]
    found = [kind.dtype if isinstance(kind, v.TensorValue) else None for kind in kinds]
    if not any(dtype is not None and dtype not in _FLOATING for dtype in found):
        found += [dtype for element in _elements(context, item.value, set()) for dtype in _likely_dtypes(context, element)]
    return found


def _likely_dtypes(context: Context, element: ast.expr) -> list[str | None]:
    """The dtypes that are not fractions of what a list is given at one place, as far as they are likely."""
    kinds = v.options(context.facts.value(element))
    return [kind.dtype for kind in kinds if isinstance(kind, v.TensorValue) and kind.dtype is not None and kind.dtype not in _FLOATING]


def _elements(context: Context, held: ast.expr, seen: set[str]) -> Iterator[ast.expr]:
    """What a list or tuple is given, by the texts that fill it: displays, comprehensions over another such list, ``+=`` and `append` in the function around."""
    match held:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for element in elements:
                yield from _elements(context, element.value, seen) if isinstance(element, ast.Starred) else _branches(element)
        case ast.IfExp(body=body, orelse=otherwise):
            yield from (*_elements(context, body, seen), *_elements(context, otherwise, seen))
        case ast.ListComp(elt=element, generators=[ast.comprehension(target=ast.Name(id=name), iter=other)]):
            yield from _branches(element)
            if _source(element) == name:  # ``[h.unsqueeze(0) for h in hots]``
                yield from _elements(context, other, seen)
        case ast.Name(id=name) if name not in seen:
            for node in own_nodes(scope_of(context, held)):
                match node:
                    case ast.Assign(targets=[ast.Name(id=target)], value=value) | ast.AugAssign(target=ast.Name(id=target), op=ast.Add(), value=value) if target == name:
                        yield from _elements(context, value, seen | {name})
                    case ast.Call(func=ast.Attribute(value=ast.Name(id=target), attr="append"), args=[value]) if target == name:
                        yield from _branches(value)


def _branches(element: ast.expr) -> Iterator[ast.expr]:
    if isinstance(element, ast.IfExp):
        yield from (*_branches(element.body), *_branches(element.orelse))
    else:
        yield element


def _source(element: ast.expr) -> str:
    """The name that a chain of methods begins with."""
    while isinstance(element, ast.Call) and isinstance(element.func, ast.Attribute):
        element = element.func.value
    return element.id if isinstance(element, ast.Name) else ""


def _write(context: Context, joined: ast.expr) -> None:
    context.editing.wrap(joined, context.definition(KNOWLEDGE, PROMOTED))
