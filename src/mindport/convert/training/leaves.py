"""Tensors that are no parameters and whose gradient is wanted: ``image.requires_grad = True`` and `image.grad` read later."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from mindport.convert.aliasing.objects import path
from mindport.convert.training.names import names, own_nodes

#: The library's functions of tensors.
_COMPUTING = re.compile(r"torch\.[a-z_]\w*")
#: Methods and attributes whose results are no leaves that anybody has asked a gradient of.
_CUTTING = frozenset({"detach", "data", "clone"})


@dataclass
class Leaf:
    """Where a name, or an attribute by its dotted text, becomes a leaf: the statement, and the call or value that says so."""

    name: str
    statement: ast.stmt
    call: ast.expr | None  # None: an assignment to `requires_grad`
    given: bool = False  # handed on in a list or returned, as what optimizers get


@dataclass
class LeafLoop:
    """``for p in params: p.requires_grad_()``: the call or assignment's target on `p`, and the names of what the display holds that `params` is bound to, once."""

    call: ast.expr | None
    names: list[str]
    kind: type[ast.expr]  # of the display: ast.List or ast.Tuple
    holder: str  # "" where the loop goes through the display itself


def leaf_loop(node: ast.For, nodes: list[ast.AST]) -> LeafLoop | None:
    """What a loop asks the gradients of; None where it does more, or where the names are not the scope's own."""
    if node.orelse or len(node.body) != 1 or not isinstance(node.target, ast.Name):
        return None
    asked = _leaf(node.body[0])
    if asked is None or asked.name != node.target.id or isinstance(node.body[0], ast.Assign) and asked.call is not None:
        return None
    stores = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    display: ast.expr = node.iter
    holder = ""
    if isinstance(node.iter, ast.Name):
        holder = node.iter.id
        bound = [n.value for n in nodes if isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name) and n.targets[0].id == holder and n.lineno < node.lineno]
        if len(bound) != 1 or sum(n.id == holder for n in stores) != 1:
            return None
        display = bound[0]
    if not isinstance(display, ast.List | ast.Tuple) or not display.elts:
        return None
    names = [element.id for element in display.elts if isinstance(element, ast.Name)]
    if len(names) != len(display.elts) or not set(names) <= {n.id for n in stores}:
        return None
    return LeafLoop(asked.call, names, type(display), holder)


def copies_asked(node: ast.For, nodes: list[ast.AST]) -> str | None:
    """The list, by a name or an attribute, whose members a loop does nothing with but to ask for their gradients, where one comprehension of the scope makes it of copies."""
    asked = _leaf(node.body[0]) if len(node.body) == 1 and not node.orelse and isinstance(node.target, ast.Name) else None
    holder = path(node.iter)
    if asked is None or holder is None or not isinstance(node.target, ast.Name) or asked.name != node.target.id or isinstance(node.body[0], ast.Assign) and asked.call is not None:
        return None
    bound = [n.value for n in nodes if isinstance(n, ast.Assign) and any(path(t) == holder for t in n.targets) and n.lineno < node.lineno]
    return holder if len(bound) == 1 and isinstance(bound[0], ast.ListComp) and _is_copy(bound[0].elt) else None


def _is_copy(made: ast.expr) -> bool:
    """``p.detach().clone().float()``."""
    methods = []
    while isinstance(made, (ast.Call, ast.Attribute)):
        made = made.func if isinstance(made, ast.Call) else made
        if not isinstance(made, ast.Attribute):
            return False
        methods.append(made.attr)
        made = made.value
    return not _CUTTING.isdisjoint(methods)


