"""``str(x.dtype)`` is ``torch.float32`` in torch and ``Float32`` in MindSpore, ``str(x.shape)`` is ``torch.Size([2, 3])`` and
``(2, 3)``: programs take these texts apart and compare them, so they keep torch's words."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.dtypes import INTEGERS, SHORT_FLOATS, TRUTH, USUAL_FLOATS, WIDE_FLOATS
from mindport.inference import values as v
from mindport.inference.facts import Use

_DTYPE, _SIZE = "torch.dtype", "torch.Size"
#: Knowledge of a dtype's text.
TEXT = "torch.dtype.__str__"
DTYPES = INTEGERS | SHORT_FLOATS | USUAL_FLOATS | WIDE_FLOATS | {TRUTH}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan torch's text where the argument of `str` or `repr` is known to be a dtype or a shape."""
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Name(id="str" | "repr"), args=[argument], keywords=[]) if not _in_text(context, node):
                kind = _kind(context, argument)
                if kind:
                    context.plan(node, lambda n=node, a=argument, k=kind: _write(context, n, a, k), last=True)  # type: ignore[misc]
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None) if _kind(context, value) == _DTYPE and context.shared.catalog.find(TEXT):
                context.plan(value, lambda e=value: _write_inside(context, e), last=True)  # type: ignore[misc]


def _in_text(context: Context, node: ast.AST) -> bool:
    """Whether it stands in an f-string, where before Python 3.12 no other one may be written."""
    above = context.parents.get(id(node))
    while isinstance(above, (ast.expr, ast.FormattedValue)):
        if isinstance(above, ast.JoinedStr):
            return True
        above = context.parents.get(id(above))
    return False


def _kind(context: Context, argument: ast.expr) -> str:
    options = v.options(context.facts.value(argument))
    if options and all(isinstance(o, v.Api) and o.name in DTYPES for o in options):
        return _DTYPE
    if options and all(isinstance(o, v.Instance) and o.cls == _DTYPE for o in options):
        return _DTYPE
    return _SIZE if options and all(isinstance(o, v.Sequence) and o.type == _SIZE for o in options) else ""


def _write(context: Context, node: ast.Call, argument: ast.expr, kind: str) -> None:
    text = context.editing.current(*context.editing.span(argument))
    if "\n" in text or '"' in text or "\\" in text:
        return
    new = f'f"torch.{{{text}}}".lower()' if kind == _DTYPE else f'f"torch.Size({{list({text})}})"'
    context.editing.replace(*context.editing.span(node), new)


def _write_inside(context: Context, value: ast.expr) -> None:
    """In an f-string, where no text may be written in Python before 3.12."""
    name = context.vendored_name(context.shared.catalog.find(TEXT)[0])
    text = context.editing.current(*context.editing.span(value))
    context.editing.replace(*context.editing.span(value), f"{name}({text})")
