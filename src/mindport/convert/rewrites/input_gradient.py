"""``torch.autograd.grad(outputs, inputs)``: what computes the output becomes a function of the inputs, which MindSpore differentiates."""

from __future__ import annotations

import ast
from collections.abc import Callable

from mindport.convert.context import Context
from mindport.convert.rewrites.backward import COMPILING, refuse
from mindport.convert.training import writing
from mindport.convert.training.around import data_around, tensors_around
from mindport.convert.training.attribute_dicts import named_outside
from mindport.convert.training.callers import arguments_of
from mindport.convert.training.derivatives import Derivative, same_function
from mindport.convert.training.handed import Gradients, gradients
from mindport.convert.training.leaves import leaves
from mindport.convert.training.names import key, names, own_nodes, parameters, root
from mindport.convert.training.region import scopes_around
from mindport.convert.training.second_order import (
    GRAD,
    has_second_order,
    is_gradient_call,
    keeps_graph,
    kept_if,
)
from mindport.inference import values as v
from mindport.inference.facts import Use

TAPE = "mindport.equivalents.tape_derivatives"
MEMBERS = "mindport.equivalents.member_derivatives"
KEPT = "mindport.equivalents.kept_gradients"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``mindspore.grad`` of a local function; on the tape, for gradients that are differentiated again."""
    found = gradients(context)
    for same_place in uses.values():
        use = same_place[0]
        if use.name != GRAD or not isinstance(use.node, ast.Call) or not is_gradient_call(context.facts, use.node):
            continue
        if context.on_tape and not keeps_graph(use.node):
            continue
        context.claimed.add(id(use.node))
        if (obstacle := found.obstacles.get(id(use.node))) is not None:
            refuse(context, use, obstacle, GRAD)
        elif (derivative := found.derivatives.get(id(use.node))) is not None:
            _plan(context, found, use, derivative)


def _plan(context: Context, found: Gradients, use: Use, derivative: Derivative) -> None:
    claim(context, derivative.call, derivative.output, derivative.weights, derivative.members, kept_if(derivative.call))
    written = _gradient if derivative.members is None else _by_members
    if context.on_tape:
        around = data_around(context, derivative) if derivative.members is not None else tensors_around(context, derivative, found.derivatives)
        derivative.along = tuple(name for name in around if name not in _functions_handed(context, found, derivative))
    plan_function(context, found, derivative)
    plan_taken(context, use, derivative, lambda: written(context, derivative))


def _functions_handed(context: Context, found: Gradients, derivative: Derivative) -> set[str]:
    """What helpers around a derivative are handed as functions: nothing that a gradient is taken by."""
    helpers = [helper for scope in scopes_around(context, derivative.call) if (helper := found.helpers.get(id(scope))) is not None]
    return {helper.output for helper in helpers if helper.output not in names(helper.function.body).stores}


def plan_taken(context: Context, use: Use, derivative: Derivative, written: Callable[[], str]) -> None:
    """Put what `written` gives in the place of ``grad(…)[0]``, or as a tuple in that of the call itself."""
    call, sources = derivative.call, derivative.sources
    parent = context.parents.get(id(call))
    is_first = isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant) and parent.slice.value == 0
    replaced = parent if is_first and len(sources) == 1 else call

    def work() -> None:
        new = written()
        context.editing.replace(*context.editing.span(replaced), f"({new},)" if replaced is call and len(sources) == 1 else new)  # type: ignore[arg-type]
        context.record(use, "rewritten", context.file.segment(call), new)

    context.plan(replaced, work, last=True)  # type: ignore[arg-type]


def taking(context: Context) -> str:
    """The local name of what takes gradients that are differentiated again."""
    return context.definition(TAPE, "derivative_on_tape") if context.on_tape else context.definition(COMPILING, "derivative")


def take_text(context: Context, derivative: Derivative) -> None:
    """Keep the converted text of the output, before the call that holds it is written anew."""
    derivative.text = context.editing.current(*context.editing.span(derivative.output))
    if derivative.weights is not None:
        derivative.text = f"({derivative.text}) * ({context.editing.current(*context.editing.span(derivative.weights))})"


def claim(context: Context, call: ast.Call, *kept: ast.expr | None) -> None:
    """What is not written again of a call is not converted: all but what is kept."""
    context.claim(call)
    context.claimed -= {id(part) for node in kept if node is not None for part in ast.walk(node)}


def plan_function(context: Context, found: Gradients, derivative: Derivative) -> None:
    """Name the function of the inputs, and write it after all work on what stands in it."""
    known = next((d for d in found.derivatives.values() if d.function and same_function(d, derivative)), None)
    output = derivative.output.id if isinstance(derivative.output, ast.Name) else "output"
    function = known.function if known else writing.fresh_name(context, derivative.scope, f"{output}_of_{'_'.join(derivative.taken) or 'parameters'}")
    derivative.function, derivative.known = function, known
    for source in () if context.on_tape else derivative.sources:
        plan_requests(context, derivative.scope, source)
    first, last = writing.lines_of(context, derivative.block[derivative.start : derivative.point + 1])
    first = min([first, *(writing.lines_of(context, [s])[0] for s in derivative.copied)])
    # What the output holds comes before; of a step that is as long, the function moves with it.
    context.work.append((last - first - 1 + derivative.depth / 1000, True, first, lambda: _write_function(context, derivative)))


def plan_requests(context: Context, scope: ast.AST, source: str) -> None:
    """``x.requires_grad_()`` goes: the input is an argument now. Where its own gradient is wanted, too (``x.grad``, an optimizer's list), it stays a leaf."""
    if any(leaf.name == source for leaf in leaves(scope, context.named)):
        return
    for node in own_nodes(scope):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_" and id(node) not in context.claimed:
            parent = context.parents.get(id(node))
            if isinstance(parent, ast.Expr) and key(node.func.value) == source:
                context.claimed.add(id(node))
                context.plan(parent, lambda s=parent: context.remove(s))  # type: ignore[misc]
            elif isinstance(parent, ast.Assign) and any(key(t) == source for t in parent.targets):
                receiver = node.func.value
                context.claimed.add(id(node))
                context.plan(node, lambda n=node, r=receiver: _unwrap(context, n, r))  # type: ignore[misc]
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and key(node.targets[0]) == f"{source}.requires_grad" and id(node.value) not in context.claimed:
            context.claim(node)
            context.plan(node, lambda s=node: context.remove(s), last=True)  # type: ignore[misc]


def _unwrap(context: Context, node: ast.Call, receiver: ast.expr) -> None:
    start, end = context.editing.span(node)
    text = context.editing.current(*context.editing.span(receiver))
    if isinstance(receiver, ast.BinOp) and context.file.text[start] == "(":
        text = f"({text})" if not isinstance(context.parents.get(id(node)), ast.Assign) else text
    context.editing.replace(start, end, text)


def _gradient(context: Context, derivative: Derivative) -> str:
    """The text that stands for the gradients."""
    take_text(context, derivative)
    ms = context.imports.local("mindspore", None, "ms")
    places = f", {tuple(range(len(derivative.sources)))}" if len(derivative.sources) > 1 else ""
    if context.on_tape or has_second_order(context, [*derivative.inside, derivative.output]):
        derived, given = f"{taking(context)}({derivative.function}{places})", (*derivative.sources, *derivative.along)
    else:
        derived = f"{ms}.grad({derivative.function}{places})"
        given = tuple(f"{ms}.mutable({s})" if keeps_graph(derivative.call) and _may_be_constant(context, derivative.scope, s) else s for s in derivative.sources)
    new = f"{derived}({', '.join(given)})"
    if keeps_graph(derivative.call):
        return if_kept(context, derivative.call, new)
    cut = f"{context.imports.local('mindspore', 'ops', 'ops')}.stop_gradient"
    return f"tuple(map({cut}, {new}))" if len(derivative.sources) > 1 else f"{cut}({new})"


def _by_members(context: Context, derivative: Derivative) -> str:
    """The text that stands for the gradients by a row's members: a tuple, as torch's."""
    assert derivative.members is not None
    take_text(context, derivative)
    members = context.editing.current(*context.editing.span(derivative.members))
    taken = context.definition(MEMBERS, "gradients_by_members" if derivative.row else "gradients_by_parameters")
    given = (derivative.function, derivative.row or members, *derivative.along)
    return if_kept(context, derivative.call, f"{taken}({', '.join(given)})")


def if_kept(context: Context, call: ast.Call, gradient: str) -> str:
    """The gradient; where a value decides whether it is differentiated (``create_graph=flag``), that is asked."""
    kept = kept_if(call)
    if kept is None:
        return gradient
    return f"{context.definition(KEPT, 'kept_if')}({context.editing.current(*context.editing.span(kept))}, {gradient})"


def _may_be_constant(context: Context, scope: ast.AST, source: str, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a compiled step may hold the input as a constant, by which MindSpore does not differentiate: an attribute, a name of the module."""
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and source in parameters(scope):
        calls = [] if id(scope) in seen else list(arguments_of(context.files, scope, source))
        return not (calls or seen) or any(_is_constant(context, *call, seen | {id(scope)}) for call in calls)
    values = [n.value for n in own_nodes(scope) if isinstance(n, ast.Assign) and source in names(n.targets).stores]
    bound = values or any(source in names(n.target).stores for n in own_nodes(scope) if isinstance(n, (ast.For, ast.AugAssign, ast.AnnAssign)))
    return not bound or any(_is_held(value) or _is_made_of_numbers(context, value) for value in values)


def _is_held(value: ast.expr) -> bool:
    """An attribute, or what its methods give."""
    return isinstance(held := root(value), ast.Name) and held.id in ("self", "cls") and isinstance(value, ast.Attribute | ast.Call)


def _is_made_of_numbers(context: Context, value: ast.expr) -> bool:
    """``torch.tensor(1.0).requires_grad_()``: a function of PyTorch's that is given no tensor."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and any(isinstance(o, v.TensorValue) for o in v.options(context.facts.value(value.func.value))):
        value = value.func.value
    if not isinstance(value, ast.Call) or not any(isinstance(o, v.Api) for o in v.options(context.facts.value(value.func))):
        return False
    given = [*value.args, *(k.value for k in value.keywords)]
    return not any(isinstance(o, v.TensorValue) for argument in given for part in ast.walk(argument) if isinstance(part, ast.expr) for o in v.options(context.facts.value(part)))


def _is_constant(context: Context, given: ast.expr, scope: ast.AST, seen: frozenset[int]) -> bool:
    if isinstance(given, ast.Name):
        return _may_be_constant(context, scope, given.id, seen)
    return isinstance(given, ast.Attribute)


def _write_function(context: Context, derivative: Derivative) -> None:
    """Write ``def function(sources)``, above the statement that takes the gradient or in the place of what moves into it."""
    if derivative.known is not None:
        derivative.written = derivative.known.written
        return
    editing, inside, text, function = context.editing, derivative.inside, derivative.text, derivative.function
    indent = editing.indent(editing.span(derivative.statement)[0])
    only = inside[0] if len(inside) == 1 else None
    is_plain = isinstance(derivative.output, ast.Name) and derivative.weights is None and not derivative.inner
    if isinstance(only, ast.Assign) and is_plain and len(only.targets) == 1 and isinstance(only.targets[0], ast.Name):
        body, text = "", editing.current(*editing.span(only.value))
    elif derivative.moved:
        body = writing.moved_text(context, derivative.moved)
    else:
        body = ""
        for piece in (piece for statement in (*inside, derivative.statement) for piece in _again(context, derivative, statement)):
            body += "\n" if piece.lstrip().startswith("def ") and body and not body.endswith("\n\n") else ""
            body += piece
        body = writing.indented(body)
    definition = f"{indent}def {function}({', '.join((*derivative.taken, *derivative.along))}):\n{body}{indent}    return {text}\n"
    named, definition = named_outside(context, derivative, definition)
    derivative.written = definition
    definition = f"{named}\n{definition}" if named else definition
    first = writing.lines_of(context, [derivative.statement])[0]
    place = writing.lines_of(context, derivative.moved)[0] if derivative.moved else first
    above, below = writing.blank_before(context, place, indent), "\n" if indent else "\n\n"
    if derivative.moved:
        editing.replace(*writing.lines_of(context, derivative.moved), f"{above}{definition}{below}")
    else:
        editing.insert(first, f"{above}{definition}{below}")


def _again(context: Context, derivative: Derivative, statement: ast.stmt) -> list[str]:
    """The text of a copied statement, behind the functions whose gradients it takes: those by the same inputs stand outside.

    Of the statement that takes the gradient itself only these functions are there: its output is what is returned.
    """
    wanted = context.editing.indent(context.editing.span(derivative.statement)[0])
    functions = [writing.reindented(f"{inner.written}\n", wanted) for inner in derivative.inner if inner.statement is statement]
    if statement is derivative.statement:
        return functions
    return [*functions, writing.reindented(context.editing.current(*writing.lines_of(context, [statement])), wanted)]
