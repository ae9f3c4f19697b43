"""``loss.backward()`` where the step is no function: MindSpore's own tape goes back from the loss, as torch's does.

The text keeps its order; only the calls that take gradients change. MP403 says at each step why it is no function.
Gradients that are differentiated again are functions' here, too (`input_gradient`), and each is one operation on the tape.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.rewrites.backward import backward_calls, of_all, own, refuse
from mindport.convert.rewrites.leaf_tensors import is_parameter, plan_displayed, plan_held, plan_loops
from mindport.convert.training.leaves import Leaf, leaves
from mindport.convert.training.names import FUNCTIONS
from mindport.convert.training.region import Obstacle
from mindport.convert.training.second_order import GRAD, OF_ALL, is_gradient_call, keeps_graph, kept_if
from mindport.convert.training.tape import reason
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.tape"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the calls of this file, if its gradients come from the tape."""
    if not context.on_tape:
        return
    for use in [*backward_calls(context, uses), *of_all(uses)]:
        if keeps_graph(use.node) and kept_if(use.node) is None:  # type: ignore[arg-type]
            refuse(context, use, Obstacle("create_graph=True keeps gradients of gradients in .grad: use torch.autograd.grad inside the loss", use.node), use.name)
        elif use.name == OF_ALL:
            _plan_function(context, use, "backward_of_all")
        else:
            _plan_backward(context, use)
    for same_place in uses.values():
        use = same_place[0]
        if use.name == GRAD and isinstance(use.node, ast.Call) and is_gradient_call(context.facts, use.node) and not keeps_graph(use.node):
            _plan_function(context, use, "gradients")
    scopes = [context.file.tree, *(n for n in context.file.nodes if isinstance(n, FUNCTIONS))]
    plan_loops(context)
    given = [
        leaf for scope in scopes for leaf in leaves(scope, context.named)
        if leaf.given and not isinstance(leaf.statement, ast.For) and not is_parameter(context, leaf) and not plan_displayed(context, scope, leaf)
    ]  # fmt: skip
    held = {id(leaf.call) for leaf in given if plan_held(context, leaf)}
    given = [leaf for leaf in given if id(leaf.call) not in held]
    trained = {id(leaf.call) for leaf in given if not isinstance(leaf.statement, ast.Expr)}
    for leaf in given:
        if leaf.call is None or isinstance(leaf.statement, ast.Expr):
            _plan_named(context, leaf)
    for node in context.file.nodes:
        if id(node) in context.claimed or id(node) in held:
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
            if id(node) in trained:
                _plan_trained(context, node)
            else:
                _plan_asking(context, node)
        elif isinstance(node, ast.Call) and any(_is_asking(k) for k in node.keywords) and not _is_a_flag(context, node):
            context.plan(node, lambda n=node: _wrap(context, n, id(n) in trained), last=True)  # type: ignore[misc]


def _own(context: Context, name: str) -> str:
    return context.definition(KNOWLEDGE, name)


def _plan_backward(context: Context, use: Use) -> None:
    call = use.node
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    context.claimed |= {id(call), id(call.func)}
    loss = call.func.value

    def work() -> None:
        start, end = context.editing.span(call)
        text = context.editing.current(*context.editing.span(loss))  # without parentheses around it
        rest = context.editing.current(context.editing.span(call.func)[1], end)
        given = rest[rest.index("(") + 1 : -1].strip()
        new = f"{_own(context, 'backward')}({_bare(text, loss)}{', ' + given if given else ''})"
        context.editing.replace(start, end, new)
        context.record(use, "rewritten", context.file.segment(call), new)

    _say(context, use)
    context.plan(call, work, last=True)


def _say(context: Context, use: Use) -> None:
    """Why the step is no function; of one that could be, that another of its process is none."""
    why = context.shared.wanting_tape.get(id(use.node), "another step of the same process is no function")
    context.report("MP403", reason(context.file.segment(use.node), why), use.node, api=use.name, certainty=use.certainty)


def _bare(text: str, node: ast.expr) -> str:
    """The receiver's text without the parentheses that only a receiver needs."""
    inner = text.strip()
    if inner.startswith("(") and inner.endswith(")") and isinstance(node, ast.BinOp | ast.UnaryOp):
        try:
            ast.parse(inner[1:-1].strip(), mode="eval")
        except SyntaxError:
            return inner
        return inner[1:-1].strip()
    return inner


