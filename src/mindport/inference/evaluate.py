"""Expressions: one function per node type, from a frame and a node to a value."""

from __future__ import annotations

import ast
from typing import Any

from mindport.inference import operators, torchfacts
from mindport.inference.arguments import arguments_of
from mindport.inference.attributes import attribute
from mindport.inference.calls import call
from mindport.inference.configurations import asked_as_another
from mindport.inference.containers import iterate
from mindport.inference.definitions import function_defaults
from mindport.inference.frame import EXPRESSIONS, Frame, path_of
from mindport.inference.members import must_be_tensor
from mindport.inference.narrowing import narrow
from mindport.inference.overlays.libraries import is_torch_based
from mindport.inference.scopes import FunctionScope
from mindport.inference.statements import assign
from mindport.inference.values import (
    NONE,
    Api,
    Builtin,
    Const,
    Instance,
    Mapping,
    OneOf,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
)

#: Longer literals keep what their elements can be, not each of them.
MOST_ITEMS = 64

_STR = Builtin("str")


def _constant(frame: Frame, node: ast.Constant) -> Value:
    return Const(node.value, type(node.value))


def _name(frame: Frame, node: ast.Name) -> Value:
    return frame.lookup(node.id)


_A_MODULE = Instance("torch.nn.Module", likely=True)


def _attribute(frame: Frame, node: ast.Attribute) -> Value:
    base = frame.evaluate(node.value)
    path = path_of(node)
    if path is not None:
        known = frame.env.get(path)
        if known is not None:
            return known
    value = attribute(frame.project, base, node.attr)
    if type(base) is Unknown and isinstance(node.value, ast.Name) and (frame.project.calling is node or not torchfacts.is_method(node.attr)):
        if frame.project.is_tensor_only(frame.module, node.attr):
            if base.origin and not is_torch_based(base.origin):
                return value  # a library's matrices and tables have such names, too
            if frame.project.calling is not node and node.value.id in asked_as_another(frame.function.node if frame.function is not None else frame.module.file.tree, frame.module.file):
                return value
            base = frame.project.assume(frame, node.value.id)
        elif frame.module.uses_torch and frame.project.is_module_only(node.attr):
            base = frame.project.assume(frame, node.value.id, _A_MODULE)
        else:
            return value
        frame.values[id(node.value)] = base
        value = attribute(frame.project, base, node.attr)
    elif type(base) is Unknown and frame.project.calling is node and frame.module.uses_torch and node.attr != "eval" and frame.project.is_module_only(node.attr):
        frame.values[id(node.value)] = _A_MODULE  # ``self.net.named_parameters()``: no name to remember it under
        value = attribute(frame.project, _A_MODULE, node.attr)
    elif type(base) is Unknown and frame.project.calling is node and frame.module.uses_torch and must_be_tensor(frame.project, frame.module, base, node):
        value = attribute(frame.project, TensorValue(likely=True), node.attr)  # ``(x > 0).int()``
    elif isinstance(base, TensorValue) and base.likely and not base.parameter and isinstance(node.value, ast.Name) and node.value.id in frame.env and _is_of_another(frame, node.attr):
        frame.env[node.value.id] = value  # ``state = model(x, state)``, ``state.h``: then ``state.detach()`` need not be a tensor's
    elif frame.project.calling is node and frame.module.uses_torch and isinstance(base, (Sequence, Mapping)) and _lacks(base, node.attr):
        # ``found[i] = torch.stack(found[i])``, ``found[i].sub_(g)``: what stands in a container was bound anew
        base = TensorValue(likely=True) if frame.project.is_tensor_only(frame.module, node.attr) else Unknown("a list or dictionary has no such method")
        frame.values[id(node.value)] = base
        value = attribute(frame.project, base, node.attr)
    elif isinstance(base, OneOf) and frame.project.calling is node and frame.module.uses_torch and node.attr != "eval" and frame.project.is_module_only(node.attr):
        # ``model = torch.load(path)`` on one way, ``Net()`` on the other
        value = join(*(attribute(frame.project, _A_MODULE if type(option) is Unknown else option, node.attr) for option in base.options))
    return value


def _lacks(base: Sequence | Mapping, attr: str) -> bool:
    """Whether a tensor has a method and no list, tuple, set or dictionary has; what an attribute of a named tuple or a subclass is, nobody knows here."""
    plain = isinstance(base, Mapping) or base.type in ("list", "tuple")
    return plain and torchfacts.is_method(attr) and not any(hasattr(kind, attr) for kind in (list, tuple, dict, set))