def leaves(scope: ast.AST, named: Mapping[int, str] = MappingProxyType({})) -> list[Leaf]:
    """The places of a scope where a tensor by a plain name or an attribute starts to want its gradient, and someone uses that.

    `named`: the API that a node names, by its id, where that is to be told apart: ``torch.cat([x, t])`` computes with what it gets,
    any other call may be an optimizer.
    """
    nodes = list(own_nodes(scope))
    wanted = {path(n.value) for n in nodes if isinstance(n, ast.Attribute) and n.attr == "grad"} - {None}
    listed: set[str] = set()
    given = {n.args[0].id for n in nodes if isinstance(n, ast.Call) and n.args and isinstance(n.args[0], ast.Name)}
    for node in nodes:
        if isinstance(node, ast.Call) and not _COMPUTING.fullmatch(named.get(id(node), "")):
            for members in [*node.args[:1], *(k.value for k in node.keywords if k.arg == "params")]:
                listed |= _members(members)
        elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in given for t in node.targets):
            listed |= _members(node.value)
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and isinstance(node.target, ast.Name) and node.target.id in given:
            listed |= _members(node.value)  # ``groups += [{"params": scale}]``
        elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Attribute) for t in node.targets) or isinstance(node, ast.Return):
            listed |= {name for name in _members(node.value) if "." in name}  # `self.alphas = [self.normal, self.reduce]`, for an optimizer elsewhere
    found = []
    looped: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.For) and (loop := leaf_loop(node, nodes)) is not None:
            found += [Leaf(name, node, loop.call, given=True) for name in loop.names]
            looped.add(id(node.body[0]))
    found += [Leaf("", node, made, given=True) for node in nodes if isinstance(node, ast.Assign) and (made := _made_in_list(node, given)) is not None]
    for node in nodes:
        for leaf in _leaves_of(node) if id(node) not in looped else ():
            if leaf.name in wanted | listed or isinstance(node, ast.Return):
                leaf.given = leaf.name in listed or isinstance(node, ast.Return)
                found.append(leaf)
        found += _leaves_in_display(node)
    return found


def cut_off(scope: ast.AST, before: Sequence[ast.stmt]) -> set[str]:
    """Names of leaves that stand for something computed by now: ``image = image.detach()`` among the statements that run `before`, one after the other.

    What a call gives may be a leaf again, unless the call is known to cut off.
    """
    found: set[str] = set()
    own = leaves(scope)
    for statement in before:
        inside = {id(part) for part in ast.walk(statement)}
        begun = {leaf.name for leaf in own if id(leaf.statement) in inside}
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in begun and _is_computed(value):
                found.add(name)
            case _:
                found = found - (begun | set(names(statement).stores)) | (loop_names(statement) - begun)
    return found


def own_of_comprehensions(parts: Sequence[ast.AST]) -> set[str]:
    """Names that comprehensions bind and nothing beside these reads: ``sum(loss(x) for x, y in data)``."""
    inside: dict[str, set[int]] = {}
    for made in (n for part in parts for n in ast.walk(part) if isinstance(n, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))):
        for name in {n.id for each in made.generators for n in ast.walk(each.target) if isinstance(n, ast.Name)}:
            inside.setdefault(name, set()).update(id(n) for n in ast.walk(made))
    others = {n.id for part in parts for n in ast.walk(part) if isinstance(n, ast.Name) and id(n) not in inside.get(n.id, ())}
    return inside.keys() - others


def given_by_loops(scope: ast.AST, around: Sequence[ast.AST]) -> set[str]:
    """Names that the loops among what stands around bind, and that become no leaves inside of them: those of a leaf that was made before stand for other things there."""
    found: set[str] = set()
    for loop in around:
        if isinstance(loop, ast.For):
            inside = {id(part) for part in ast.walk(loop)}
            targets = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
            found |= targets - {leaf.name for leaf in leaves(scope) if id(leaf.statement) in inside}
    return found


def loop_names(statement: ast.AST) -> set[str]:
    """What loops in a statement bind, which is no leaf of before any more: ``for x, y in data``."""
    return {part.id for loop in ast.walk(statement) if isinstance(loop, ast.For) for part in ast.walk(loop.target) if isinstance(part, ast.Name)}


def _is_computed(value: ast.expr) -> bool:
    match value:
        case ast.BinOp() | ast.UnaryOp():
            return True
        case ast.Attribute(attr=name) | ast.Call(func=ast.Attribute(attr=name)):
            return name in _CUTTING
    return False


