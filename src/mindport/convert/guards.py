"""Decides an entry's guards for one call: true, false, or undecided.

A guard speaks about parameters: ``p is None``, ``p == 1``, ``p in (1, (1, 1))``, ``p``,
``isinstance(p, Tensor)``, ``len(size) == 1``, joined by not/and/or. What an argument is comes
from its own text (a literal) or from inference (a type). Comparisons are Python's own, since the
vendored body runs them so (``True == 1``); printing asks `same`, which keeps types apart.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mindport.convert.dtypes import COMPLEX, DTYPES, INTEGERS, of_mindspore, plain
from mindport.inference import values as v


@dataclass(frozen=True)
class Known:
    """The value is known."""

    value: Any


@dataclass(frozen=True)
class Typed:
    """Only the type is known, by its name as `isinstance` guards write it; never None.

    `numbers`: a list or tuple of Python's own numbers, nested or not. `filled`: a list or tuple with elements.
    `complex`, `whole`: a complex dtype, one of whole numbers. `dtype`: a tensor's, under torch's name; `axes`: how many it has (`likely`: as far as calls show). `constant`: the dtype that this is. `assumed`: the dtype that a tensor of none that is known most likely has.
    """

    names: frozenset[str]
    numbers: bool = False
    filled: bool = False
    complex: bool = False
    whole: bool = False
    dtype: str | None = None
    axes: int | None = None
    likely: bool = False
    constant: str | None = None
    assumed: str | None = None


Fact = Known | Typed | None  # None: nothing is known
Look = Callable[[ast.expr], Fact]

#: How a body names the types of dtypes and devices: ``isinstance(p, ms.Type)``.
_VALUE_TYPES = {"torch.dtype": "Type", "torch.device": "device", "numpy.ndarray": "ndarray"}


class Listed(tuple[object, ...]):
    """A list's elements: hashable, equal to a tuple's, and still a list to `isinstance`."""


_BUILTIN_TYPES: dict[type, str] = {Listed: "list", bool: "bool", int: "int", float: "float", str: "str", tuple: "tuple", list: "list"}


def fact(value: v.Value) -> Fact:
    """What inference's value says, in the guard's terms."""
    facts = {_single(option) for option in v.options(value)}
    if len(facts) == 1:
        return facts.pop()
    names: set[str] = set()
    for one in facts:
        if not isinstance(one, Typed):
            if isinstance(one, Known) and one.value is not None and type(one.value) in _BUILTIN_TYPES:
                names.add(_BUILTIN_TYPES[type(one.value)])
                continue
            return None
        names |= one.names
    typed = [one for one in facts if isinstance(one, Typed)]
    every = len(typed) == len(facts)
    return Typed(frozenset(names), every and all(one.numbers for one in typed), every and all(one.filled for one in typed), every and all(one.complex for one in typed), every and all(one.whole for one in typed), likely=any(one.likely for one in typed))


def _single(value: v.Value) -> Fact:
    match value:
        case v.Const(value=constant):
            return Known(constant) if _hashable(constant) else None
        case v.TensorValue(parameter=True):
            return Typed(frozenset(("Parameter",)))
        case v.TensorValue(dtype=dtype, shape=shape, likely=likely):
            dtype = dtype if not likely or dtype == "torch.bool" else None  # a comparison's dtype is sure
            return Typed(frozenset(("Tensor",)), dtype=dtype, axes=None if shape is None else len(shape), likely=likely)  # which may be a Parameter
        case v.Builtin(type=name):
            return Typed(frozenset((name,)))
        case v.Sequence(type=name, items=items):
            if items is not None and name in ("tuple", "list"):
                known = [_single(item) for item in items]
                if all(isinstance(k, Known) for k in known):
                    if name == "tuple":
                        return Known(tuple(k.value for k in known))  # type: ignore[union-attr]
                    return Typed(frozenset(("list",)), holds_numbers(value), bool(items))
            return Typed(frozenset(("tuple" if name == "torch.Size" else name,)), holds_numbers(value), bool(items))
        case v.Mapping():
            return Typed(frozenset(("dict",)))
        case v.Api(name=name):
            return Typed(frozenset(("Type" if name in DTYPES else name,)), complex=name in COMPLEX, whole=name in INTEGERS, constant=plain(name))
        case v.ProjectFunction() | v.ProjectClass() | v.Bound() | v.Partial():
            return Typed(frozenset(("callable",)))
        case v.Instance(cls=name):
            return Typed(frozenset((_VALUE_TYPES.get(name, name),)))
    return None


def holds_numbers(value: v.Value) -> bool:
    """Whether inference is sure of a list or tuple of Python's own numbers, nested or not."""
    if not isinstance(value, v.Sequence) or value.type not in ("list", "tuple", "torch.Size"):
        return False
    elements = value.items if value.items is not None else (value.element,)
    return bool(elements) and all(_is_number(option) or holds_numbers(option) for element in elements for option in v.options(element))


