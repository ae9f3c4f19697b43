"""``torch.autograd.grad(outputs, inputs)[0]``: the statements from the input to the output become a function of the input."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mindport.convert.context import Context
from mindport.convert.rewrites.backward import KNOWLEDGE, refuse
from mindport.convert.training import writing
from mindport.convert.training.liveness import liveness
from mindport.convert.training.names import key, names, own_nodes, parameters
from mindport.convert.training.region import Obstacle, Region, block_of, check, scopes_around
from mindport.convert.training.second_order import GRAD, has_second_order, is_gradient_call, keeps_graph
from mindport.inference.facts import Use


@dataclass
class Gradient:
    """One gradient with respect to one input: ``block[start:end]`` computes the output from it."""

    use: Use
    call: ast.Call
    taken: ast.expr  # the expression whose value is the gradient: the call with its [0]
    tuple_target: bool
    statement: ast.stmt
    region: Region
    source: str
    output: ast.expr
    weights: ast.expr | None  # grad_outputs, where they are not ones


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``mindspore.grad`` of a local function."""
    if context.on_tape:
        return
    for same_place in uses.values():
        use = same_place[0]
        if use.name != GRAD or not isinstance(use.node, ast.Call) or not is_gradient_call(context.facts, use.node):
            continue
        context.claimed.add(id(use.node))
        try:
            gradient = _find(context, use, use.node)
            writing.check_lines(context, [*gradient.region.moved, gradient.statement])
        except Obstacle as obstacle:
            refuse(context, use, obstacle, GRAD)
            continue
        _plan(context, gradient)


def _find(context: Context, use: Use, call: ast.Call) -> Gradient:
    given = dict(zip(("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph"), call.args, strict=False))
    given |= {k.arg: k.value for k in call.keywords if k.arg}
    output, inputs = _single(given.get("outputs")), _single(given.get("inputs"))
    if output is None or not isinstance(inputs, ast.Name):
        raise Obstacle("the gradient of several outputs, or with respect to something that is no plain name", call)
    if given.get("allow_unused") is not None or given.get("is_grads_batched") is not None:
        raise Obstacle("allow_unused and is_grads_batched have no counterpart", call)
    taken, statement, in_tuple = _taken(context, call)
    placed = block_of(context, statement)
    if placed is None:
        raise Obstacle("the block of this statement is not one that can be followed", statement)
    block, point = placed
    scope = scopes_around(context, call)[0]
    start, end = _slice(block, point, inputs.id, output, scope, call)
    region = Region(block, start, end, point, output, call, scope, True)
    check(region)
    _only_the_gradient(context, region, output)
    return Gradient(use, call, taken, in_tuple, statement, region, inputs.id, output, _weights(context, given.get("grad_outputs"), output))


def _single(node: ast.expr | None) -> ast.expr | None:
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts[0] if len(node.elts) == 1 else None
    return node


def _taken(context: Context, call: ast.Call) -> tuple[ast.expr, ast.stmt, bool]:
    """The expression ``grad(…)[0]`` or the tuple assignment that takes the only gradient, and its statement."""
    parent = context.parents.get(id(call))
    if isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant) and parent.slice.value == 0:
        statement: ast.AST = parent
        while not isinstance(statement, ast.stmt):
            statement = context.parents[id(statement)]
            if isinstance(statement, (ast.comprehension, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)):
                raise Obstacle("the gradient is taken once for every turn of an expression, whose names a function outside of it does not see", call)
        if isinstance(statement, (ast.Assign, ast.Return, ast.AnnAssign)):
            return parent, statement, False
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target = parent.targets[0]
        if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == 1:
            return call, parent, True
    raise Obstacle("the gradients are not taken apart where they are computed: write `torch.autograd.grad(…)[0]`", call)


def _slice(block: list[ast.stmt], point: int, source: str, output: ast.expr, scope: ast.AST, call: ast.Call) -> tuple[int, int]:
    """The statements between the input's last binding and the output, that depend on it."""
    first = max((i + 1 for i in range(point) if source in names(block[i]).stores), default=0)
    if first == 0 and not (isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and source in parameters(scope)):
        raise Obstacle(f"`{source}` is bound in another block than the gradient", call)
    depending, start, end = {source}, point, point
    for index in range(first, point):
        own = names(block[index])
        if depending & set(own.reads) and not _asks_only(block[index], source):
            start = min(start, index)
            end = index + 1
            depending |= set(own.stores)
    if not depending & set(names(output).reads):
        raise Obstacle(f"nothing shows that `{ast.unparse(output)}` is computed from `{source}` in this block", call)
    reads = set(names(output).reads) - {source}
    if not isinstance(output, ast.Name) and not any(reads & set(names(block[i]).stores) for i in range(start, point)):
        return point, point  # the output is written down in the call: what stands between has its own ends
    if start < point:
        needed = [i for i in range(start, point) if set(names(block[i]).stores) & set(names(output).reads)]
        end = (max(needed) + 1) if needed and isinstance(output, ast.Name) else point
    return start, end


def _asks_only(statement: ast.stmt, source: str) -> bool:
    """``x.requires_grad_()`` on its own, ``x.requires_grad = True``."""
    match statement:
        case ast.Expr(value=ast.Call(func=asked)):
            return key(asked) == f"{source}.requires_grad_"
        case ast.Assign(targets=[asked], value=ast.Constant()):
            return key(asked) == f"{source}.requires_grad"
    return False


