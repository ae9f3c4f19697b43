"""What ``torch.autograd.grad(…)`` asks the gradient of, and by what: plain names, or the members of a row."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mindport.convert.context import Reading
from mindport.convert.training.bindings import bindings
from mindport.convert.training.names import key, own_nodes
from mindport.convert.training.region import Obstacle, OnTapeAlone, scopes_around
from mindport.convert.training.second_order import given_to_gradient, keeps_graph
from mindport.inference import values as v

#: Builtins that make a row of what they are given.
_ROWS = frozenset(("list", "tuple", "dict", "map", "filter", "sorted", "OrderedDict"))


@dataclass(frozen=True)
class Asked:
    """`output` by `sources`, or by the `members` of a row; `weights` is None where all outputs count once, as in MindSpore's grad."""

    output: ast.expr
    sources: tuple[str, ...]
    weights: ast.expr | None
    members: ast.expr | None = None


def asked(at: Reading, call: ast.Call) -> Asked:
    """The arguments of one call. Raises Obstacle for what has no counterpart."""
    given = given_to_gradient(call)
    output, inputs = _only(given.get("outputs")), given.get("inputs")
    if output is None or inputs is None:
        raise Obstacle("the gradient of several outputs", call)
    if not all(isinstance(value := given.get(name), ast.Constant | None) and not (value and value.value) for name in ("allow_unused", "is_grads_batched")):
        raise Obstacle("allow_unused and is_grads_batched have no counterpart", call)
    weights = _weights(at, _only(given.get("grad_outputs")))
    written = inputs.elts if isinstance(inputs, (ast.List, ast.Tuple)) else [inputs]
    sources = [source.id for source in written if isinstance(source, ast.Name)]
    if len(sources) == len(written) and sources and not (written == [inputs] and (is_row(at, inputs) or _of_parameters(at, inputs))):
        return Asked(output, tuple(sources), weights)
    if not keeps_graph(call):
        raise Obstacle("the gradient of several outputs, or with respect to something that is no plain name", call)
    if at.file.relative not in at.shared.tape:
        raise OnTapeAlone("a gradient by parameters, or by the members of a row, is differentiated again", call)
    return Asked(output, (), weights, inputs)


def is_row(at: Reading, node: ast.expr) -> bool:
    """Whether an expression is a list, tuple, dictionary or generator, as far as it shows."""
    kinds = v.options(at.facts.value(node))
    if any(isinstance(kind, (v.Sequence, v.Mapping)) for kind in kinds):
        return True
    if any(isinstance(kind, v.TensorValue) for kind in kinds):
        return False
    match node:
        case ast.Name(id=name):
            found = next((places for scope in scopes_around(at, node) if (places := bindings(scope, name))), [])
            return any(value is not None and not isinstance(value, ast.Name) and is_row(at, value) or _unzipped(statement, name) for statement, value in found)
        case ast.List() | ast.Tuple() | ast.ListComp() | ast.GeneratorExp() | ast.Dict() | ast.DictComp() | ast.Starred():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _ROWS
        case ast.Call(func=ast.Attribute(attr="parameters" | "values")):
            return True
        case ast.BinOp(left=left, right=right):
            return is_row(at, left) or is_row(at, right)
    return False


def summed(output: ast.expr, weights: ast.expr | None) -> ast.expr:
    """What is differentiated, each of its elements counting once: `y` of ``y.sum()``."""
    match output:
        case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="sum"), args=[], keywords=[]) if weights is None:
            return name
    return output


def _unzipped(statement: ast.AST, name: str) -> bool:
    """``names, params = zip(*net.named_parameters())``: each name is a tuple's."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Call(func=ast.Name(id="zip"), args=[ast.Starred()])):
            return any(isinstance(target, ast.Name) and target.id == name for target in targets)
    return False


def _of_parameters(at: Reading, node: ast.expr) -> bool:
    """Whether a name is a loop's over parameters, which the modules that compute something hold: ``for p in net.parameters()``."""
    if not isinstance(node, ast.Name):
        return False
    kinds = v.options(at.facts.value(node))
    found = bindings(scopes_around(at, node)[0], node.id)
    known = bool(kinds) and all(isinstance(kind, v.TensorValue) and kind.parameter for kind in kinds)
    return bool(found) and all(isinstance(statement, ast.For) and (known or _of_module(statement.iter)) for statement, _ in found)


def _of_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("parameters", "named_parameters")


def _only(node: ast.expr | None) -> ast.expr | None:
    """The only member of a list or tuple, a plain expression itself; None for several."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts[0] if len(node.elts) == 1 else None
    return node


def _weights(at: Reading, node: ast.expr | None) -> ast.expr | None:
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return None
    made = node
    while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr in ("to", "cuda", "requires_grad_"):
        made = made.func.value
    if isinstance(made, ast.Call) and (key(made.func) or "").rpartition(".")[2] in ("ones", "ones_like"):
        return None
    if isinstance(made, ast.IfExp) and _asks_where(at, made.test) and _weights(at, made.body) is None and _weights(at, made.orelse) is None:
        return None
    if isinstance(node, ast.Name) and (once := _bound_once(at, node)) is not None:
        return node if _weights(at, once) is not None else None
    return node


def _asks_where(at: Reading, test: ast.expr) -> bool:
    """Whether a test does nothing but ask where tensors lie: ``x.is_cuda``, ``use_cuda``, a method of the project that returns such."""
    if isinstance(test, ast.Call) and not test.args and not test.keywords:
        called = at.facts.value(test.func)
        function = called.function if isinstance(called, v.Bound) else called
        node = function.scope.node if isinstance(function, v.ProjectFunction) else None
        body = [statement for statement in getattr(node, "body", ()) if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))]
        return key(test.func) == "torch.cuda.is_available" or len(body) == 1 and isinstance(body[0], ast.Return) and isinstance(body[0].value, ast.Attribute) and body[0].value.attr == "is_cuda"
    return all(isinstance(part, (ast.Name, ast.Attribute, ast.UnaryOp, ast.Not, ast.expr_context)) for part in ast.walk(test))


def _bound_once(at: Reading, name: ast.Name) -> ast.expr | None:
    """What a name of the same function stands for, where nothing gives it something else or changes it in place: ``v = torch.ones_like(y)``."""
    scope = scopes_around(at, name)[0]
    match bindings(scope, name.id):
        case [(ast.Assign(targets=[ast.Name()]), ast.Call() as made)] if not any(_may_change(part, name.id) for part in own_nodes(scope)):
            return made
    return None


def _may_change(part: ast.AST, name: str) -> bool:
    match part:
        case ast.Subscript(value=ast.Name(id=found), ctx=ast.Store()) | ast.AugAssign(target=ast.Name(id=found)):
            return found == name
        case ast.Attribute(value=ast.Name(id=found), attr=method):
            return found == name and method.endswith("_") and method != "requires_grad_"
    return False
