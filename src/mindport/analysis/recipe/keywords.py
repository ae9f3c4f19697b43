"""Keywords that a call unpacks from dictionaries: ``DataLoader(data, **options)``, with what is put into them before."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.analysis.recipe.conditions import Conditions
from mindport.analysis.subject import Subject
from mindport.source.file import SourceFile

_MOST_STEPS = 4


def unpacked(subject: Subject, file: SourceFile, call: ast.Call) -> dict[str, ast.expr]:
    """The keywords that ``f(**params)`` gives, where the dictionaries are written out in the same function, class or file; nothing where one of them is not known."""
    found: dict[str, ast.expr] = {}
    for keyword in call.keywords:
        entries = _entries(subject, file, call, keyword.value, _MOST_STEPS) if keyword.arg is None else {}
        if entries is None:
            return {}
        found |= entries
    return found


def gathered(subject: Subject, file: SourceFile, call: ast.Call, conditions: Conditions) -> list[tuple[str, ast.expr]]:
    """The same with entries that are set later, unless settings leave that out: ``options["betas"] = args.betas``."""
    scope = subject.function_around(file, call) or file.tree
    found: dict[str, ast.expr] = {}
    for keyword in call.keywords:
        if keyword.arg is not None or not isinstance(keyword.value, ast.Name):
            continue
        for made in _assigned(ast.walk(scope), keyword.value.id):
            found |= _entries(subject, file, call, made, _MOST_STEPS) or _written(made)
        for node in ast.walk(scope):
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if isinstance(node, ast.Assign) and isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == keyword.value.id and isinstance(target.slice, ast.Constant) and not conditions.off(file, node):
                found.setdefault(str(target.slice.value), node.value)
    return list(found.items())


def _written(made: ast.expr) -> dict[str, ast.expr]:
    """The entries that a dictionary names itself."""
    if isinstance(made, ast.Dict):
        return {key.value: value for key, value in zip(made.keys, made.values, strict=True) if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return {k.arg: k.value for k in made.keywords if k.arg} if isinstance(made, ast.Call) and ast.unparse(made.func) == "dict" else {}


def _entries(subject: Subject, file: SourceFile, call: ast.Call, node: ast.expr, steps: int) -> dict[str, ast.expr] | None:
    """The entries of a dictionary that is written out, ``{"lr": 1}`` or ``dict(lr=1)``, or that a name holds; None for any other expression."""

    def inner(part: ast.expr) -> dict[str, ast.expr] | None:
        return _entries(subject, file, call, part, steps - 1) if steps else None

    match node:
        case ast.Dict():
            return _joined([inner(value) if key is None else {key.value: value} if isinstance(key, ast.Constant) and isinstance(key.value, str) else {} for key, value in zip(node.keys, node.values, strict=True)])
        case ast.Call(func=ast.Name(id="dict")):
            return _joined([*(inner(a) for a in node.args), *(inner(k.value) if k.arg is None else {k.arg: k.value} for k in node.keywords)])
        case ast.Call(func=ast.Attribute(value=receiver, attr="copy"), args=[]):
            return inner(receiver)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _joined([inner(left), inner(right)])
        case ast.IfExp(body=body, orelse=orelse):
            return _joined([inner(orelse), inner(body)])
        case ast.Name() | ast.Attribute() if steps:
            return _held(subject, file, call, node, steps)
    return None


def _held(subject: Subject, file: SourceFile, call: ast.Call, node: ast.Name | ast.Attribute, steps: int) -> dict[str, ast.expr] | None:
    """The entries of the dictionary that a name or attribute holds, with those that are put in afterwards."""
    name = ast.unparse(node)
    around = subject.function_around(file, call) if isinstance(node, ast.Name) else None
    scope: ast.AST = around or file.tree
    made = _assigned(ast.walk(scope), name)
    if not made and around is not None and name not in {a.arg for a in [*around.args.posonlyargs, *around.args.args, *around.args.kwonlyargs]}:
        made = _assigned(file.tree.body, name)
    if len(made) != 1:
        return None
    parts = [_entries(subject, file, call, made[0], steps - 1)]
    for inner in ast.walk(scope):
        match inner:
            case ast.Assign(targets=[ast.Subscript(value=holder, slice=ast.Constant(value=str(key)))], value=value) if ast.unparse(holder) == name:
                parts.append({key: value})
            case ast.Subscript(value=holder, slice=place, ctx=ast.Store()) if not isinstance(place, ast.Constant) and ast.unparse(holder) == name:
                return None
            case ast.Call(func=ast.Attribute(value=holder, attr="update"), args=given, keywords=keywords) if ast.unparse(holder) == name:
                parts += [_entries(subject, file, call, each, steps - 1) for each in given]
                parts += [{k.arg: k.value} if k.arg else None for k in keywords]
            case ast.Attribute(value=holder, attr="pop" | "setdefault" | "clear" | "popitem") if ast.unparse(holder) == name:
                return None
    return _joined(parts)


def _joined(parts: Iterable[dict[str, ast.expr] | None]) -> dict[str, ast.expr] | None:
    """Dictionaries one over the other; None where one of them is not known."""
    found: dict[str, ast.expr] = {}
    for part in parts:
        if part is None:
            return None
        found |= part
    return found


def _assigned(nodes: Iterable[ast.AST], name: str) -> list[ast.expr]:
    return [n.value for n in nodes if isinstance(n, ast.Assign) and any(isinstance(t, (ast.Name, ast.Attribute)) and ast.unparse(t) == name for t in n.targets)]
