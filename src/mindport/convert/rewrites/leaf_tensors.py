"""``image.requires_grad = True``: a tensor whose `grad` is read becomes a parameter, as MindSpore knows no other leaves."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.instances import is_instance_of
from mindport.convert.rewrites.backward import own
from mindport.convert.training.leaves import Leaf, LeafLoop, copies_asked, leaf_loop, leaves
from mindport.convert.training.names import FUNCTIONS, names, own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``image = leaf(image)`` in all functions and at module level."""
    if context.on_tape:  # there, tensors have gradients themselves
        return
    declared: set[tuple[int, str]] = set()
    plan_loops(context)
    plan_held_loops(context)
    for scope in [context.file.tree, *(n for n in context.file.nodes if isinstance(n, FUNCTIONS))]:
        for leaf in leaves(scope, context.named):
            if id(leaf.statement) in context.claimed:
                continue  # a loop's, which is written as a whole
            if not isinstance(leaf.statement, ast.For) and not _is_input(context, leaf) and not is_parameter(context, leaf) and not plan_displayed(context, scope, leaf) and not plan_held(context, leaf):
                _declare(context, scope, leaf, declared)
                _plan(context, leaf)


def plan_displayed(context: Context, scope: ast.AST, leaf: Leaf) -> bool:
    """``image = leaf(image)`` before the statement whose list asks for it, ``LBFGS([image.requires_grad_()])``: the name is the leaf afterwards. Whether it is such a list."""
    call = leaf.call
    display = context.parents.get(id(call))
    if not isinstance(call, ast.Call) or not isinstance(display, (ast.List, ast.Tuple)):
        return False
    if isinstance(leaf.statement, ast.Assign) and display is leaf.statement.value:
        return False  # ``a, b = x.requires_grad_(), y.requires_grad_()``
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and not _binds(scope, leaf.name):
        return True
    context.claimed |= {id(call), id(call.func)}
    made = f"{leaf.name} = {own(context, 'leaf')}({leaf.name})"
    context.plan(call, lambda: _replace(context, call, leaf.name), last=True)
    context.plan(leaf.statement, lambda: _insert_before(context, leaf.statement, made), last=True)
    return True


def _insert_before(context: Context, statement: ast.stmt, made: str) -> None:
    start = context.editing.span(statement)[0]
    alone = not context.editing.text[:start].rpartition("\n")[2].strip()
    context.editing.insert(start, f"{made}\n{context.editing.indent(start)}" if alone else f"{made}; ")


def _is_input(context: Context, leaf: Leaf) -> bool:
    """Whether the request has gone already: of what a gradient is taken by (``autograd.grad(y, x)``) and becomes an argument."""
    return id(leaf.call or (leaf.statement.value if isinstance(leaf.statement, ast.Assign) else leaf.statement)) in context.claimed


def plan_loops(context: Context) -> None:
    """``params[:] = [w, b] = [leaf(p) for p in params]`` for a loop that asks for the gradients of tensors: the list and the names get the same leaves."""
    for scope in [context.file.tree, *(n for n in context.file.nodes if isinstance(n, FUNCTIONS))]:
        nodes = list(own_nodes(scope))
        for node in nodes:
            if not isinstance(node, ast.For) or (loop := leaf_loop(node, nodes)) is None or not _are_tensors(context, node):
                continue
            assert isinstance(node.target, ast.Name)
            context.claim(node)
            context.plan(node, lambda n=node, w=loop: _replace(context, n, _leaves_of(own(context, "leaf"), n.target.id, w)), last=True)  # type: ignore[misc]


def plan_held_loops(context: Context) -> None:
    """``self.master[:] = [leaf(m) for m in self.master]`` for a loop that asks for the gradients of what a comprehension has copied: weights that an optimizer
    changes beside those that a step computes with, and whose gradients are given by hand."""
    for scope in [context.file.tree, *(n for n in context.file.nodes if isinstance(n, FUNCTIONS))]:
        nodes = list(own_nodes(scope))
        for node in nodes:
            if isinstance(node, ast.For) and (holder := copies_asked(node, nodes)) is not None and not _is_planned(context, node):
                assert isinstance(node.target, ast.Name)
                context.claim(node)
                text = f"{holder}[:] = [{own(context, 'leaf')}({node.target.id}) for {node.target.id} in {holder}]"
                context.plan(node, lambda n=node, t=text: _replace(context, n, t), last=True)  # type: ignore[misc]


def _is_planned(context: Context, node: ast.For) -> bool:
    """Whether the loop is written otherwise already, or what it asks has become an argument."""
    return any(id(part) in context.claimed for part in (node, *ast.walk(node.body[0])) if isinstance(part, ast.For | ast.Call | ast.Attribute))


def _are_tensors(context: Context, node: ast.For) -> bool:
    """Whether a loop goes through tensors that are no parameters yet: a module's `requires_grad_` is another one."""
    asked = next(n for n in ast.walk(node.body[0]) if isinstance(n, ast.Name) and isinstance(node.target, ast.Name) and n.id == node.target.id)
    return all(isinstance(kind, v.TensorValue) and not kind.parameter for kind in v.options(context.facts.value(asked)))


