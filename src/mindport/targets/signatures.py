"""A callable's parameters: from Python where it knows them, else from the docstring's first lines."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

from mindport.targets.load import Param

_CALL = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\((?P<inside>.*?)\)\s*(?:->|$|\.|:)", re.DOTALL)


def parameters(thing: Any, name: str) -> tuple[list[Param] | None, str]:
    """(parameters, source): source is "inspect" or "docstring", "" where nothing tells."""
    found = _inspected(thing)
    if found is not None and not _only_stars(found):
        return found, "inspect"
    documented = _documented(inspect.getdoc(thing) or "", name.rpartition(".")[2])
    if documented is not None:
        return documented, "docstring"
    return (found, "inspect") if found is not None else (None, "")


def _inspected(thing: Any) -> list[Param] | None:
    subject = thing
    if inspect.isclass(thing):
        subject = thing.__init__
        if subject is object.__init__:
            return []
    try:
        signature = inspect.signature(subject)
    except (ValueError, TypeError):
        return None
    found = []
    for parameter in signature.parameters.values():
        default = None if parameter.default is inspect.Parameter.empty else _text(parameter.default)
        found.append(Param(parameter.name, parameter.kind.name, default))
    if inspect.isclass(thing) and found and found[0].name == "self":
        found = found[1:]
    return found


def _only_stars(found: list[Param]) -> bool:
    return bool(found) and all(p.kind in ("VAR_POSITIONAL", "VAR_KEYWORD") or p.name == "self" for p in found)


def _text(value: Any) -> str:
    if isinstance(value, (bool, int, float, str, type(None), tuple, list)):
        return repr(value)
    return getattr(value, "__name__", None) or re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _documented(doc: str, name: str) -> list[Param] | None:
    """``less(input, other) -> Tensor`` at the head of a docstring."""
    head = doc.strip()[:600]
    match = _CALL.match(head)
    if match is None or match["name"].rpartition(".")[2] != name:
        return None
    try:
        parsed = ast.parse(f"def f({match['inside']}): pass").body[0]
    except SyntaxError:
        return None
    assert isinstance(parsed, ast.FunctionDef)
    a = parsed.args
    positional = [*a.posonlyargs, *a.args]
    defaults: list[ast.expr | None] = [*([None] * (len(positional) - len(a.defaults))), *a.defaults]
    found = [Param(p.arg, "POSITIONAL_OR_KEYWORD", ast.unparse(d) if d else None) for p, d in zip(positional, defaults, strict=True)]
    if a.vararg:
        found.append(Param(a.vararg.arg, "VAR_POSITIONAL"))
    found += [Param(p.arg, "KEYWORD_ONLY", ast.unparse(d) if d else None) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)]
    if a.kwarg:
        found.append(Param(a.kwarg.arg, "VAR_KEYWORD"))
    return found