def _made_in_list(node: ast.Assign, given: set[str]) -> ast.Call | None:
    """``weights = [torch.zeros(n, requires_grad=True) for n in sizes]``, which a call gets: each member is a leaf."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.ListComp(elt=ast.Call() as made)) if name in given:
            asked = isinstance(made.func, ast.Attribute) and made.func.attr == "requires_grad_" and _is_on(made)
            return made if asked or any(k.arg == "requires_grad" and isinstance(k.value, ast.Constant) and k.value.value is True for k in made.keywords) else None
    return None


def _leaves_in_display(node: ast.AST) -> list[Leaf]:
    """``optimizer = LBFGS([image.requires_grad_()])``: what a list asks of its members by their names, for the call that it is given to."""
    match node:
        case ast.Assign(value=ast.Call(args=args, keywords=keywords)) | ast.Expr(value=ast.Call(args=args, keywords=keywords)):
            displays = [one for one in [*args[:1], *(k.value for k in keywords if k.arg == "params")] if isinstance(one, ast.List | ast.Tuple)]
            asked = [member for one in displays for member in one.elts]
            return [
                Leaf(member.func.value.id, node, member, given=True)
                for member in asked
                if isinstance(member, ast.Call) and isinstance(member.func, ast.Attribute) and member.func.attr == "requires_grad_" and isinstance(member.func.value, ast.Name) and _is_on(member)
            ]
    return []


def _members(node: ast.expr | None) -> set[str]:
    """The names in a display, in a sum of displays (``[w, b] + [v]``), in groups (``[{"params": [w]}]``), in one group."""
    if isinstance(node, ast.BinOp):
        return _members(node.left) | _members(node.right)
    if isinstance(node, ast.Dict):
        held = [value for key, value in zip(node.keys, node.values, strict=True) if isinstance(key, ast.Constant) and key.value == "params"]
        return {name for value in held for name in _members(value) | ({path(value) or ""} - {""})}
    if not isinstance(node, ast.List | ast.Tuple):
        return set()
    groups = (_members(group) for group in node.elts if isinstance(group, ast.Dict))
    return {text for text in map(path, node.elts) if text}.union(*groups)


def _leaves_of(node: ast.AST) -> list[Leaf]:
    """What a statement asks the gradients of; ``a, b = x.requires_grad_(), y.requires_grad_()`` asks for two."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets) | ast.List(elts=targets)], value=ast.Tuple(elts=made) | ast.List(elts=made)) if len(targets) == len(made):
            each = (_leaf(ast.Assign(targets=[target], value=value)) for target, value in zip(targets, made, strict=True))
            return [Leaf(leaf.name, node, leaf.call) for leaf in each if leaf is not None]
    leaf = _leaf(node)
    return [leaf] if leaf is not None else []


def _leaf(node: ast.AST) -> Leaf | None:
    match node:
        case ast.Assign(targets=[ast.Attribute(value=holder, attr="requires_grad")], value=ast.Constant(value=True)) if (name := path(holder)):
            return Leaf(name, node, None)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=holder, attr="requires_grad_")) as call) if _is_on(call) and (name := path(holder)):
            return Leaf(name, node, call)
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=ast.Call(func=ast.Attribute(attr="requires_grad_")) as call) if _is_on(call):
            return Leaf(path(target) or "", node, call)
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=ast.Call(keywords=keywords) as call) if any(
            k.arg == "requires_grad" and isinstance(k.value, ast.Constant) and k.value.value is True for k in keywords
        ):
            return Leaf(path(target) or "", node, call)
        case ast.Return(value=ast.Call(keywords=keywords) as call) if any(
            k.arg == "requires_grad" and isinstance(k.value, ast.Constant) and k.value.value is True for k in keywords
        ):
            return Leaf("", node, call)
    return None


def _is_on(call: ast.Call) -> bool:
    values = [*call.args, *(k.value for k in call.keywords)]
    return not values or (len(values) == 1 and isinstance(values[0], ast.Constant) and values[0].value is True)