def _is_number(value: v.Value) -> bool:
    if isinstance(value, v.Const):
        return isinstance(value.value, int | float)
    return isinstance(value, v.Builtin) and value.type in ("int", "float", "bool")


def _numbers_only(value: Any) -> bool:
    return all(_numbers_only(item) if isinstance(item, list | tuple) else isinstance(item, int | float) for item in value)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def decide(test: ast.expr, look: Look) -> bool | None:
    """The truth of a guard; None where the call does not decide it."""
    match test:
        case ast.BoolOp(op=ast.And(), values=parts):
            truths = [decide(part, look) for part in parts]
            return False if False in truths else None if None in truths else True
        case ast.BoolOp(op=ast.Or(), values=parts):
            truths = [decide(part, look) for part in parts]
            return True if True in truths else None if None in truths else False
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            truth = decide(operand, look)
            return None if truth is None else not truth
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            subject = evaluate(left, look)
            if isinstance(subject, Typed) and subject.constant is not None:
                return _among(op, subject.constant, [evaluate(part, look) for part in (right.elts if isinstance(right, ast.Tuple) else [right])])
            return _compare(op, subject, evaluate(right, look))
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            sides = [left, *comparators]
            pairs = zip(ops, sides[:-1], sides[1:], strict=True)
            truths = [_compare(op, evaluate(one, look), evaluate(other, look)) for op, one, other in pairs]
            return False if False in truths else None if None in truths else True
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, kinds]):
            return _isinstance(evaluate(subject, look), _type_names(kinds))
        case ast.Call(func=ast.Name(id="holds_numbers"), args=[subject]):
            known = evaluate(subject, look)
            if isinstance(known, Known):
                return isinstance(known.value, list | tuple) and _numbers_only(known.value)
            return True if isinstance(known, Typed) and known.numbers else None
        case ast.Call(func=ast.Name(id="seen_list"), args=[subject]):
            known = evaluate(subject, look)  # where one caller gives a list and another a tuple, the list's way is right of both
            return "list" in known.names if isinstance(known, Typed) else _isinstance(known, frozenset(("list",))) is True
        case ast.Call(func=ast.Name(id="seen_tensor"), args=[subject]):
            return _isinstance(evaluate(subject, look), frozenset(("Tensor",))) is True
        case ast.Call(func=ast.Name(id="seen_int"), args=[subject]):
            known = evaluate(subject, look)
            return known.value is None or type(known.value) is int if isinstance(known, Known) else isinstance(known, Typed) and known.names == {"int"}
        case ast.Call(func=ast.Name(id="seen_bool" | "seen_float" as name), args=[subject]):
            known = evaluate(subject, look)
            kind = name.removeprefix("seen_")
            return type(known.value).__name__ == kind if isinstance(known, Known) else isinstance(known, Typed) and known.names == {kind}
        case ast.Call(func=ast.Name(id="seen_complex" | "seen_whole" as name), args=[subject]):
            known = evaluate(subject, look)
            return isinstance(known, Typed) and (known.complex if name == "seen_complex" else known.whole)
        case ast.Call(func=ast.Name(id="seen_dtype"), args=[subject, *dtypes]):
            known = evaluate(subject, look)
            wanted = {of_mindspore(dtype.attr) for dtype in dtypes if isinstance(dtype, ast.Attribute)}
            return isinstance(known, Typed) and (dtype := known.dtype or known.assumed) is not None and plain(dtype) in wanted
        case ast.Call(func=ast.Name(id="seen_axes"), args=[subject, ast.Constant(value=count)]):
            known = evaluate(subject, look)
            return isinstance(known, Typed) and known.axes == count
        case ast.Call(func=ast.Name(id="counts_alike"), args=[*parts]):
            return _counts_alike([evaluate(part, look) for part in parts])
        case ast.Call(func=ast.Name(id="overridden")):
            return False  # what is written in place calls the class's own method, as Python does
        case ast.Call(func=ast.Name(id="without_crop"), args=[subject]):
            known = evaluate(subject, look)
            return min(known.value, default=0) >= 0 if isinstance(known, Known) and isinstance(known.value, tuple | list) else None
        case ast.Call(func=ast.Name(id="with_axes"), args=[subject]):
            return _with_axes(evaluate(subject, look))
        case ast.Call(func=ast.Name(id="callable"), args=[subject]):
            known = evaluate(subject, look)
            if isinstance(known, Known):
                return callable(known.value)
            return None
    known = evaluate(test, look)
    return bool(known.value) if isinstance(known, Known) else None


