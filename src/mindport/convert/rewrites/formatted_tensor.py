"""``f"{loss:.4f}"``: a tensor of one element is formatted as its number in torch, and MindSpore's raises; ``.item()`` is written.

So are the arguments of ``"{:.4f}".format(loss)``, also where the text has a name, and ``format(loss, ".4f")``. A format without digits or letters prints
a tensor in either framework, and stays. Where a value may be a tensor or a number, a vendored function decides. Where nothing is known of it
(``meter.avg``), its text stays, and the vendored module has MindSpore's tensors be formatted so.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.queries"
#: Of a value that is a tensor or a number.
NUMBER = "number"
SETTINGS, OF_ANY = "mindport.equivalents.formatting", "FORMATS_AS_TORCH"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``.item()`` behind every tensor that is formatted as a number."""
    for node in context.file.nodes:
        if _asks_parts(context, node) and SETTINGS in context.shared.catalog.modules:
            context.runs(context.shared.catalog.modules[SETTINGS], OF_ANY)
        for value in _formatted(context, node):
            kinds = v.options(context.facts.value(value))
            tensors = [k for k in kinds if isinstance(k, v.TensorValue)]
            if not tensors and (isinstance(value, ast.Attribute) or any(isinstance(k, v.Unknown) for k in kinds)) and SETTINGS in context.shared.catalog.modules:
                context.runs(context.shared.catalog.modules[SETTINGS], OF_ANY)
            if not tensors or any(k.shape for k in tensors):
                continue
            context.plan(value, lambda e=value, sure=len(tensors) == len(kinds): _write(context, e, sure), last=True)  # type: ignore[misc]


def _formatted(context: Context, node: ast.AST) -> Iterator[ast.expr]:
    """The expressions that a node formats by a specification."""
    match node:
        case ast.FormattedValue(value=value, conversion=-1, format_spec=ast.JoinedStr(values=[_, *_])):
            yield value
        case ast.Call(func=ast.Name(id="format"), args=[value, ast.Constant(value=str(spec))]) if spec:
            yield value
        case ast.Call(func=ast.Attribute(value=receiver, attr="format"), args=args, keywords=keywords):
            known = receiver if isinstance(receiver, ast.Constant) else context.facts.value(receiver)
            if isinstance(known, ast.Constant | v.Const) and isinstance(known.value, str):
                yield from _arguments(known.value, args, {k.arg: k.value for k in keywords})


def _asks_parts(context: Context, node: ast.AST) -> bool:
    """Whether a text's fields name parts of what is given (``"{loss.avg:.3f}".format(loss=meter)``), or show only at run time (``form.format(**vars(meter))``)."""
    match node:
        case ast.Call(func=ast.Attribute(value=receiver, attr="format"), args=args, keywords=keywords):
            known = receiver if isinstance(receiver, ast.Constant) else context.facts.value(receiver)
            if isinstance(known, ast.Constant | v.Const) and isinstance(known.value, str):
                return any(spec and ("." in name or "[" in name or any(k.arg is None for k in keywords)) for name, spec in _fields(known.value))
            return isinstance(known, v.Builtin) and known.type == "str" and bool(args or keywords)
    return False


def _fields(text: str) -> list[tuple[str, str]]:
    try:
        return [(name, spec or "") for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
    except ValueError:
        return []  # no valid format: it raises in either framework


def _arguments(text: str, args: list[ast.expr], keywords: dict[str | None, ast.expr]) -> Iterator[ast.expr]:
    """Arguments of ``text.format(…)`` that stand in one field, which has a specification."""
    try:
        fields = [(name, spec, conversion) for _, name, spec, conversion in string.Formatter().parse(text) if name is not None]
    except ValueError:
        return  # no valid format: it raises in either framework
    if any(isinstance(a, ast.Starred) for a in args):
        return
    names = [str(number) if name == "" else name for number, (name, *_) in enumerate(fields)]
    for name, (_, spec, conversion) in zip(names, fields, strict=True):
        if spec and not conversion and names.count(name) == 1:
            if name.isdigit() and int(name) < len(args):
                yield args[int(name)]
            elif name in keywords:
                yield keywords[name]


def _write(context: Context, value: ast.expr, sure: bool) -> None:
    start, end = context.editing.span(value)
    if not sure:
        name = context.definition(KNOWLEDGE, NUMBER)
        context.editing.insert(start, f"{name}(")
        context.editing.insert(end, ")")
        return
    plain = isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    if not plain:
        context.editing.insert(start, "(")
    context.editing.insert(end, ".item()" if plain else ").item()")
