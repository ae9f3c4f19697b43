"""What a program's arguments hold: ``parser.add_argument("--epochs", type=int, default=10)`` makes `args.epochs` an int.

Every option that any file of the project adds counts for every namespace, as parsers are handed around and their results travel far; an
option of two types is either. What a program stores into a namespace itself (``args.device = …``) is not known. A namespace that is written out
(``SimpleNamespace(dim=64)``) holds what it is made of.
https://docs.python.org/3/library/argparse.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mindport.inference.values import NONE, Builtin, Instance, Mapping, Sequence, Unknown, Value, join
from mindport.source.file import SourceFile

if TYPE_CHECKING:
    from mindport.inference.arguments import Arguments

PARSER, NAMESPACES = "argparse.ArgumentParser", ("argparse.Namespace", "types.SimpleNamespace")

_TYPES: dict[str, Value] = {name: Builtin(name) for name in ("int", "float", "str", "bool")}
_BY_ACTION: dict[str, Value] = {"store_true": Builtin("bool"), "store_false": Builtin("bool"), "count": Builtin("int")}
_OPEN = Unknown("an argument of the command line")


def options_of(files: Iterable[SourceFile]) -> dict[str, Value]:
    """What each option of a project may hold, by its name in the namespace."""
    found: dict[str, list[Value]] = {}
    for file in files:
        for node in file.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                _note(node, node.func.attr, found)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and not (isinstance(node.value, ast.Name) and node.value.id == "self"):
                found.setdefault(node.attr, []).append(_OPEN)
    return {name: join(*values) for name, values in found.items()}


def made(cls: str, arguments: Arguments) -> Value:
    """A namespace of keywords: ``SimpleNamespace(dim=64)``."""
    return Instance(cls, element=Mapping(named=tuple(arguments.keywords.items())))


def held(value: Instance, name: str, options: dict[str, Value]) -> Value:
    """An attribute of a namespace: what it was made of, or what any option or assignment of the project may have put there."""
    own = dict(value.element.named).get(name) if isinstance(value.element, Mapping) else None
    found = [one for one in (own, options.get(name)) if one is not None]
    return join(*found) if found else Unknown(f"what {value.cls} holds")


def _note(node: ast.Call, method: str, found: dict[str, list[Value]]) -> None:
    keywords = {k.arg: k.value for k in node.keywords if k.arg is not None}
    if method == "add_argument":
        name = _name(node.args, keywords)
        if name is not None:
            found.setdefault(name, []).append(_held(keywords, _is_required(node.args, keywords)))
    elif method == "set_defaults":
        for name in keywords:
            found.setdefault(name, []).append(_OPEN)


def _name(flags: list[ast.expr], keywords: dict[str, ast.expr]) -> str | None:
    """``dest``, or the first long flag, or the first one."""
    given = keywords.get("dest")
    if given is not None:
        return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None
    texts = [flag.value for flag in flags if isinstance(flag, ast.Constant) and isinstance(flag.value, str)]
    if not texts or len(texts) < len(flags):
        return None
    name = next((text for text in texts if text.startswith("--")), texts[0])
    return name.lstrip("-").replace("-", "_")


def _is_required(flags: list[ast.expr], keywords: dict[str, ast.expr]) -> bool:
    """Whether the parser ends the program where the option is missing: one with a place, or one that says so."""
    if "default" in keywords:
        return False
    if not any(isinstance(flag, ast.Constant) and str(flag.value).startswith("-") for flag in flags):
        return "nargs" not in keywords
    asked = keywords.get("required")
    return isinstance(asked, ast.Constant) and asked.value is True


def _held(keywords: dict[str, ast.expr], required: bool) -> Value:
    """What the option holds: of its type, or its default."""
    action = keywords.get("action")
    if isinstance(action, ast.Constant) and action.value in _BY_ACTION:
        return join(_BY_ACTION[action.value], *_default(keywords, _BY_ACTION[action.value])) if "default" in keywords else _BY_ACTION[action.value]
    if action is not None and not (isinstance(action, ast.Constant) and action.value in ("store", "append")):
        return _OPEN
    asked = keywords.get("type")
    one = _TYPES["str"] if asked is None else _TYPES.get(asked.id, _OPEN) if isinstance(asked, ast.Name) else _OPEN
    several = "nargs" in keywords and not (isinstance(keywords["nargs"], ast.Constant) and keywords["nargs"].value == "?")
    value: Value = Sequence("list", None, one) if several or action is not None and action.value == "append" else one
    return value if required else join(value, *_default(keywords, value))


def _default(keywords: dict[str, ast.expr], value: Value) -> list[Value]:
    """What stands there where the option is not given."""
    default = keywords.get("default")
    match default:
        case None | ast.Constant(value=None):
            return [NONE]
        case ast.Constant(value=str()):
            return [value]  # argparse makes a text what the option is
        case ast.Constant(value=constant):
            return [Builtin(type(constant).__name__)]
        case ast.UnaryOp(operand=ast.Constant(value=int() | float() as constant)):
            return [Builtin(type(constant).__name__)]
        case ast.List() | ast.Tuple() if isinstance(value, Sequence):
            return [value if isinstance(default, ast.List) else Sequence("tuple", None, value.element)]
    return [_OPEN]
