"""Operators, comparisons and subscripts."""

from __future__ import annotations

import ast
import operator
from typing import Any

from mindport.inference import torchfacts
from mindport.inference.annotations import SIZE
from mindport.inference.containers import CONTAINERS, iterate
from mindport.inference.frame import Frame
from mindport.inference.overlays import arrays
from mindport.inference.values import (
    NONE,
    NOTHING,
    Api,
    Builtin,
    Const,
    Instance,
    Mapping,
    ProjectClass,
    ProjectInstance,
    Returning,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    element_of,
    join,
    options,
    values_of,
    widen,
)

_BOOL = Builtin("bool")
_METHODS: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "lshift",
    ast.RShift: "rshift",
}  # fmt: skip
_UNARY: dict[type, str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "bool"}
_COMPARISONS: dict[type, str] = {
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne", ast.In: "contains", ast.NotIn: "contains",
}  # fmt: skip
_FOLDED: dict[type, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Div: operator.truediv,
}  # fmt: skip
_RANKS = {"bool": 0, "int": 1, "float": 2, "complex": 3}
#: Numbers of other modules.
NUMBERS = frozenset(f"{module}.{name}" for module in ("math", "numpy") for name in ("pi", "e", "tau", "inf", "nan"))
#: Larger results of constant arithmetic are not kept.
MOST_VALUE = 2**63


def own_operator(node: ast.BinOp | ast.UnaryOp) -> str:
    """The method of a class that an operator calls."""
    return f"__{_METHODS[type(node.op)] if isinstance(node, ast.BinOp) else _UNARY[type(node.op)]}__"


def binary(frame: Frame, op: type, left: Value, right: Value) -> Value:
    """``left op right``."""
    if type(left) is TensorValue and type(right) is not Unknown:
        return _one_binary(frame, op, left, right)
    lefts, rights = options(left), options(right)
    if len(lefts) * len(rights) > 36:
        return Unknown("too many alternatives on both sides")
    return join(*(_one_binary(frame, op, a, b) for a in lefts for b in rights))


def _one_binary(frame: Frame, op: type, left: Value, right: Value) -> Value:
    if isinstance(left, TensorValue) or isinstance(right, TensorValue):
        return _tensor_binary(op, left, right)
    for one, name in ((left, f"__{_METHODS[op]}__"), (right, f"__r{_METHODS[op]}__")):
        if isinstance(one, ProjectInstance):
            method = frame.project.method(one.cls.scope, name)
            if method is not None:
                return frame.project.result(method)
    for one in (left, right):
        if isinstance(one, Instance) and one.cls in CONTAINERS and op in (ast.Add, ast.Mult):
            return Instance(one.cls)  # what it holds is not followed
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        unknown = left if isinstance(left, Unknown) else right
        if op is ast.Mod and _type(left) == "str":
            return Builtin("str")
        assert isinstance(unknown, Unknown)
        return unknown
    if isinstance(left, Sequence):
        return _sequence_binary(op, left, right)
    if isinstance(right, Sequence) and op is ast.Mult:
        return _sequence_binary(op, right, left)
    if isinstance(left, Const) and isinstance(right, Const):
        folded = _fold(op, left, right)
        if folded is not None:
            return folded
    a, b = _type(left), _type(right)
    if a == "str" and op in (ast.Add, ast.Mod, ast.Mult):
        return Builtin("str")
    if a in _RANKS and b in _RANKS:
        kind = a if _RANKS[a] >= _RANKS[b] else b
        if op is ast.Div and kind in ("int", "bool"):
            kind = "float"
        if op is ast.Pow and kind == "int":
            return Builtin("int")
        if kind == "bool" and op not in (ast.BitAnd, ast.BitOr, ast.BitXor):
            kind = "int"
        return Builtin(kind)
    if isinstance(left, Instance) and left.cls == "numpy.ndarray" or isinstance(right, Instance) and right.cls == "numpy.ndarray":
        return arrays.combined(left, right)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return join(left, right)
    return Unknown("the operator's result is not known")


