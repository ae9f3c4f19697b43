"""Scores of which no row can be hidden whole: products of matrices, and what a triangle that keeps the first column hides of them.

``scores.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))`` with ``mask = torch.tril(torch.ones(n, n))``: each query sees the first key, so that
the plain softmax is right there. Followed are the bindings of one function and the one buffer that a class keeps; whatever else may have written minus
infinity (an argument, a function of the project, a store to items, a method in place) leaves the question open. That matrices which are multiplied hold
minus infinity themselves is not considered: their product would be NaN nearly everywhere. Nor is a state dictionary that brings another mask.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

from mindport.convert.context import Context, parents_of
from mindport.convert.reaching import reaching
from mindport.convert.scopes import SCOPES
from mindport.convert.written_scores import Store, handed_on, is_finite, may_hide, stores_by_attribute
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.walking import walk

#: Of a tensor: no minus infinity anywhere; in the first column of the last axis: 1 or True, 0 or False, any number.
State = Literal["numbers", "ones", "zeros", "seen"]

_PRODUCTS = frozenset(("matmul", "mm", "bmm", "baddbmm", "addmm", "einsum", "linear", "mv"))
_PRODUCT_LAYERS = frozenset(f"torch.nn.{name}" for name in ("Linear", "LazyLinear", "Bilinear", "Conv1d", "Conv2d", "Conv3d"))
_SAME = frozenset(("float", "double", "half", "bfloat16", "to", "type", "type_as", "bool", "int", "long", "contiguous", "cuda", "cpu", "detach", "clone", "byte"))
_RESHAPING = frozenset(("view", "reshape", "transpose", "permute", "unsqueeze", "squeeze", "flatten", "expand", "repeat", "t", "split", "chunk"))
_SCALARS = ("int", "float", "bool")


def keeps_every_row(context: Context, call: ast.Call, scores: ast.expr, axis: ast.expr | None) -> bool:
    """Whether no row of the scores that a softmax gets can be minus infinity altogether."""
    scope = _function(context.parents, call) or context.file.tree
    state = _Chain(context, context.facts, context.parents, scope).state(scores)
    if state == "numbers":
        return True
    return state is not None and axis is not None and ast.unparse(axis) == "-1"


def _function(parents: dict[int, ast.AST], node: ast.AST) -> ast.AST | None:
    """The function around a node; None also in a lambda or a comprehension, whose names are their own."""
    above = parents.get(id(node))
    while above is not None and not isinstance(above, (*SCOPES, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)):
        above = parents.get(id(above))
    return above if isinstance(above, SCOPES) else None


@dataclass
class _Chain:
    """What the expressions of one function hold."""

    context: Context
    facts: Facts
    parents: dict[int, ast.AST]
    scope: ast.AST
    assumed: dict[str, State] = field(default_factory=dict)  # of attributes that are given a part of themselves
    asked: set[int] = field(default_factory=set)  # bindings on the way: one that is asked about itself says nothing

    @cached_property
    def _may_hide(self) -> bool:
        return may_hide(self.scope, self.facts)

    def state(self, node: ast.expr) -> State | None:
        """The state of an expression's value where it stands."""
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return "numbers" if self._is_number(node) else self._kept(node)
            case ast.Subscript(value=value, slice=index):
                return self._part(self.state(value), index)
            case ast.BinOp(left=left, op=op, right=right):
                return self._computed(left, op, right)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return _turned(self.state(operand))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return "numbers" if self.state(operand) == "numbers" else None
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=number)]):
                return _compared(self.state(left), op, number)
            case ast.Call():
                return self._called(node)
        return "numbers" if self._is_number(node) else None

    def _name(self, name: ast.Name) -> State | None:
        places = reaching(self.scope, name, self.parents)
        if not places or self._may_hide or handed_on(self.scope, self.facts, name.id):
            return "numbers" if self._is_number(name) else None
        return _joined([self._bound(place, name) for place in places])

    def _bound(self, place: ast.AST, name: ast.Name) -> State | None:
        if id(place) in self.asked:
            return None
        self.asked.add(id(place))
        try:
            match place:
                case ast.Assign(targets=targets, value=value) if any(isinstance(t, ast.Name) and t.id == name.id for t in targets):
                    return self.state(value)
                case ast.Assign(value=value):  # its part, or a part of it
                    return "numbers" if self.state(value) == "numbers" else None
                case ast.AnnAssign(value=ast.expr() as value):
                    return self.state(value)
                case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                    return self._computed(target, op, value)
            return None
        finally:
            self.asked.discard(id(place))

    def _computed(self, left: ast.expr, op: ast.operator, right: ast.expr) -> State | None:
        if isinstance(op, ast.MatMult):
            return "numbers"
        if isinstance(op, ast.Sub) and isinstance(left, ast.Constant) and left.value == 1:
            return _turned(self.state(right))
        one, other = self.state(left), self.state(right)
        if one == other == "numbers" and isinstance(op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
            return "numbers"
        if isinstance(op, ast.Add) and one is not None and other is not None or isinstance(op, ast.Sub) and one is not None and other == "numbers":
            return "seen"
        return None

    def _called(self, call: ast.Call) -> State | None:
        name, operands = self._api(call)
        if any(keyword.arg is None or keyword.arg == "out" for keyword in call.keywords) or any(isinstance(o, ast.Starred) for o in operands):
            return None
        named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        taken = self.state(operands[0]) if operands else None
        match name:
            case _ if name in _PRODUCTS:
                return "numbers"
            case _ if name in _SAME:
                return taken
            case "ones" | "zeros":
                return name  # type: ignore[return-value]
            case "tril":
                return taken if taken in ("ones", "zeros") and _diagonal(operands, named) >= 0 else None
            case "triu":
                return "zeros" if _diagonal(operands, named) >= 1 else None
            case "logical_not":
                return _turned(taken)
            case "masked_fill" if len(operands) == 3:
                hidden = self.state(operands[1]) == "zeros"
                return taken if is_finite(operands[2], self.facts) and taken == "numbers" else "seen" if hidden and taken is not None else None
            case "where" if len(operands) == 3:
                chosen = {"ones": operands[1], "zeros": operands[2]}.get(taken or "")
                return "seen" if chosen is not None and self.state(chosen) is not None else None
            case _ if name in _RESHAPING:
                return "numbers" if taken == "numbers" else self._reshaped(name, taken, operands)
        return "numbers" if self._is_number(call) or self._is_product_layer(call) else None

    def _reshaped(self, name: str, taken: State | None, operands: list[ast.expr]) -> State | None:
        """Of what has an order of columns: axes of length one in front, as ``view(1, 1, n, n)`` of an n by n matrix and ``unsqueeze(0)`` write them."""
        match name, operands:
            case "unsqueeze", [_, ast.Constant(value=0 | 1)]:  # a matrix at least, so the columns stay the last axis
                return taken if isinstance(operands[0], ast.Call) and self._api(operands[0])[0] in ("tril", "triu") else None
            case "view" | "reshape", [ast.Call() as made, *sizes] if self._api(made)[0] in ("tril", "triu"):
                inside = self._api(made)[1][0]
                columns = self._api(inside)[1] if isinstance(inside, ast.Call) else []
                kept = len(columns) == 2 and [ast.unparse(size) for size in sizes[-2:]] == [ast.unparse(size) for size in columns]
                return taken if kept and all(isinstance(size, ast.Constant) and size.value == 1 for size in sizes[:-2]) else None
        return None

    def _kept(self, node: ast.Attribute) -> State | None:
        """Of what a class of the project keeps: where all that the project stores under that name says the same."""
        kinds = v.options(self.facts.value(node.value))
        if node.attr in self.assumed or not all(isinstance(kind, v.ProjectInstance) for kind in kinds):
            return self.assumed.get(node.attr)
        classes = {cls.node for kind in kinds if isinstance(kind, v.ProjectInstance) for cls in kind.cls.scope.mro}
        stores = [store for store in self.context.once(stores_by_attribute).get(node.attr, ()) if store.classes is None or store.classes & classes]
        first = [store for store in stores if not store.again]
        state = _joined([self._stored(store, self.assumed) for store in first]) if first else None
        if state is None or any(self._stored(store, {**self.assumed, node.attr: state}) != state for store in stores if store.again):
            return None
        return state

    def _stored(self, store: Store, assumed: dict[str, State]) -> State | None:
        if store.value is None:
            return None
        parents = _parents(store.file.tree)
        scope = _function(parents, store.value) or store.file.tree
        return _Chain(self.context, store.facts, parents, scope, assumed).state(store.value)

    def _part(self, whole: State | None, index: ast.expr) -> State | None:
        """Of a value's part: all its columns, or those from the first on."""
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        plain = all(isinstance(part, ast.Slice) or isinstance(part, ast.Constant) and part.value in (None, ...) for part in parts)
        match parts[-1]:
            case ast.Slice(lower=None | ast.Constant(value=0), step=None) if plain:
                return whole
        return "numbers" if whole == "numbers" else None

    def _api(self, call: ast.Call) -> tuple[str, list[ast.expr]]:
        """The last part of the torch name that a call calls, and its operands, a method's object first."""
        for kind in v.options(self.facts.value(call.func)):
            bound = isinstance(kind, v.Bound)
            function = kind.function if isinstance(kind, v.Bound) else kind
            if isinstance(function, v.Api) and function.name.startswith("torch."):
                own = [call.func.value] if bound and isinstance(call.func, ast.Attribute) else []
                return function.name.rpartition(".")[2], [*own, *call.args]
        return "", []

    def _is_number(self, node: ast.expr) -> bool:
        """Whether an expression is one of Python's numbers, and none that is infinite by its text."""
        kinds = v.options(self.facts.value(node))
        return all(
            isinstance(kind, v.Builtin) and kind.type in _SCALARS or isinstance(kind, v.Const) and isinstance(kind.value, (int, float)) and math.isfinite(kind.value) for kind in kinds
        ) and not any(isinstance(part, ast.Name) and part.id == "float" for part in walk(node))

    def _is_product_layer(self, call: ast.Call) -> bool:
        return all(isinstance(kind, v.Instance) and kind.cls in _PRODUCT_LAYERS for kind in v.options(self.facts.value(call.func)))


@lru_cache(maxsize=64)
def _parents(tree: ast.Module) -> dict[int, ast.AST]:
    return parents_of(tree)


def _diagonal(operands: list[ast.expr], named: dict[str, ast.expr]) -> float:
    """Which diagonal ``tril`` and ``triu`` end and begin at; NaN where only the program knows."""
    node = named.get("diagonal", operands[1] if len(operands) > 1 else ast.Constant(0))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else math.nan


def _turned(state: State | None) -> State | None:
    """Of ``~mask`` and of ``1 - mask``."""
    turned: dict[State | None, State] = {"ones": "zeros", "zeros": "ones"}
    return turned.get(state)


def _compared(state: State | None, op: ast.cmpop, number: object) -> State | None:
    """Of ``mask == 0`` and its like."""
    match op, number:
        case (ast.Eq(), 1) | (ast.NotEq(), 0) | (ast.Gt(), 0):
            return state if state in ("ones", "zeros") else None
        case (ast.Eq(), 0) | (ast.NotEq(), 1) | (ast.Lt(), 1):
            return _turned(state)
    return None


def _joined(states: list[State | None]) -> State | None:
    """Of what is one or the other."""
    if None in states:
        return None
    return states[0] if len(set(states)) == 1 else "seen"
