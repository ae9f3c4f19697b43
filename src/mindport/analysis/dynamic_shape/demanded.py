"""What a function uses as only tensors are, followed backwards to the names that it began with.

A use shows an expression to be a tensor: a method or a subscript that only tensors have, a place among a tensor function's arguments, a parameter of
another function of the project that is used so there. What the expression is computed of by operators, by tensors' methods, by slices and by
a name that is bound once is a tensor with it: ``(score > 1).sum()`` shows `score`, and ``part = whole[:, 0]`` shows `whole` where `part` is shown.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.handed_in import of_a_tensor, takes_a_tensor, with_words_of_tensors
from mindport.inference import torchfacts
from mindport.inference import values as v

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Engine, Routine

#: Calls are followed this deep, and no deeper: what a function hands on, and that hands on.
MOST_DEEP = 6
_ORDERS = (ast.Gt, ast.GtE, ast.Lt, ast.LtE, ast.Eq, ast.NotEq)


def used_as_tensors(engine: Engine, routine: Routine, deep: int = 0) -> tuple[frozenset[str], frozenset[int]]:
    """Names, and other expressions by id, that are used as only tensors are: ``x.size(0)``, ``x[m].view(-1, 2)``, ``boxes[:, 0]``, ``F.relu(x)``."""
    if routine.demanded is None:
        routine.demanded = frozenset(), frozenset()  # a function that calls itself shows nothing by that
        uses = _Uses(engine, routine, deep)
        for inner in routine.nodes:
            if isinstance(inner, ast.Call):
                uses.call(inner)
            elif uses.alone and isinstance(inner, ast.Attribute) and inner.attr == "shape" and isinstance(inner.value, ast.Name) and not apis.WITH_SHAPES & set(inner.value.id.lower().split("_")) or uses.alone and isinstance(inner, ast.Subscript) and along_axes(inner.slice):
                uses.shows(inner.value)
        uses.through_names()
        routine.demanded = frozenset(uses.names), frozenset(uses.places)
    return routine.demanded


class _Uses:
    """The uses of one function."""

    def __init__(self, engine: Engine, routine: Routine, deep: int) -> None:
        from mindport.analysis.dynamic_shape.subscripts import uses_torch_alone

        self.engine, self.routine, self.deep = engine, routine, deep
        # In a function that works with PyTorch and no NumPy, what arrays and tensors share shows a tensor.
        self.alone = uses_torch_alone(routine)
        self.marking = apis.MARKING_TENSORS | apis.SHARED_WITH_ARRAYS if self.alone else apis.MARKING_TENSORS
        self.names: set[str] = set()
        self.places: set[int] = set()

    def call(self, node: ast.Call) -> None:
        """The receiver of a method, and the arguments of a function."""
        func = node.func
        if isinstance(func, ast.Attribute):
            held = func.value
            sized = isinstance(held, ast.Name) and func.attr in apis.WITH_AN_AXIS and len(node.args) == 1 and isinstance(node.args[0], (ast.Constant, ast.UnaryOp)) and not node.keywords
            if sized or func.attr in apis.ASKING_SHAPES and len(node.args) < 2 or func.attr in self.marking or of_a_tensor(node) or isinstance(held, ast.Name) and with_words_of_tensors(node):
                self.shows(held)
            if isinstance(held, ast.BinOp) and self.alone and func.attr in apis.SHARED_WITH_ARRAYS:
                self.places.add(id(held))  # (a - b).abs()
            if not isinstance(held, ast.Name) and (func.attr in apis.MARKING_TENSORS or func.attr == apis.VIEW and len(node.args) > 1):
                self.places.add(id(held))
            if func.attr in apis.CASTING and (isinstance(held, ast.Compare) or isinstance(held, ast.Subscript) and along_axes(held.slice)):
                self.shows(held)  # boxes[:, 5].int(), (x > 0).float(): no array has that
        callee = self.routine.facts.value(func)
        if node.args and isinstance(callee, v.Api) and takes_a_tensor(callee.name):
            self.shows(node.args[0])
        for option in v.options(callee):
            function = option.function if isinstance(option, v.Bound) else option
            if isinstance(function, v.ProjectFunction) and self.deep < MOST_DEEP:
                self.handed_on(node, function, isinstance(option, v.Bound))

    def handed_on(self, node: ast.Call, function: v.ProjectFunction, bound: bool) -> None:
        """Arguments of a function of the project that uses the parameter as only a tensor is used."""
        called = self.engine.routines.get(id(function.scope.node))
        if called is None or called is self.routine or called.prepares_data or not any(isinstance(a, ast.Name) for a in [*node.args, *(k.value for k in node.keywords)]):
            return
        shown = used_as_tensors(self.engine, called, self.deep + 1)[0]
        skip = function.scope.cls is not None and (bound or function.scope.kind == "class") and function.scope.kind != "static"
        names = [a.arg for a in function.scope.positional][skip:]
        for name, argument in [*zip(names, node.args, strict=False), *((k.arg, k.value) for k in node.keywords)]:
            if isinstance(argument, ast.Starred):
                return
            if name in shown and isinstance(argument, ast.Name):
                self.shows(argument)

    def shows(self, node: ast.expr) -> None:
        """An expression is a tensor, and with it what it is computed of."""
        match node:
            case ast.Name():
                self.names.add(node.id)
            case ast.Attribute(value=ast.Name("self"), attr=attr) if self.routine.in_class:
                self.names.add("self." + attr)
            case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in torchfacts.members(torch_names.TENSOR):
                self.shows(inner)  # delta.abs().float()
            case ast.Subscript(value=inner, slice=index) if isinstance(index, ast.Slice) and (isinstance(inner, ast.Name) or isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Slice)) or along_axes(index):
                self.shows(inner)  # end[i:].argmax(), series[a:b][-n:].mean()
            case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=inner):
                self.shows(inner)
            case ast.BinOp(left, ast.Sub() | ast.Mult() | ast.Div(), right):
                self.operands(left, right)
            case ast.BinOp(left, ast.BitAnd() | ast.BitOr(), right) if isinstance(left, ast.Compare) and isinstance(right, ast.Compare):
                self.shows(left)
                self.shows(right)
            case ast.Compare(left, [op], [right]) if isinstance(op, _ORDERS) and not any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in (left, right)):
                self.operands(left, right)

    def operands(self, left: ast.expr, right: ast.expr) -> None:
        """Of two operands one may be a number: the one beside a constant is shown, and a name with itself, ``x[1:] - x[:-1]``."""
        parts = [part for part in (left, right) if not isinstance(part, ast.Constant) and not (isinstance(part, ast.UnaryOp) and isinstance(part.operand, ast.Constant))]
        wholes = [part.value if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice) else part for part in parts]
        if len(parts) == 1 or len(parts) == 2 and isinstance(wholes[0], ast.Name) and ast.dump(wholes[0]) == ast.dump(wholes[1]):
            self.shows(wholes[0])

    def through_names(self) -> None:
        """``part = x[:, i]``, ``for part in x.split(n)`` of a `part` that is bound once and shown: `x` is shown, too."""
        bound: dict[str, list[ast.expr | None]] = {}
        for inner in self.routine.nodes:
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                bound.setdefault(inner.id, []).append(None)
        for inner in self.routine.nodes:
            for target in inner.targets if isinstance(inner, ast.Assign) else ():
                if isinstance(target, ast.Name) and (len(bound[target.id]) == 1 or isinstance(inner.value, ast.Subscript)):  # type: ignore[attr-defined]
                    bound[target.id].append(inner.value)  # type: ignore[attr-defined]
            whole = inner.iter if isinstance(inner, (ast.For, ast.comprehension)) else None
            if isinstance(whole, ast.Call) and isinstance(whole.func, ast.Attribute) and whole.func.attr in apis.PARTING and isinstance(inner.target, ast.Name):  # type: ignore[attr-defined]
                bound[inner.target.id].append(whole)  # type: ignore[attr-defined]
        reached: set[str] = set()
        while more := self.names - reached:
            reached |= more
            for name in more:
                for value in bound.get(name, ()):
                    if value is not None:
                        self.shows(value)


def along_axes(index: ast.expr) -> bool:
    """``boxes[:, 0]``: no list can be indexed so."""
    return isinstance(index, ast.Tuple) and any(isinstance(part, ast.Slice) or isinstance(part, ast.Constant) and part.value in (None, ...) for part in index.elts)