def _plan_function(context: Context, use: Use, function: str) -> None:
    call = use.node
    assert isinstance(call, ast.Call)
    context.claimed.add(id(call))
    context.claim(call.func)

    def work() -> None:
        context.editing.replace(*context.editing.span(call.func), _own(context, function))
        context.record(use, "rewritten", context.file.segment(call), context.editing.current(*context.editing.span(call)))

    _say(context, use)
    context.plan(call.func, work, last=True)


def _plan_asking(context: Context, call: ast.Call) -> None:
    """``x.requires_grad_()`` stays a method of tensors; of what may be a module it becomes a function."""
    assert isinstance(call.func, ast.Attribute)
    receiver = call.func.value
    kinds = v.options(context.facts.value(receiver))
    if all(_is_module(kind) for kind in kinds):
        return
    context.claimed |= {id(call), id(call.func)}
    if all(isinstance(kind, v.TensorValue) and not kind.parameter for kind in kinds):
        return

    def work() -> None:
        start, end = context.editing.span(call)
        text = context.editing.current(*context.editing.span(receiver))
        rest = context.editing.current(context.editing.span(call.func)[1], end)
        given = rest[rest.index("(") + 1 : -1].strip()
        context.editing.replace(start, end, f"{_own(context, 'wants_gradient')}({text}{', ' + given if given else ''})")

    context.plan(call, work, last=True)


def _plan_named(context: Context, leaf: Leaf) -> None:
    """``w.requires_grad = True`` and ``w.requires_grad_()`` as statements, where an optimizer may get w: a Parameter takes its place."""
    target = leaf.statement.targets[0] if isinstance(leaf.statement, ast.Assign) else leaf.call.func if isinstance(leaf.call, ast.Call) else None
    if not isinstance(target, ast.Attribute):
        return
    kinds = v.options(context.facts.value(target.value))
    if any(_is_module(kind) or (isinstance(kind, v.TensorValue) and kind.parameter) for kind in kinds):
        return
    context.claim(leaf.statement)
    text = f"{leaf.name} = {own(context, 'leaf')}({leaf.name})"
    context.plan(leaf.statement, lambda: context.editing.replace(*context.editing.span(leaf.statement), text), last=True)


def _plan_trained(context: Context, call: ast.Call) -> None:
    """``w = x.requires_grad_()`` of what an optimizer may get becomes a Parameter."""
    assert isinstance(call.func, ast.Attribute)
    receiver = context.editing.span(call.func.value)
    context.claimed |= {id(call), id(call.func)}
    name = own(context, "leaf")
    context.plan(call, lambda: context.editing.replace(*context.editing.span(call), f"{name}({context.editing.current(*receiver)})"), last=True)


def _is_module(kind: v.Value) -> bool:
    if isinstance(kind, v.ProjectInstance):
        return MODULE in kind.cls.scope.ancestors
    return isinstance(kind, v.Instance) and (kind.cls == MODULE or MODULE in torchfacts.ancestors(kind.cls))


def _is_asking(keyword: ast.keyword) -> bool:
    return keyword.arg == "requires_grad" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True


def _is_a_flag(context: Context, call: ast.Call) -> bool:
    """Whether the keyword is one of a function of the project's that gives more than a tensor: ``logps, mask = score(net, x, requires_grad=True)``."""
    own = [kind.function if isinstance(kind, v.Bound) else kind for kind in v.options(context.facts.value(call.func))]
    given = v.options(context.facts.value(call))
    return bool(own) and all(isinstance(kind, v.ProjectFunction) for kind in own) and not (given and all(isinstance(kind, v.TensorValue) for kind in given))


def _wrap(context: Context, call: ast.Call, trained: bool) -> None:
    """``torch.zeros(3, requires_grad=True)``: made as ever, then asked; what an optimizer may get becomes a Parameter.

    A Parameter wants its gradient anyway, and so does what a Parameter is made of, which MindSpore's `set_data` would refuse afterwards.
    """
    around = context.parents.get(id(call))
    made = [call, around] if isinstance(around, ast.Call) else [call]
    if any(isinstance(kind, v.TensorValue) and kind.parameter for each in made for kind in v.options(context.facts.value(each))):
        return
    span = context.editing.span(call)
    name = own(context, "leaf") if trained else _own(context, "wants_gradient")
    context.editing.replace(*span, f"{name}({context.editing.current(*span)})")
