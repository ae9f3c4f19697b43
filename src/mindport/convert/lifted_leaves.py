"""``coords = coords.clone().detach().requires_grad_(True)`` in a forward pass that returns them beside its output (SIREN): whoever calls it makes them.

A derivative is a function of its inputs. Where ``out, coords = net(grid)`` both makes the leaf and computes with it, no text shows one; so the forward
pass gets the leaf, and the call becomes ``coords = grid.clone().detach().requires_grad_(True); out = net(coords)[0]``, which computes the same. Lines
keep their numbers, so that places are told as the user's own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mindport.convert.own_modes import module_classes
from mindport.convert.training.callers import parents_in
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source import edits
from mindport.source.edits import Edit, EditConflict
from mindport.source.file import SourceFile, parse
from mindport.source.walking import walk

_FORWARD = "forward"
_LEAF = "requires_grad_"
#: What makes a leaf of a tensor: its values without what they were computed from.
_ALONE = "detach"
_STEPS = frozenset((_ALONE, "clone", _LEAF))
#: What is bound and not read.
_UNREAD = "_"
Known = Sequence[tuple[SourceFile, Facts]]


@dataclass(frozen=True)
class Leaf:
    """A forward pass that makes a leaf of its argument: the statement, the method's parameter, and the part of the pair it returns that is the leaf."""

    file: SourceFile
    method: ast.FunctionDef
    statement: ast.Assign
    name: str
    part: int
    steps: str  # ``.clone().detach().requires_grad_(True)``

    @property
    def place(self) -> int:
        """Which argument of a call it is."""
        return [arg.arg for arg in self.method.args.args].index(self.name) - 1


def lifted(files: Known) -> list[SourceFile]:
    """The files with such leaves made by the callers; themselves where there is none, or where a call does not show which leaf it gets."""
    changes: dict[SourceFile, list[Edit]] = {}
    for leaf in [leaf for file, facts in files for leaf in _leaves(file, facts)]:
        calls = list(_calls(files, leaf))
        edited = [_call(file, parents_in(file), call, leaf) for file, call in calls]
        if not calls or None in edited:
            continue
        changes.setdefault(leaf.file, []).append(_removed(leaf))
        for (file, _), edit in zip(calls, edited, strict=True):
            changes.setdefault(file, []).append(edit)  # type: ignore[arg-type]
    try:
        return [_changed(file, changes) for file, _ in files]
    except EditConflict:  # one call stands in another
        return [file for file, _ in files]


def _changed(file: SourceFile, changes: Mapping[SourceFile, list[Edit]]) -> SourceFile:
    if file not in changes:
        return file
    text = edits.apply(file.text, changes[file])
    return replace(file, text=text, tree=parse(text))


def _leaves(file: SourceFile, facts: Facts) -> Iterator[Leaf]:
    """The forward passes of a file that make a leaf of an argument and return it in a pair."""
    if _LEAF not in file.text:
        return
    for cls in module_classes(facts):
        for method in cls.body:
            if isinstance(method, ast.FunctionDef) and method.name == _FORWARD and not method.args.vararg and len(method.body) > 1:
                found = _leaf(file, method)
                if found is not None:
                    yield found


def _leaf(file: SourceFile, method: ast.FunctionDef) -> Leaf | None:
    nodes = list(walk(method))
    made = next((s for s in method.body if isinstance(s, ast.Assign)), None)
    returned = [n for n in nodes if isinstance(n, ast.Return)]
    match made, returned:
        case ast.Assign(targets=[ast.Name(id=name)], value=value), [ast.Return(value=ast.Tuple(elts=[one, other]))]:
            parts = [isinstance(part, ast.Name) and part.id == name for part in (one, other)]
            steps = _made_of(file, value, name)
        case _:
            return None
    stores = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)]
    before = [n for s in method.body[: method.body.index(made)] for n in walk(s) if isinstance(n, ast.Name) and n.id == name]
    given = [arg.arg for arg in method.args.args[1:]]
    alone = made.lineno == made.end_lineno and _rest(file, made) is not None
    if steps is None or sum(parts) != 1 or len(stores) != 1 or before or name not in given or not alone:
        return None
    return Leaf(file, method, made, name, parts.index(True), steps)


