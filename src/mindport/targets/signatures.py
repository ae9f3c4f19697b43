"""A callable's parameters: from Python where it knows them, else from the docstring's first lines."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import Any

from mindport.targets.load import Param

_TAKEN = re.compile(r"""kwargs\[['"](\w+)['"]\]|kwargs\.(?:pop|get)\(['"](\w+)['"]""")
_CALL = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\((?P<inside>.*?)\)\s*(?:->|$|\.|:)", re.DOTALL)


def parameters(thing: Any, name: str) -> tuple[list[Param] | None, str]:
    """(parameters, source); the sources are those of `TargetApi.source`. None where nothing tells."""
    found = _inspected(thing)
    if found is not None and not _only_stars(found):
        return found, "inspect"
    if inspect.isclass(thing) and (written := _written(thing)) is not None:
        return written, "source"
    doc, last = inspect.getdoc(thing) or "", name.rpartition(".")[2]
    documented = _documented(doc, last)
    if documented is not None:
        return documented, "docstring"
    if found is not None and not _only_both_stars(found):
        return found, "inspect"
    listed = _by_keyword(thing, listed_arguments(doc))
    return (listed, "arguments") if listed else (None, "")


def _by_keyword(thing: Any, listed: list[Param]) -> list[Param]:
    """What a constructor takes out of its ``**kwargs`` has no position, whatever place the documentation lists it at."""
    try:
        text = inspect.getsource(thing.__init__) if inspect.isclass(thing) else ""
    except (OSError, TypeError):
        return listed
    taken = {name for pair in _TAKEN.findall(text) for name in pair if name}
    kept = [p for p in listed if p.name not in taken]
    return kept + [Param(p.name, "KEYWORD_ONLY", p.default_text) for p in listed if p.name in taken]


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


def _only_both_stars(found: list[Param]) -> bool:
    """``(*args, **kwargs)``: a decorator hides the signature."""
    return {p.kind for p in found} >= {"VAR_POSITIONAL", "VAR_KEYWORD"}


def _written(cls: type) -> list[Param] | None:
    """The parameters of ``__init__`` as its source has them: decorators hide them from `inspect`."""
    for owner in cls.__mro__[:-1]:
        if "__init__" not in vars(owner):
            continue
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
        except (OSError, TypeError, SyntaxError):
            return None
        body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
        for statement in body:
            if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
                found = _of_arguments(statement.args)[1:]
                return None if _only_stars(found) else found
        return None
    return None


_METHOD = re.compile(r"^\s*\.\. method:: (?:[\w.]+\.)?(?P<name>\w+)\((?P<inside>.*?)\)\s*->", re.MULTILINE)


def overloads(doc: str, name: str) -> list[list[Param]]:
    """The signatures that a docstring shows after the first, under ``.. method::``."""
    shown = (_parsed(match["inside"]) for match in _METHOD.finditer(doc) if match["name"] == name)
    return [found for found in shown if found is not None]


_SECTION = re.compile(r"^(Args|Keyword Args):\s*\n((?:[ \t]+.*\n?|\s*\n)+)", re.MULTILINE)
_ARGUMENT = re.compile(r"^(\s+)(\*{0,2}\w+)\s*(\([^\n]*?\))?\s*:(.*(?:\n(?!\1\S).*)*)", re.MULTILINE)
_DEFAULT = re.compile(r"Default(?:s to|:)?\s*:?\s*``?([^`]+?)``?")


def listed_arguments(doc: str) -> list[Param]:
    """The parameters that a docstring's ``Args:`` and ``Keyword Args:`` list."""
    found = []
    for section, body in _SECTION.findall(doc):
        for _, name, told, text in _ARGUMENT.findall(body):
            default = _DEFAULT.search(text)
            kind = "VAR_KEYWORD" if name.startswith("**") else "VAR_POSITIONAL" if name.startswith("*") else (
                "KEYWORD_ONLY" if section == "Keyword Args" else "POSITIONAL_OR_KEYWORD"
            )
            optional = default.group(1).strip() if default else "None" if "optional" in told else None
            found.append(Param(name.lstrip("*"), kind, optional))
    return found


def _text(value: Any) -> str:
    if isinstance(value, (bool, int, float, str, type(None), tuple, list)):
        return repr(value)
    return getattr(value, "__name__", None) or re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _documented(doc: str, name: str) -> list[Param] | None:
    """``less(input, other) -> Tensor`` at the head of a docstring."""
    head = doc.strip()[:600]
    match = _CALL.match(head)
    if match is None or match["name"].rpartition(".")[2] not in (name, f"{name}_ext"):
        return None
    return _parsed(match["inside"])


def _parsed(inside: str) -> list[Param] | None:
    try:
        parsed = ast.parse(f"def f({inside}): pass").body[0]
    except SyntaxError:
        return None
    assert isinstance(parsed, ast.FunctionDef)
    return _of_arguments(parsed.args)


def _of_arguments(a: ast.arguments) -> list[Param]:
    positional = [*a.posonlyargs, *a.args]
    defaults: list[ast.expr | None] = [*([None] * (len(positional) - len(a.defaults))), *a.defaults]
    found = [Param(p.arg, "POSITIONAL_OR_KEYWORD", ast.unparse(d) if d else None) for p, d in zip(positional, defaults, strict=True)]
    if a.vararg:
        found.append(Param(a.vararg.arg, "VAR_POSITIONAL"))
    found += [Param(p.arg, "KEYWORD_ONLY", ast.unparse(d) if d else None) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)]
    if a.kwarg:
        found.append(Param(a.kwarg.arg, "VAR_KEYWORD"))
    return found