def _is_of_another(frame: Frame, attr: str) -> bool:
    """Whether tensors have no such attribute and a class of the project's has."""
    return torchfacts.lookup(f"torch.Tensor.{attr}") is None and attr in frame.project.own_names


def _call(frame: Frame, node: ast.Call) -> Value:
    frame.project.calling = node.func
    return call(frame, node, frame.evaluate(node.func), arguments_of(frame, node))


def _elements(frame: Frame, nodes: list[ast.expr]) -> tuple[Value, ...] | Value:
    """The items of a literal, or what its elements can be."""
    if len(nodes) > MOST_ITEMS:
        kinds = {type(n.value) for n in nodes if isinstance(n, ast.Constant)}
        if len(kinds) == 1 and all(isinstance(n, ast.Constant) for n in nodes):
            return Builtin(kinds.pop().__name__)
        return join(*(frame.evaluate(n) for n in nodes))
    items: list[Value] = []
    open_ended = False
    for node in nodes:
        if isinstance(node, ast.Starred):
            value = frame.evaluate(node.value)
            frame.values[id(node)] = value
            if isinstance(value, Sequence) and value.items is not None:
                items += value.items
            else:
                items.append(iterate(frame.project, value))
                open_ended = True
        else:
            items.append(frame.evaluate(node))
    if open_ended or len(items) > MOST_ITEMS:
        return join(*items)
    return tuple(items)


def _sequence(kind: str) -> Any:
    def evaluate(frame: Frame, node: Any) -> Value:
        found = _elements(frame, node.elts)
        return Sequence(kind, found) if isinstance(found, tuple) else Sequence(kind, None, found)

    return evaluate


def _dict(frame: Frame, node: ast.Dict) -> Value:
    items: dict[Any, Value] = {}
    open_ended = len(node.keys) > MOST_ITEMS
    others: list[Value] = []
    for key, part in zip(node.keys, node.values, strict=False):
        value = frame.evaluate(part)
        if key is None:
            if isinstance(value, Mapping) and value.items is not None:
                items.update(dict(value.items))
            else:
                open_ended = True
                others.append(value.element if isinstance(value, Mapping) else Unknown("what ** brings is not known"))
            continue
        name = frame.evaluate(key)
        if isinstance(name, Const) and not open_ended:
            items[name.value] = value
        else:
            open_ended = True
            others.append(value)
    if open_ended:
        return Mapping(None, join(*others, *items.values()))
    return Mapping(tuple(items.items()))


def _binary(frame: Frame, node: ast.BinOp) -> Value:
    return operators.binary(frame, type(node.op), frame.evaluate(node.left), frame.evaluate(node.right))


def _unary(frame: Frame, node: ast.UnaryOp) -> Value:
    return operators.unary(type(node.op), frame.evaluate(node.operand))


def _boolean(frame: Frame, node: ast.BoolOp) -> Value:
    """``a and b`` is a where a is false; what follows runs only where it was true."""
    saved = frame.env
    found: list[Value] = []
    conjunction = isinstance(node.op, ast.And)
    last = node.values[-1]
    for part in node.values:
        value = frame.evaluate(part)
        if part is last:
            found.append(value)
            break
        kept = operators.only(value, truth=not conjunction)
        if kept is not None:
            found.append(kept)
        if frame.env is saved:
            frame.env = saved.copy()
        if not narrow(frame, part, conjunction):
            for rest in node.values[node.values.index(part) + 1 :]:
                frame.evaluate(rest)
            break
    frame.env = saved
    return join(*found) if found else Unknown("neither side is reached")


def _compare(frame: Frame, node: ast.Compare) -> Value:
    left = frame.evaluate(node.left)
    result: Value = Builtin("bool")
    for operator, part in zip(node.ops, node.comparators, strict=False):
        right = frame.evaluate(part)
        result = operators.compare(frame, type(operator), left, right)
        left = right
    return result if len(node.ops) == 1 else join(result, Builtin("bool"))