def _only_the_gradient(context: Context, region: Region, output: ast.expr) -> None:
    """What the moved statements bind must not be needed later: MindSpore's grad returns the gradient alone."""
    body = region.scope.body if isinstance(region.scope, (ast.FunctionDef, ast.AsyncFunctionDef)) else context.file.tree.body
    live = liveness(body, frozenset()).after.get(id(region.block[region.point]), frozenset())
    for statement in region.block[region.end : region.point]:
        live |= frozenset(names(statement).reads)
    inside = {id(part) for part in ast.walk(region.call)}
    live |= {n.id for n in ast.walk(region.block[region.point]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in inside}
    for name in names(region.moved).stores:
        if name in live:
            raise Obstacle(f"`{name}` is used after the gradient was taken: compute it a second time, after it", region.call)


def _weights(context: Context, node: ast.expr | None, output: ast.expr) -> ast.expr | None:
    """None where all outputs count once, which is what MindSpore's grad does."""
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return None
    node_call = node
    while isinstance(node_call, ast.Call) and isinstance(node_call.func, ast.Attribute) and node_call.func.attr in ("to", "cuda", "requires_grad_"):
        node_call = node_call.func.value
    if isinstance(node_call, ast.Call) and (key(node_call.func) or "").rpartition(".")[2] in ("ones", "ones_like"):
        return None
    return node


def _plan(context: Context, gradient: Gradient) -> None:
    region = gradient.region
    function = writing.fresh_name(context, region.scope, f"{_word(gradient.output)}_of_{gradient.source}")
    for part in ast.walk(gradient.call):  # what is not written again is not converted
        context.claimed.add(id(part))
    for kept in (gradient.output, gradient.weights):
        for part in ast.walk(kept) if kept is not None else ():
            context.claimed.discard(id(part))
    _plan_requests(context, gradient)
    first, last = writing.lines_of(context, region.block[region.start : region.point + 1])
    context.work.append((last - first, True, first, lambda: _write(context, gradient, function)))


def _word(output: ast.expr) -> str:
    return output.id if isinstance(output, ast.Name) else "output"


def _plan_requests(context: Context, gradient: Gradient) -> None:
    """``x.requires_grad_()`` goes: the input is an argument now."""
    for node in own_nodes(gradient.region.scope):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
            parent = context.parents.get(id(node))
            if isinstance(parent, ast.Expr) and key(node.func.value) == gradient.source:
                context.claimed.add(id(node))
                context.plan(parent, lambda s=parent: context.remove(s))  # type: ignore[misc]
            elif isinstance(parent, ast.Assign) and any(key(t) == gradient.source for t in parent.targets):
                receiver = node.func.value
                context.claimed.add(id(node))
                context.plan(node, lambda n=node, r=receiver: _unwrap(context, n, r))  # type: ignore[misc]
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and key(node.targets[0]) == f"{gradient.source}.requires_grad":
            context.claimed |= {id(part) for part in ast.walk(node)}
            context.plan(node, lambda s=node: context.remove(s), last=True)  # type: ignore[misc]


def _unwrap(context: Context, node: ast.Call, receiver: ast.expr) -> None:
    start, end = context.editing.span(node)
    text = context.editing.current(*context.editing.span(receiver))
    if isinstance(receiver, ast.BinOp) and context.file.text[start] == "(":
        text = f"({text})" if not isinstance(context.parents.get(id(node)), ast.Assign) else text
    context.editing.replace(start, end, text)


def _write(context: Context, gradient: Gradient, function: str) -> None:
    region, editing = gradient.region, context.editing
    indent = editing.indent(editing.span(gradient.statement)[0])
    body = writing.moved_text(context, region.moved) if region.moved else ""
    text = editing.current(*editing.span(gradient.output))
    if gradient.weights is not None:
        text = f"({text}) * ({editing.current(*editing.span(gradient.weights))})"
    simple = region.moved[-1] if len(region.moved) == 1 else None
    if isinstance(simple, ast.Assign) and isinstance(gradient.output, ast.Name) and gradient.weights is None and len(simple.targets) == 1:
        body, text = "", editing.current(*editing.span(simple.value))
    definition = f"{indent}def {function}({gradient.source}):\n{body}{indent}    return {text}\n"
    if has_second_order(context, [*region.moved, gradient.output]):
        derived = f"{context.definition(KNOWLEDGE, 'derivative')}({function})"
    else:
        derived = f"{context.imports.local('mindspore', None, 'ms')}.grad({function})"
    new = f"{derived}({gradient.source})"
    if not keeps_graph(gradient.call):
        ops = context.imports.local("mindspore", "ops", "ops")
        new = f"{ops}.stop_gradient({new})"
    editing.replace(*editing.span(gradient.taken), f"({new},)" if gradient.tuple_target else new)
    first, last = writing.lines_of(context, [gradient.statement])
    place = writing.lines_of(context, region.moved)[0] if region.moved else first
    above, below = writing.blank_before(context, place, indent), "\n" if indent else "\n\n"
    if region.moved:
        editing.replace(*writing.lines_of(context, region.moved), f"{above}{definition}{below}")
    else:
        editing.insert(first, f"{above}{definition}{below}")
    context.record(gradient.use, "rewritten", context.file.segment(gradient.call), new)