def _type(value: Value) -> str:
    if isinstance(value, Builtin):
        return value.type
    if isinstance(value, Api):
        return "float" if value.name in NUMBERS else ""
    return value.kind.__name__ if isinstance(value, Const) else ""


def _fold(op: type, left: Const, right: Const) -> Value | None:
    function = _FOLDED.get(op)
    numbers = isinstance(left.value, (int, float)) and isinstance(right.value, (int, float))
    texts = isinstance(left.value, str) and isinstance(right.value, str) and op is ast.Add and len(left.value) + len(right.value) < 200
    if function is None or not (numbers or texts):
        return None
    try:
        result = function(left.value, right.value)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None
    if not isinstance(result, str) and not abs(result) < MOST_VALUE:
        return None
    return Const.of(result)


def _tensor_binary(op: type, left: Value, right: Value) -> Value:
    if isinstance(left, TensorValue) and isinstance(right, TensorValue):
        dtype = left.dtype if left.dtype == right.dtype else None
        if op is ast.Div and dtype is not None and "float" not in dtype:
            dtype = None
        return TensorValue(dtype, likely=left.likely and right.likely)
    tensor, other = (left, right) if isinstance(left, TensorValue) else (right, left)
    assert isinstance(tensor, TensorValue)
    if isinstance(other, Instance) and other.cls == "numpy.ndarray":  # torch's operators come first, on either side
        return TensorValue(None, likely=tensor.likely)
    if isinstance(other, (ProjectInstance, Instance)):
        return Unknown("the operator's result is not known")
    floating = tensor.dtype is not None and "float" in tensor.dtype
    kind = _type(other)
    keeps = floating and kind in ("int", "float", "bool") or kind == "int" and op is not ast.Div and tensor.dtype != "torch.bool"
    likely = tensor.likely or isinstance(other, Unknown)
    shape = tensor.shape if kind in _RANKS else None
    return TensorValue(tensor.dtype if keeps else None, shape, likely=likely)


def _sequence_binary(op: type, left: Sequence, right: Value) -> Value:
    if op is ast.Add and isinstance(right, Sequence):
        if left.items is not None and right.items is not None:
            return Sequence(left.type, left.items + right.items)
        return Sequence(left.type, None, join(element_of(left), element_of(right)))
    if op is ast.Mult:
        if left.items is not None and isinstance(right, Const) and isinstance(right.value, int) and 0 <= len(left.items) * right.value <= 16:
            return Sequence(left.type, left.items * right.value)
        return Sequence(left.type, None, element_of(left))
    if left.type == "set":
        return join(left, right) if isinstance(right, Sequence) else left
    return Unknown("the operator's result is not known")


def unary(op: type, value: Value) -> Value:
    """``-x``, ``+x``, ``~x``, ``not x``."""
    if op is ast.Not:
        return _BOOL
    found: list[Value] = []
    for option in options(value):
        if isinstance(option, Const) and op is ast.USub and type(option.value) in (int, float):
            found.append(Const.of(-option.value))
        elif isinstance(option, TensorValue):
            found.append(TensorValue(option.dtype, option.shape, likely=option.likely))
        elif isinstance(option, (Const, Builtin)):
            found.append(widen(option))
        elif isinstance(option, Unknown):
            found.append(option)
        else:
            found.append(Unknown("the operator's result is not known"))
    return join(*found)


def compare(frame: Frame, op: type, left: Value, right: Value) -> Value:
    """``left op right``; a comparison of tensors is a tensor of bools."""
    if op in (ast.Is, ast.IsNot, ast.In, ast.NotIn):
        return _BOOL
    found: list[Value] = []
    for a in options(left):
        for b in options(right):
            if isinstance(a, TensorValue) or isinstance(b, TensorValue):
                if NONE in (a, b) or isinstance(a, (Sequence, Mapping)) or isinstance(b, Mapping):
                    found.append(_BOOL)
                else:
                    known = [x for x in (a, b) if isinstance(x, TensorValue)]
                    of_number = len(known) == 1 and _type(b if known[0] is a else a) in _RANKS
                    found.append(TensorValue("torch.bool", known[0].shape if of_number else None, likely=all(x.likely for x in known)))
            elif isinstance(a, Instance) and a.cls == "numpy.ndarray" or isinstance(b, Instance) and b.cls == "numpy.ndarray":
                found.append(Instance("numpy.ndarray", likely=True))
            elif isinstance(a, Unknown) and isinstance(b, Unknown):
                found.append(Unknown("a comparison of unknown values"))
            elif isinstance(a, Unknown) and op not in (ast.Eq, ast.NotEq):
                found.append(a)
            else:
                found.append(_BOOL)
    return join(*found)