def _conditional(frame: Frame, node: ast.IfExp) -> Value:
    frame.evaluate(node.test)
    saved = frame.env
    found: list[Value] = []
    for part, truth in ((node.body, True), (node.orelse, False)):
        frame.env = saved.copy()
        reached = narrow(frame, node.test, truth)
        value = frame.evaluate(part)
        if reached:
            found.append(value)
    frame.env = saved
    return join(*found) if found else Unknown("neither branch is reached")


_LOADED_MODULES = Api("sys.modules")


def _subscript(frame: Frame, node: ast.Subscript) -> Value:
    base = frame.evaluate(node.value)
    index = frame.evaluate(node.slice)
    if base == _LOADED_MODULES and isinstance(node.slice, ast.Name) and node.slice.id == "__name__":
        return frame.module.value
    if base == _LOADED_MODULES:
        return Unknown("a module found by its name")
    return operators.subscript(frame, base, index, node.slice)


def _slice(frame: Frame, node: ast.Slice) -> Value:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            frame.evaluate(part)
    return Instance("builtins.slice")


def _starred(frame: Frame, node: ast.Starred) -> Value:
    return frame.evaluate(node.value)


def _walrus(frame: Frame, node: ast.NamedExpr) -> Value:
    value = frame.evaluate(node.value)
    assign(frame, node.target, value)
    return value


def _formatted(frame: Frame, node: ast.JoinedStr) -> Value:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            frame.evaluate(part)
    return _STR


def _formatted_value(frame: Frame, node: ast.FormattedValue) -> Value:
    frame.evaluate(node.value)
    if node.format_spec is not None:
        frame.evaluate(node.format_spec)
    return _STR


def _lambda(frame: Frame, node: ast.Lambda) -> Value:
    scope = frame.module.scopes.get(id(node))
    if not isinstance(scope, FunctionScope):
        outer = frame.function.qualname + "." if frame.function is not None else ""
        scope = FunctionScope(node, frame.module, f"{outer}<lambda>", None)
        scope.parent = frame.function
        scope.assigned.update(scope.parameters)
        for star in (node.args.vararg, node.args.kwarg):
            if star is not None:
                scope.assigned.add(star.arg)
        frame.module.scopes[id(node)] = scope
        frame.project.later(scope)
    scope.closure = frame.closure()
    function_defaults(frame, scope)
    return scope.value


def _comprehension(frame: Frame, node: Any) -> Value:
    saved = frame.env
    frame.env = saved.copy()
    for generator in node.generators:
        assign(frame, generator.target, iterate(frame.project, frame.evaluate(generator.iter)))
        for test in generator.ifs:
            frame.evaluate(test)
            narrow(frame, test, True)
    if isinstance(node, ast.DictComp):
        frame.evaluate(node.key)
        result: Value = Mapping(None, frame.evaluate(node.value))
    else:
        element = frame.evaluate(node.elt)
        kind = {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "iterator")
        result = Sequence(kind, None, element)
    frame.env = saved
    return result


def _yield(frame: Frame, node: ast.Yield) -> Value:
    frame.yields.append(frame.evaluate(node.value) if node.value is not None else NONE)
    return Unknown("what is sent to a generator is not followed")


def _yield_from(frame: Frame, node: ast.YieldFrom) -> Value:
    frame.yields.append(iterate(frame.project, frame.evaluate(node.value)))
    return Unknown("the return value of a generator is not followed")


def _await(frame: Frame, node: ast.Await) -> Value:
    frame.evaluate(node.value)
    return Unknown("what is awaited is not followed")


EXPRESSIONS.update(
    {
        ast.Constant: _constant, ast.Name: _name, ast.Attribute: _attribute, ast.Call: _call,
        ast.List: _sequence("list"), ast.Tuple: _sequence("tuple"), ast.Set: _sequence("set"), ast.Dict: _dict,
        ast.BinOp: _binary, ast.UnaryOp: _unary, ast.BoolOp: _boolean, ast.Compare: _compare, ast.IfExp: _conditional,
        ast.Subscript: _subscript, ast.Slice: _slice, ast.Starred: _starred, ast.NamedExpr: _walrus,
        ast.JoinedStr: _formatted, ast.FormattedValue: _formatted_value, ast.Lambda: _lambda,
        ast.ListComp: _comprehension, ast.SetComp: _comprehension, ast.GeneratorExp: _comprehension,
        ast.DictComp: _comprehension, ast.Yield: _yield, ast.YieldFrom: _yield_from, ast.Await: _await,
    }
)  # fmt: skip
