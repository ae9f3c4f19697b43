"""``if self.heads:`` of a module that has a length: ``if len(self.heads) > 0:``.

MindSpore's cells are true whatever they hold, but for its lists and sequences: an empty `CellDict`, an object of a class with a ``__len__`` of its own. (All cells could follow their length,
`Cell.__bool__`; but MindSpore's own `cells_and_names` leaves out what is not true.)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.aliasing.objects import path
from mindport.convert.context import MODULE, Context
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use

#: Containers whose truth is their length in MindSpore, too.
_RIGHT = ("torch.nn.ModuleList", "torch.nn.Sequential", "torch.nn.ParameterList", "torch.nn.ParameterDict")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the tests of what is such a module, or None."""
    found = {id(node): node for part in context.file.nodes for test in _tests(part) for node in _decided_by(test)}
    for node in found.values():
        kinds = v.options(context.facts.value(node))
        others = [kind for kind in kinds if kind != v.NONE]
        if others and any(map(_is_taken_for_true, others)) and all(map(_has_length, others)) and path(node) is not None:
            context.plan(node, lambda n=node, o=len(others) < len(kinds): _write(context, n, o), last=True)  # type: ignore[misc]


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            yield test
        case ast.UnaryOp(op=ast.Not(), operand=operand) | ast.Call(func=ast.Name(id="bool"), args=[operand], keywords=[]):
            yield operand
        case ast.comprehension(ifs=tests):
            yield from tests


def _decided_by(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a test whose truth alone counts."""
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _decided_by(part)
    elif isinstance(test, ast.Name | ast.Attribute):
        yield test


def _is_taken_for_true(kind: v.Value) -> bool:
    """Whether MindSpore's cell in its place is true with nothing in it."""
    if isinstance(kind, v.ProjectInstance):
        counted = any("__len__" in scope.names for scope in kind.cls.scope.mro)
        return _has_length(kind) and (counted or not set(_RIGHT) & set(kind.cls.scope.ancestors))
    return isinstance(kind, v.Instance) and not set(_RIGHT) & {kind.cls, *torchfacts.ancestors(kind.cls)}


def _has_length(kind: v.Value) -> bool:
    match kind:
        case v.ProjectInstance(cls=cls) if MODULE in cls.scope.ancestors:
            names = {name for scope in cls.scope.mro for name in scope.names}
            return "__bool__" not in names and ("__len__" in names or any(map(_counts, cls.scope.ancestors)))
        case v.Instance(cls=name):
            return _counts(name)
    return False


def _counts(name: str) -> bool:
    return MODULE in (name, *torchfacts.ancestors(name)) and torchfacts.member(name, "__len__") is not None


def _write(context: Context, node: ast.expr, optional: bool) -> None:
    text = context.editing.current(*context.editing.span(node))
    asked = f"len({text}) > 0"
    context.editing.replace(*context.editing.span(node), f"({text} is not None and {asked})" if optional else asked)