def only(value: Value, truth: bool) -> Value | None:
    """The alternatives of a value that can be true (or false); None where none can."""
    kept = [option for option in options(value) if _truth(option) in (truth, None)]
    return join(*kept) if kept else None


def _truth(value: Value) -> bool | None:
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Sequence) and value.items is not None:
        return bool(value.items)
    if isinstance(value, Mapping) and value.items is not None:
        return bool(value.items)
    if isinstance(value, (Api, ProjectClass)):
        return True
    return None


def subscript(frame: Frame, base: Value, index: Value, node: ast.expr) -> Value:
    """``base[index]``."""
    found = [_one_subscript(frame, option, index, node) for option in options(base) if option != NONE]
    return join(*found) if found else Unknown("None cannot be indexed")


def _one_subscript(frame: Frame, base: Value, index: Value, node: ast.expr) -> Value:
    if isinstance(base, TensorValue):
        return TensorValue(base.dtype, likely=base.likely)
    if isinstance(base, Sequence):
        if isinstance(node, ast.Slice):
            return _sliced(base, node)
        if isinstance(index, Const) and isinstance(index.value, int) and base.items is not None:
            if -len(base.items) <= index.value < len(base.items):
                return base.items[index.value]
            return NOTHING
        return element_of(base)
    if isinstance(base, Mapping):
        if isinstance(index, Const) and base.items is not None:
            for key, value in base.items:
                if key == index.value and type(key) is index.kind:
                    return value
            return Unknown("the dict has no such key here")
        named = dict(base.named)
        if isinstance(index, Const) and index.value in named:
            return named[index.value]
        return values_of(base)
    if isinstance(base, Const):
        base = widen(base)
    if isinstance(base, Builtin):
        return base if base.type in ("str", "bytes") else Unknown("it cannot be indexed")
    if isinstance(base, Api) and base.name.endswith(".__dict__") and torchfacts.makes_modules(base.name.removesuffix(".__dict__")):
        return Returning(Instance(torchfacts.MODULE, likely=True))
    if isinstance(base, Api) and base.name in arrays.INDEXED:
        return arrays.ARRAY
    if isinstance(base, (Api, ProjectClass)):
        return base  # list[int], Generic[T]
    if isinstance(base, Instance):
        if isinstance(node, ast.Slice):
            return base
        if {"torch.nn.ModuleDict", "torch.nn.ParameterDict"} & set(torchfacts.ancestors(base.cls)):
            default: Value = Instance("torch.nn.Module", likely=True) if base.cls == "torch.nn.ModuleDict" else TensorValue(parameter=True)
            return base.element if base.element is not None else default
        if base.cls == "numpy.ndarray":
            return Instance("numpy.ndarray", likely=True, element=base.element)
        return iterate(frame.project, base)
    if isinstance(base, ProjectInstance):
        method = frame.project.method(base.cls.scope, "__getitem__")
        if method is not None:
            return frame.project.result(method)
        if isinstance(node, ast.Slice):
            return base
        return iterate(frame.project, base)
    if isinstance(base, Unknown):
        return base
    return Unknown("the subscript is not known")


def _sliced(base: Sequence, node: ast.Slice) -> Value:
    if base.items is not None:
        try:
            parts = [None if p is None else ast.literal_eval(p) for p in (node.lower, node.upper, node.step)]
            return Sequence(base.type, base.items[slice(*parts)])
        except (ValueError, TypeError):
            return Sequence(base.type, None, element_of(base))
    return SIZE if base.type == "torch.Size" else Sequence(base.type, None, base.element)
