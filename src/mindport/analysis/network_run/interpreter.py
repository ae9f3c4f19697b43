"""Expressions: names, arithmetic, containers, attributes, calls."""

from __future__ import annotations

import ast
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from mindport.analysis import torch_names
from mindport.analysis.network_run import attributes, function_shapes
from mindport.analysis.network_run.values import (
    Bound,
    Class,
    Function,
    Instance,
    Outside,
    Partial,
    Scope,
    Super,
    Tensor,
    Undecided,
    Unknown,
    shown,
)
from mindport.inference import values as v
from mindport.inference.facts import Facts

#: Nodes that one run may evaluate, calls inside calls, and the longest container.
MOST_STEPS, MOST_DEEP, MOST_LONG = 400_000, 60, 20_000
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitXor: operator.xor,
}  # fmt: skip
_COMPARING: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}


class Interpreter(ABC):
    """Evaluates expressions; `statements.Run` adds statements and calls of functions."""

    def __init__(self) -> None:
        self.steps = 0
        self.deep = 0

    def tick(self, node: ast.AST, scope: Scope) -> None:
        """Count a step. Raises Undecided where the run takes too long."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Undecided("the network is too large to follow", f"{scope.path}:{getattr(node, 'lineno', 1)}")

    def evaluate(self, node: ast.expr, scope: Scope) -> Any:
        """The value of an expression. Raises Undecided with the place."""
        self.tick(node, scope)
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            return Unknown(f"`{ast.unparse(node)[:40]}` is not followed")
        try:
            return method(node, scope)
        except Undecided as reason:
            if not reason.place:
                reason.place = f"{scope.path}:{getattr(node, 'lineno', 1)}"
            raise
        except (ArithmeticError, TypeError, ValueError, LookupError, AttributeError) as error:
            raise Undecided(f"it would raise {type(error).__name__}", f"{scope.path}:{getattr(node, 'lineno', 1)}") from None

    def truth(self, node: ast.expr, scope: Scope) -> bool:
        """A condition. Raises Undecided where it is not known."""
        value = self.evaluate(node, scope)
        known = truth_of(value)
        if known is None:
            raise Undecided(f"the condition `{ast.unparse(node)[:60]}` is not known")
        return known

    # --- expressions -------------------------------------------------------------------------------------------

    def _Constant(self, node: ast.Constant, scope: Scope) -> Any:
        return node.value

    def _Name(self, node: ast.Name, scope: Scope) -> Any:
        inner: Scope | None = scope
        while inner is not None:
            if node.id in inner.names:
                return inner.names[node.id]
            if node.id in inner.local:
                return Unknown(f"{node.id} is not known")
            inner = inner.around
        return outside_value(scope.facts.value(node), f"{node.id} is not known")

    def _Attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        return self.attribute(self.evaluate(node.value, scope), node.attr)

    def attribute(self, base: Any, name: str) -> Any:
        """``base.name``."""
        return attributes.read(self, base, name)

    def _Tuple(self, node: ast.Tuple, scope: Scope) -> Any:
        return tuple(self.items(node.elts, scope))

    def _List(self, node: ast.List, scope: Scope) -> Any:
        return self.items(node.elts, scope)

    def _Set(self, node: ast.Set, scope: Scope) -> Any:
        return set(self.items(node.elts, scope))

    def items(self, nodes: list[ast.expr], scope: Scope) -> list[Any]:
        """Values with ``*`` taken apart."""
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += self.iterate(self.evaluate(node.value, scope))
            else:
                found.append(self.evaluate(node, scope))
        return found

    def _Dict(self, node: ast.Dict, scope: Scope) -> Any:
        made: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                more = self.evaluate(value, scope)
                if not isinstance(more, dict):
                    raise Undecided("a dictionary that is unpacked is not known")
                made |= more
            else:
                made[self.key(self.evaluate(key, scope))] = self.evaluate(value, scope)
        return made

    def key(self, value: Any) -> Any:
        """A key of a dictionary. Raises Undecided where it is not known."""
        if isinstance(value, (Unknown, Tensor, list, dict)):
            raise Undecided("a key is not known")
        return value

    def _JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> Any:
        text = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
            elif isinstance(part, ast.FormattedValue):
                value = self.evaluate(part.value, scope)
                if part.format_spec is not None or not isinstance(value, (str, int, float)):
                    return Unknown("a text that is put together", True)
                text += str(value)
        return text

    def _BinOp(self, node: ast.BinOp, scope: Scope) -> Any:
        return self.arithmetic(node.op, self.evaluate(node.left, scope), self.evaluate(node.right, scope))

    def arithmetic(self, op: ast.operator, left: Any, right: Any) -> Any:
        """Numbers and containers are computed; of tensors, the shape."""
        if isinstance(left, Tensor) or isinstance(right, Tensor):
            one, two = (x.shape if isinstance(x, Tensor) else None if isinstance(x, Unknown) and not x.plain else () for x in (left, right))
            if one is None or two is None:
                return Tensor(None)
            return Tensor(function_shapes.product(one, two) if isinstance(op, ast.MatMult) else function_shapes.broadcast(one, two))
        for value in (left, right):
            if isinstance(value, Unknown):
                return value
        if isinstance(op, ast.MatMult) or any(isinstance(x, (Instance, Outside, Class, Function, Bound)) for x in (left, right)):
            return Unknown("arithmetic that is not followed")
        if isinstance(op, ast.Mult) and isinstance(left, (list, tuple, str)) and isinstance(right, int) and len(left) * right > MOST_LONG:
            raise Undecided("a list is too long")
        if isinstance(op, (ast.Pow, ast.LShift)) and (not isinstance(right, (int, float)) or abs(right) > 100 or abs(left) > 10**6):
            return Unknown("a large power", True)
        return _BINARY[type(op)](left, right)

    def _UnaryOp(self, node: ast.UnaryOp, scope: Scope) -> Any:
        if isinstance(node.op, ast.Not):
            known = truth_of(self.evaluate(node.operand, scope))
            return Unknown("a condition", True) if known is None else not known
        value = self.evaluate(node.operand, scope)
        if isinstance(value, Unknown):
            return value
        return Tensor(value.shape) if isinstance(value, Tensor) else _UNARY[type(node.op)](value)

    def _BoolOp(self, node: ast.BoolOp, scope: Scope) -> Any:
        wanted = isinstance(node.op, ast.Or)
        value: Any = None
        for part in node.values:
            value = self.evaluate(part, scope)
            known = truth_of(value)
            if known is None:
                # A later part that decides alone still may; which value results is not known.
                rest = [truth_of(self.evaluate(p, scope)) for p in node.values[node.values.index(part) + 1 :]]
                return wanted if wanted in rest and not wanted else Unknown("a condition", True)
            if known == wanted:
                return value
        return value

    def _Compare(self, node: ast.Compare, scope: Scope) -> Any:
        left = self.evaluate(node.left, scope)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.evaluate(right_node, scope)
            known = _compared(op, left, right)
            if known is None:
                return Unknown("a comparison", True)
            if not known:
                return False
            left = right
        return True

    def _IfExp(self, node: ast.IfExp, scope: Scope) -> Any:
        known = truth_of(self.evaluate(node.test, scope))
        if known is not None:
            return self.evaluate(node.body if known else node.orelse, scope)
        one, two = self.evaluate(node.body, scope), self.evaluate(node.orelse, scope)
        if type(one) is type(two) and isinstance(one, (int, str, float)) and one == two:
            return one
        if attributes.alike(one, two):
            return one
        return Unknown(f"the condition `{ast.unparse(node.test)[:60]}` is not known", attributes.plain(one) and attributes.plain(two))

    def _Lambda(self, node: ast.Lambda, scope: Scope) -> Any:
        return Function(node, scope.facts, scope.path, scope, scope.owner)

    def _NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> Any:
        value = self.evaluate(node.value, scope)
        scope.names[node.target.id] = value
        return value

    def _Subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        return self.subscript(self.evaluate(node.value, scope), self.index(node.slice, scope))

    def index(self, node: ast.expr, scope: Scope) -> Any:
        """What stands in the brackets."""
        return self.evaluate(node, scope)

    def _Slice(self, node: ast.Slice, scope: Scope) -> Any:
        return slice(*(None if part is None else self.evaluate(part, scope) for part in (node.lower, node.upper, node.step)))

    def subscript(self, base: Any, index: Any) -> Any:
        """``base[index]``."""
        if isinstance(base, Tensor):
            if base.data is not None and isinstance(index, int):
                return Tensor((), (base.data[index],))
            try:
                return Tensor(None if base.shape is None else function_shapes.indexed(base.shape, index))
            except Undecided:
                return Tensor(None)
        if isinstance(base, Instance):
            return attributes.item(self, base, index)
        if isinstance(base, Unknown) or isinstance(index, Unknown):
            return base if isinstance(base, Unknown) else Unknown(f"the index is not known: {shown(index)}")
        if isinstance(base, (list, tuple, str)) and isinstance(index, slice):
            if any(isinstance(b, Unknown) for b in (index.start, index.stop, index.step)):
                return Unknown("the bounds of a slice are not known")
            return base[index]
        if isinstance(base, (list, tuple, str, range, dict)):
            return base[index]
        return Unknown("a subscript that is not followed")

    def iterate(self, value: Any) -> list[Any]:
        """The elements. Raises Undecided where they are not known."""
        if isinstance(value, Instance):
            return attributes.elements(self, value)
        if isinstance(value, Tensor) and value.shape:
            if value.data is not None:
                return [Tensor((), (n,)) for n in value.data]
            return [Tensor(value.shape[1:]) for _ in range(value.shape[0])]
        if isinstance(value, (list, tuple, str, range, dict, set)):
            if len(value) > MOST_LONG:
                raise Undecided("a loop is too long")
            return list(value)
        raise Undecided(f"what is iterated over is not known: {shown(value)}")

    def _comprehended(self, node: Any, scope: Scope, make: Callable[[Scope], None]) -> None:
        def loop(generators: list[ast.comprehension], inner: Scope) -> None:
            if not generators:
                make(inner)
                return
            first = generators[0]
            for item in self.iterate(self.evaluate(first.iter, inner)):
                self.assign(first.target, item, inner)
                if all(self.truth(test, inner) for test in first.ifs):
                    loop(generators[1:], inner)

        loop(node.generators, Scope(scope.facts, scope.path, {}, frozenset(), scope, scope.owner, scope.own))

    @abstractmethod
    def assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        """Bind a target (`statements.Run`)."""

    def _ListComp(self, node: ast.ListComp, scope: Scope) -> Any:
        found: list[Any] = []
        self._comprehended(node, scope, lambda inner: found.append(self.evaluate(node.elt, inner)))
        return found

    _GeneratorExp = _ListComp

    def _SetComp(self, node: ast.SetComp, scope: Scope) -> Any:
        return set(self._ListComp(node, scope))  # type: ignore[arg-type]

    def _DictComp(self, node: ast.DictComp, scope: Scope) -> Any:
        found: dict[Any, Any] = {}

        def make(inner: Scope) -> None:
            found[self.key(self.evaluate(node.key, inner))] = self.evaluate(node.value, inner)

        self._comprehended(node, scope, make)
        return found

    def _Call(self, node: ast.Call, scope: Scope) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return self._super(node, scope)
        function = self.evaluate(node.func, scope)
        args = tuple(self.items(node.args, scope))
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, scope)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif isinstance(value, dict) and all(isinstance(k, str) for k in value):
                keywords |= value
            else:
                raise Undecided(f"arguments that are unpacked are not known: {shown(value)}")
        return self.call(function, args, keywords, scope)

    def _super(self, node: ast.Call, scope: Scope) -> Any:
        owner, own = scope.owner, scope.own
        if len(node.args) == 2:
            cls, own = self.evaluate(node.args[0], scope), self.evaluate(node.args[1], scope)
            owner = cls.scope if isinstance(cls, Class) else None
        if owner is None or not isinstance(own, Instance):
            raise Undecided("what super() stands for is not known")
        return Super(owner, own)

    @abstractmethod
    def call(self, function: Any, args: tuple[Any, ...], keywords: dict[str, Any], scope: Scope) -> Any:
        """Call a value (`statements.Run`)."""


def truth_of(value: Any) -> bool | None:
    """Whether a value counts as true; None: not known."""
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Tensor):
        return bool(value.data[0]) if value.data is not None and len(value.data) == 1 else None
    if isinstance(value, Instance):
        return None if value.layer.endswith((torch_names.SEQUENTIAL, torch_names.MODULE_LIST, torch_names.MODULE_DICT)) else True
    return bool(value) if isinstance(value, (int, float, str, list, tuple, dict, set, range, type(None))) else True


def _number(value: Any) -> Any:
    return value.data[0] if isinstance(value, Tensor) and value.data is not None and len(value.data) == 1 else value


def _compared(op: ast.cmpop, left: Any, right: Any) -> bool | None:
    left, right = _number(left), _number(right)
    if isinstance(op, (ast.Is, ast.IsNot)):
        if any(isinstance(x, Unknown) for x in (left, right)):
            return None
        same = left is right or (isinstance(left, Outside) and left == right) or (
            isinstance(left, Class) and isinstance(right, Class) and left.scope is right.scope
        ) or (isinstance(left, (bool, type(None), str, int)) and left == right and type(left) is type(right))  # fmt: skip
        return same == isinstance(op, ast.Is)
    if any(isinstance(x, (Unknown, Tensor)) for x in (left, right)):
        return None
    if isinstance(op, (ast.In, ast.NotIn)):
        if not isinstance(right, (list, tuple, dict, set, str, range)) or any(isinstance(x, Unknown) for x in right):
            return None
        found = any(_compared(ast.Eq(), left, x) for x in right) if not isinstance(right, str) else isinstance(left, str) and left in right
        return bool(found) == isinstance(op, ast.In)
    if isinstance(left, Class) and isinstance(right, Class):
        return (left.scope is right.scope) == isinstance(op, ast.Eq)
    if any(isinstance(x, (list, tuple)) and any(isinstance(i, (Unknown, Tensor)) for i in x) for x in (left, right)):
        return None
    return bool(_COMPARING[type(op)](left, right))


def outside_value(value: v.Value, why: str = "it is not known") -> Any:
    """A value of inference as the interpreter's."""
    if isinstance(value, v.Const):
        return value.value
    if isinstance(value, v.Api):
        return Outside(value.name)
    if isinstance(value, v.ProjectClass):
        return Class(value.scope)
    if isinstance(value, v.ProjectFunction):
        return of_function(value)
    if isinstance(value, v.ProjectModule):
        return value
    if isinstance(value, v.Sequence) and value.items is not None:
        items = [outside_value(item, why) for item in value.items]
        return tuple(items) if value.type == "tuple" else items
    if isinstance(value, v.Mapping) and value.items is not None:
        return {key: outside_value(item, why) for key, item in value.items}
    if isinstance(value, v.Partial):
        return Partial(outside_value(value.function, why), tuple(outside_value(a, why) for a in value.args), {k: outside_value(a, why) for k, a in value.keywords})
    return Unknown(why, isinstance(value, (v.Builtin, v.TensorValue)))


def of_function(value: v.ProjectFunction) -> Function:
    """A function of the project; what stands around a nested one is not known."""
    scope = value.scope
    facts: Facts = scope.module.facts
    return Function(scope.node, facts, str(scope.module.file.relative), None, scope.cls, "" if scope.keeps else "a decorator")
