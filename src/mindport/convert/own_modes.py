"""Modules that decide about their own mode: which ``train`` methods of a project become `set_train`, and whether ``.set_train()`` may follow a construction.

torch's `train` asks each child's own `train`, and no construction calls it. So ``def train(self, mode=True)`` that keeps batch normalisation
frozen, and a part that a constructor puts into evaluation, hold until somebody calls `train` on the model.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.members import MODULE
from mindport.source.file import SourceFile

TRAIN = "train"

Files = Iterable[tuple[SourceFile, Facts]]


def own_modes(files: Files) -> frozenset[int]:
    """`train` methods of the project's module classes, by id(node): all of them set a mode, as torch's does, or none is told."""
    methods = [part for _, facts in files for cls in module_classes(facts) for part in cls.body if isinstance(part, ast.FunctionDef) and part.name == TRAIN]
    return frozenset(map(id, methods)) if all(map(_sets_mode, methods)) else frozenset()


def keeps_modes(files: Files) -> bool:
    """Whether a module of the project has a mode that `set_train` on what holds it would undo."""
    files = tuple(files)
    return bool(own_modes(files)) or any(_evaluates_a_part(facts, cls) for _, facts in files for cls in module_classes(facts))


def evaluates_itself(facts: Facts, node: ast.Call) -> bool:
    """Whether the class that is called sets evaluation mode in its ``__init__``."""
    value = facts.value(node.func)
    if not isinstance(value, v.ProjectClass):
        return False
    initial = next((cls.methods["__init__"].node for cls in value.scope.mro if "__init__" in cls.methods), None)
    return isinstance(initial, ast.FunctionDef) and _owner(initial) != "" and any(_evaluated(s) == _owner(initial) for s in initial.body)


def module_classes(facts: Facts) -> Iterator[ast.ClassDef]:
    """The class statements of a file that derive from torch's Module, and those that others join with one (``class Net(Frozen, nn.Module)``)."""
    yield from (cls for cls, above in facts.ancestors.items() if MODULE in above)
    yield from (cls for cls, joined in facts.mixed_into.items() if MODULE in joined and MODULE not in facts.ancestors.get(cls, ()))


def _owner(method: ast.FunctionDef) -> str:
    return method.args.args[0].arg if method.args.args else ""


def _sets_mode(method: ast.FunctionDef) -> bool:
    """Whether it can be called with a mode alone, and with nothing: ``def train(self, mode=True)``."""
    rest = method.args.args[1:]
    return len(rest) >= 1 and len(method.args.defaults) >= len(rest) and all(default is not None for default in method.args.kw_defaults)


def _evaluates_a_part(facts: Facts, cls: ast.ClassDef) -> bool:
    initial = next((s for s in cls.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)
    if initial is None or not _owner(initial):
        return False
    statements = list(ast.walk(initial))
    if any(_evaluated(s) == _owner(initial) for s in statements):
        return False
    return any(_evaluated(node) or (isinstance(node, ast.Call) and evaluates_itself(facts, node)) for node in statements)


def _evaluated(node: ast.AST) -> str:
    """The text of X where the node is ``X.eval()`` or ``X.train(False)``."""
    match node:
        case ast.Expr(value=call):
            return _evaluated(call)
        case ast.Call(func=ast.Attribute(receiver, "eval"), args=[], keywords=[]):
            return ast.unparse(receiver)
        case ast.Call(func=ast.Attribute(receiver, "train"), args=[ast.Constant(False)], keywords=[]) | ast.Call(
            func=ast.Attribute(receiver, "train"), args=[], keywords=[ast.keyword("mode", ast.Constant(False))]
        ):
            return ast.unparse(receiver)
    return ""