def _leaves_of(leaf: str, each: str, loop: LeafLoop) -> str:
    names = ", ".join(loop.names)
    if not loop.holder:
        return "; ".join(f"{name} = {leaf}({name})" for name in loop.names)
    made = f"{leaf}({each}) for {each} in {loop.holder}"
    return f"{loop.holder}[:] = [{names}] = [{made}]" if loop.kind is ast.List else f"{loop.holder} = [{names}] = tuple({made})"


def plan_held(context: Context, leaf: Leaf) -> bool:
    """``set_leaf(self, "scale", …)`` where a module holds the leaf, which is none of its parameters in torch. Whether that is planned."""
    statement = leaf.statement
    going: set[int] = set()
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Attribute() as target, attr="requires_grad")]) if leaf.call is None:
            value: ast.expr = target
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute() as target))):
            value = target
        case ast.Assign(targets=[ast.Attribute() as target], value=value):
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "requires_grad_":
                going = {id(value), id(value.func)}
                value = value.func.value
        case _:
            return False
    if not any(isinstance(kind, v.ProjectInstance) and MODULE in kind.cls.scope.ancestors for kind in v.options(context.facts.value(target.value))):
        return False
    if value is target:
        context.claim(statement)
    context.claimed |= going
    owner = context.file.segment(target.value)
    name = own(context, "set_leaf")
    text = lambda: context.editing.current(*context.editing.span(value))  # noqa: E731
    context.plan(statement, lambda: _replace(context, statement, f'{name}({owner}, "{target.attr}", {text()})'), last=True)
    return True


def _declare(context: Context, scope: ast.AST, leaf: Leaf, declared: set[tuple[int, str]]) -> None:
    """``global image`` where ``image = leaf(image)`` would make a local name of one that the function has from outside."""
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) or not isinstance(leaf.statement, (ast.Expr, ast.Assign)):
        return
    rebinding = isinstance(leaf.statement, ast.Expr) or leaf.call is None
    if not rebinding or not leaf.name.isidentifier() or _binds(scope, leaf.name) or (id(scope), leaf.name) in declared:
        return
    declared.add((id(scope), leaf.name))
    above: ast.AST | None = context.parents.get(id(scope))
    while above is not None and not (isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)) and _binds(above, leaf.name)):
        above = context.parents.get(id(above))
    start = context.editing.span(_first(scope))[0]
    context.editing.insert(start, f"{'global' if above is None else 'nonlocal'} {leaf.name}\n{context.editing.indent(start)}")


def _binds(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Whether a name is the function's own: an argument, or bound in its body, or declared there."""
    given = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    declared = {n for node in own_nodes(function) if isinstance(node, (ast.Global, ast.Nonlocal)) for n in node.names}
    return name in given | declared | set(names(function.body).stores)


def _first(function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    """The first statement behind the docstring."""
    body = function.body
    says = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str)
    return body[1] if says and len(body) > 1 else body[0]


def is_parameter(context: Context, leaf: Leaf) -> bool:
    """Whether what is asked for its gradient is a module or a parameter already, or an attribute of which nothing says that it is a tensor."""
    asked: ast.expr | None = None
    if leaf.call is None and isinstance(leaf.statement, ast.Assign) and isinstance(leaf.statement.targets[0], ast.Attribute):
        asked = leaf.statement.targets[0].value
    elif isinstance(leaf.call, ast.Call) and isinstance(leaf.call.func, ast.Attribute) and leaf.call.func.attr == "requires_grad_":
        asked = leaf.call.func.value
    if asked is None:
        return False
    kinds = v.options(context.facts.value(asked))
    if any(isinstance(kind, v.ProjectInstance) or is_instance_of(kind, {MODULE}) or isinstance(kind, v.TensorValue) and kind.parameter for kind in kinds):
        return True
    return isinstance(asked, ast.Attribute) and not any(isinstance(kind, v.TensorValue) for kind in kinds)


def _plan(context: Context, leaf: Leaf) -> None:
    call = leaf.call
    if call is None or isinstance(leaf.statement, ast.Expr):
        for node in ast.walk(leaf.statement):
            context.claimed.add(id(node))
        context.plan(leaf.statement, lambda: _replace(context, leaf.statement, f"{leaf.name} = {own(context, 'leaf')}({leaf.name})"), last=True)
        return
    assert isinstance(call, ast.Call)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "requires_grad_":
        receiver = call.func.value
        context.claimed.add(id(call))
        context.plan(call, lambda: _replace(context, call, f"{own(context, 'leaf')}({context.editing.current(*context.editing.span(receiver))})"), last=True)
        return
    context.plan(call, lambda: _replace(context, call, f"{own(context, 'leaf')}({context.editing.current(*context.editing.span(call))})"), last=True)


def _replace(context: Context, node: ast.AST, text: str) -> None:
    context.editing.replace(*context.editing.span(node), text)