def _rest(file: SourceFile, statement: ast.stmt) -> str | None:
    """The comment behind a statement, or nothing; None where it shares its line with another."""
    before, _, behind = file.line(statement.lineno).partition(file.segment(statement))
    return behind.strip() if not before.strip() and (not behind.strip() or behind.strip().startswith("#")) else None


def _removed(leaf: Leaf) -> Edit:
    """The statement goes, its line and a comment stay."""
    file = leaf.file
    start, end = file.offsets(leaf.statement)
    if not _rest(file, leaf.statement):
        start, end = file.offset(leaf.statement.lineno, 0), end + len(file.line(leaf.statement.lineno)) - len(file.line(leaf.statement.lineno).rstrip())
    return Edit(start, end, file.text[start:end], "")


def _made_of(file: SourceFile, value: ast.expr, name: str) -> str | None:
    """The text behind the name that makes a leaf of it."""
    steps, node = list[str](), value
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        steps.append(node.func.attr)
        if node.args and not (steps == [_LEAF] and isinstance(node.args[0], ast.Constant) and node.args[0].value is True):
            return None
        node = node.func.value
    if not (isinstance(node, ast.Name) and node.id == name and steps[:1] == [_LEAF] and _ALONE in steps and set(steps) <= _STEPS):
        return None
    return file.text[file.offsets(node)[1] : file.offsets(value)[1]]


def _calls(files: Known, leaf: Leaf) -> Iterator[tuple[SourceFile, ast.Call]]:
    """The project's calls of the module."""
    for file, facts in files:
        for node in file.nodes:
            if isinstance(node, ast.Call) and any(_runs(kind, leaf.method) for kind in v.options(facts.value(node.func))):
                yield file, node


def _runs(kind: v.Value, method: ast.FunctionDef) -> bool:
    """Whether calling a value calls the method."""
    if isinstance(kind, v.Bound) and isinstance(kind.function, v.ProjectFunction):
        return kind.function.scope.node is method
    if not isinstance(kind, v.ProjectInstance):
        return False
    found = next((scope.methods[_FORWARD] for scope in kind.cls.scope.mro if _FORWARD in scope.methods), None)
    return found is not None and found.node is method


def _call(file: SourceFile, parents: Mapping[int, ast.AST], call: ast.Call, leaf: Leaf) -> Edit | None:
    """``out, coords = net(grid)`` as two statements of its line, ``net(grid)[0]`` with what has no gradient; None where it stands otherwise."""
    if len(call.args) <= leaf.place or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    given, statement = call.args[leaf.place], parents.get(id(call))
    text = file.segment(given) if isinstance(given, ast.Name | ast.Attribute | ast.Call | ast.Subscript) else f"({file.segment(given)})"
    before, behind = file.offsets(given)
    alone = Edit(before, behind, file.text[before:behind], f"{text}.{_ALONE}()")
    match statement:
        case ast.Subscript(slice=ast.Constant(value=part)) if part == 1 - leaf.part:
            return alone
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(), ast.Name()] as names)]) if statement.lineno == statement.end_lineno:
            own, output = names[leaf.part].id, names[1 - leaf.part].id  # type: ignore[attr-defined]
        case _:
            return None
    if own == _UNREAD:
        return alone
    if own == output or any(isinstance(n, ast.Name) and n.id == own and n is not given for n in walk(call)):
        return None
    start, end = file.offsets(statement)
    called = file.text[file.offsets(call)[0] : before] + own + file.text[behind : file.offsets(call)[1]]
    return Edit(start, end, file.text[start:end], f"{own} = {text}{leaf.steps}; {output} = {called}[{1 - leaf.part}]")