def evaluate(node: ast.expr, look: Look) -> Fact:
    """What an expression of a guard is."""
    match node:
        case ast.Name():
            return look(node)
        case ast.Constant(value=value):
            return Known(value)
        case ast.Tuple(elts=items):
            known = [evaluate(item, look) for item in items]
            if all(isinstance(k, Known) for k in known):
                return Known(tuple(k.value for k in known))  # type: ignore[union-attr]
            return Typed(frozenset(("tuple",)), filled=_filled(items))
        case ast.List(elts=items):
            return Typed(frozenset(("list",)), filled=_filled(items))
        case ast.Dict():
            return Typed(frozenset(("dict",)))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = evaluate(operand, look)
            if isinstance(inner, Known) and isinstance(inner.value, (int, float)):
                return Known(-inner.value)
            return Typed(inner.names) if isinstance(inner, Typed) else None
        case ast.BinOp(left=left, op=op, right=right):
            return _arithmetic(op, evaluate(left, look), evaluate(right, look))
        case ast.Call(func=ast.Name(id="len"), args=[subject]):
            return _length(subject, look)
        case ast.Attribute(value=ast.Name(id="ms"), attr=attr):
            return Typed(frozenset(("Type",)), constant=of_mindspore(attr))
        case ast.Subscript(value=value, slice=index):
            return _item(evaluate(value, look), evaluate(index, look)) or look(node)
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            truth = decide(node, look)
            return None if truth is None else Known(truth)
    return look(node)


def _filled(items: list[ast.expr]) -> bool:
    return any(not isinstance(item, ast.Starred) for item in items)


def _length(subject: ast.expr, look: Look) -> Fact:
    known = look(ast.Call(ast.Name("len", ast.Load()), [subject], []))
    if known is not None:
        return known
    value = evaluate(subject, look)
    return Known(len(value.value)) if isinstance(value, Known) and isinstance(value.value, (tuple, str)) else None


def _item(value: Fact, index: Fact) -> Fact:
    if isinstance(value, Known) and isinstance(index, Known) and isinstance(value.value, tuple):
        try:
            return Known(value.value[index.value])
        except (IndexError, TypeError):
            return None
    return None


def _arithmetic(op: ast.operator, left: Fact, right: Fact) -> Fact:
    if not (isinstance(left, Known) and isinstance(right, Known)):
        return None
    try:
        match op:
            case ast.Add():
                return Known(left.value + right.value)
            case ast.Sub():
                return Known(left.value - right.value)
            case ast.Mult():
                return Known(left.value * right.value)
    except TypeError:
        return None
    return None


