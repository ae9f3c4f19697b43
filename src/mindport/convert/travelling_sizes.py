"""Whether a `torch.Size` may be met elsewhere than where it is asked: kept in something, given back or handed to a function of the project's."""

from __future__ import annotations

import ast

from mindport.convert.training.callers import parents_in
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile

#: Attributes of tensors and distributions that are sizes.
_ATTRIBUTES = frozenset(("shape", "batch_shape", "event_shape"))
#: Functions that make one.
_MADE = frozenset(("torch.Size", "torch.broadcast_shapes"))


def sizes_travel(files: tuple[tuple[SourceFile, Facts], ...]) -> bool:
    """Whether any size of the project leaves the expression or the plain name that it is read from."""
    return any(_travels(file, facts) for file, facts in files)


def _travels(file: SourceFile, facts: Facts) -> bool:
    parents = parents_in(file)
    names: set[str] = set()
    made = {id(use.node) for use in facts.uses if use.name in _MADE}
    sizes = [node for node in file.nodes if isinstance(node, ast.expr) and (_is_size(node) or id(node) in made)]
    if not all(_stays(node, parents, facts, names) for node in sizes):
        return True
    held = [node for node in file.nodes if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)]
    return not all(_stays(node, parents, facts, set()) for node in held)


def _is_size(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _ATTRIBUTES and isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size" and not node.args and not node.keywords


def _stays(node: ast.expr, parents: dict[int, ast.AST], facts: Facts, names: set[str]) -> bool:
    """Whether nothing keeps the size itself; a plain name that does is added to `names`."""
    match parents.get(id(node)):
        case ast.Subscript(value=value, slice=place) as part if value is node:
            return _stays(part, parents, facts, names) if isinstance(place, ast.Slice) else True
        case ast.Assign(targets=[ast.Tuple() | ast.List()]) | ast.Compare() | ast.Starred() | ast.FormattedValue() | ast.Expr():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            names.add(name)
            return True
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated):
            return iterated is node
        case ast.Attribute():  # ``x.shape.numel()``
            return True
        case ast.Call(func=func, args=arguments) if func is not node and any(a is node for a in arguments):
            return _is_outside(facts, func)
        case ast.keyword() as keyword if isinstance(call := parents.get(id(keyword)), ast.Call):
            return _is_outside(facts, call.func)
        case ast.Tuple() as several:  # ``"%s" % (x.shape,)``
            return isinstance(text := parents.get(id(several)), ast.BinOp) and isinstance(text.op, ast.Mod)
        case ast.BinOp(op=ast.Mod(), right=right):
            return right is node
        case _:
            return False


def _is_outside(facts: Facts, func: ast.expr) -> bool:
    """A function of Python's, NumPy's or torch's, which keeps no size."""
    kinds = v.options(facts.value(func))
    return bool(kinds) and all(isinstance(k, v.Builtin | v.Api) or isinstance(k, v.Bound) and isinstance(k.function, v.Api) for k in kinds)