def _counts_alike(range_of: list[Fact]) -> bool | None:
    """Whether a range that is written out ends so far from a multiple of its step that rounding does not change its length."""
    numbers = [part.value for part in range_of if isinstance(part, Known) and isinstance(part.value, int | float)]
    if len(numbers) < 3 or numbers[2] == 0:
        return None
    count = (numbers[1] - numbers[0]) / numbers[2]
    return abs(count - round(count)) > 1e-4 or all(float(number).is_integer() for number in numbers)


def _with_axes(shape: Fact) -> bool:
    """Whether a shape is seen to be a number or to have axes."""
    if isinstance(shape, Known):
        return isinstance(shape.value, int) or bool(shape.value)
    return isinstance(shape, Typed) and (shape.names == {"int"} or shape.filled)


def same(left: Any, right: Any) -> bool:
    """Equality of value *and* type, through tuples."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    return type(left) is type(right) and left == right


def _compare(op: ast.cmpop, left: Fact, right: Fact) -> bool | None:
    if isinstance(op, (ast.Is, ast.IsNot)):
        if isinstance(left, Known) and isinstance(right, Known):
            truth = left.value is right.value
        elif isinstance(right, Known) and right.value is None and isinstance(left, Typed):
            truth = False
        else:
            return None
        return truth if isinstance(op, ast.Is) else not truth
    if isinstance(left, Known) and isinstance(right, Known):
        return _compare_known(op, left.value, right.value)
    if isinstance(left, Known) and isinstance(right, Typed) and right.constant is not None:
        return isinstance(op, ast.NotEq) if isinstance(op, (ast.Eq, ast.NotEq)) else None  # a literal is no dtype
    if isinstance(op, (ast.Eq, ast.NotEq)) and isinstance(left, Typed) and isinstance(right, Known):
        # A tensor compared with a constant is a tensor: undecided. Other types settle inequality.
        kind = _BUILTIN_TYPES.get(type(right.value), "NoneType")
        numbers = {"int", "float", "bool"}
        if not left.names & {"Tensor", "Parameter"} and kind not in left.names and not (kind in numbers and left.names & numbers):
            return isinstance(op, ast.NotEq)
    return None


def _among(op: ast.cmpop, dtype: str, others: list[Fact]) -> bool | None:
    """Whether a dtype that is known is one of others; no dtype is None."""
    names = [other.constant if isinstance(other, Typed) else "" if other == Known(None) else None for other in others]
    if None in names or not isinstance(op, (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)):
        return None
    return (dtype in names) is isinstance(op, (ast.Eq, ast.In, ast.Is))


def _compare_known(op: ast.cmpop, left: Any, right: Any) -> bool | None:
    try:
        match op:
            case ast.Eq():
                return bool(left == right)
            case ast.NotEq():
                return bool(left != right)
            case ast.In():
                return left in right
            case ast.NotIn():
                return left not in right
            case ast.Lt():
                return bool(left < right)
            case ast.LtE():
                return bool(left <= right)
            case ast.Gt():
                return bool(left > right)
            case ast.GtE():
                return bool(left >= right)
    except TypeError:
        return None
    return None


def _type_names(node: ast.expr) -> frozenset[str]:
    if isinstance(node, ast.Tuple):
        return frozenset().union(*(_type_names(item) for item in node.elts))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _type_names(node.left) | _type_names(node.right)
    return frozenset((ast.unparse(node).rpartition(".")[2],))


def _isinstance(subject: Fact, kinds: frozenset[str]) -> bool | None:
    if isinstance(subject, Known):
        name = _BUILTIN_TYPES.get(type(subject.value))
        if subject.value is None:
            return False
        return None if name is None else name in kinds or (name == "bool" and "int" in kinds)
    if isinstance(subject, Typed):
        broader = {"bool": "int", "Parameter": "Tensor"}
        names = {broader[n] if broader.get(n) in kinds else n for n in subject.names}
        if "Parameter" in kinds and "Tensor" in names:
            return None
        if subject.likely and "generic" in kinds:
            return None  # a number of NumPy's stands among the values of parameters that are taken for tensors
        known = {"Type", "device", "Parameter", "Tensor", "bool", "int", "float", "str", "tuple", "list", "dict"}
        if names <= kinds:
            return True
        if not names & kinds and names <= known:
            return False
    return None
