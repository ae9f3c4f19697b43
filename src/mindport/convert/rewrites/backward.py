"""``loss.backward()``: the statements that compute the loss become a function, and MindSpore differentiates it.

General form: the gradients are computed with the loss and added to `.grad` where backward stood, so everything
that works on `.grad` (clearing, clipping, accumulation, several optimizers) stays as it is. Tidy form, where
clearing, backward and step of one optimizer are all there is: ``optimizer(grads)``, and no `.grad` at all.
What cannot be moved into a function stays under MP401, which names the line that stands in the way.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from mindport.convert.context import Context, Moving
from mindport.convert.rewrites.replaced_members import replaced_parameters
from mindport.convert.training import tape, writing
from mindport.convert.training.beyond_graphs import beyond_graphs
from mindport.convert.training.names import key, names, own_nodes
from mindport.convert.training.optimizers import Optimizer, groups, optimizers, perhaps_own
from mindport.convert.training.recursion import calls_itself
from mindport.convert.training.region import Obstacle, OnTapeAlone, Region, find
from mindport.convert.training.row_derivatives import first_inside
from mindport.convert.training.run_once import run_once
from mindport.convert.training.second_order import OF_ALL, has_second_order, keeps_graph, kept_if
from mindport.convert.training.seen_gradients import groups_grow
from mindport.convert.training.shared import merged
from mindport.convert.training.stored_results import localise
from mindport.convert.training.tidy import Tidy, clearing, tidy
from mindport.convert.uses import stays
from mindport.inference import values as v
from mindport.inference.facts import Use

BACKWARD = "torch.Tensor.backward"
#: Where the functions stand that keep gradients in `.grad`.
KNOWLEDGE = "mindport.equivalents.gradients"
#: Where those stand that differentiate steps which hold gradients themselves.
COMPILING = "mindport.equivalents.compiled_gradients"


@dataclass
class Step:
    """One backward call and how it is written."""

    use: Use
    region: Region
    known: list[Optimizer]
    tidy: Tidy | None
    groups: list[str]
    loops: list[ast.stmt]  # the function is defined before the outermost of these
    arguments: list[str]
    compiled: bool  # it holds gradients that are differentiated
    stored: dict[str, str]  # attributes that a compiled step stores, with the names that stand for them in it
    function: str = ""
    grad_fn: str = ""
    grads: str = ""


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the rewriting of all backward calls of the file."""
    if context.on_tape:
        return
    for use in of_all(uses):
        context.claimed.add(id(use.node))
        refuse(context, use, Obstacle("several tensors go back at once", use.node), OF_ALL)
    found: list[tuple[Use, Region]] = []
    for use in backward_calls(context, uses):
        context.claimed.add(id(use.node))
        assert isinstance(use.node, ast.Call)
        try:
            region = find(context, use.node, _weight(use.node))
            _once(region)
            found.append((use, region))
        except Obstacle as obstacle:
            _refuse(context, use, obstacle)
    for group in merged(context, found, lambda use, obstacle: _refuse(context, use, obstacle)):
        use, region = group[0]
        try:
            step = _decide(context, use, region, uses)
        except Obstacle as obstacle:
            for other, _ in group:
                _refuse(context, other, obstacle)
            continue
        _plan(context, step, [other for other, _ in group[1:]], uses)


def _once(region: Region) -> None:
    """A second pass back through one loss (``retain_graph=True``) would have the first one in its function."""
    for statement in region.moved:
        for node in own_nodes(statement):
            if isinstance(node, ast.Attribute) and node.attr == "backward" and isinstance(node.value, ast.Name) and node.value.id == region.loss_name:
                raise Obstacle(f"the gradients of `{region.loss_name}` are taken a second time", node)


def _backward_inside(region: Region) -> ast.expr | None:
    """Another loss's backward call among the statements that move: its step's function would stand in a graph, and leave its gradients there."""
    return next((node for statement in region.moved for node in own_nodes(statement) if isinstance(node, ast.Attribute) and node.attr == "backward"), None)


def backward_calls(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> list[Use]:
    """Calls of a tensor's backward, those of values that are not known included."""
    known = {id(same_place[0].node): same_place[0] for same_place in uses.values() if same_place[0].name == BACKWARD}
    found = []
    for node in context.file.nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "backward"):
            continue
        use = known.get(id(node))
        if use is None and _may_be_tensor_method(context, node):
            use = Use(node, BACKWARD, "method", "likely")
        if use is not None:
            found.append(use)
    return sorted(found, key=lambda use: (use.node.lineno, use.node.col_offset))


def of_all(uses: dict[tuple[int, bool], list[Use]]) -> list[Use]:
    """Calls of the function that goes back from several tensors."""
    return [same_place[0] for same_place in uses.values() if same_place[0].name == OF_ALL and isinstance(same_place[0].node, ast.Call)]


def _may_be_tensor_method(context: Context, call: ast.Call) -> bool:
    """Whether nothing speaks against a tensor: other libraries' backward takes the loss."""
    assert isinstance(call.func, ast.Attribute)
    receiver = call.func.value
    if call.args or not isinstance(context.parents.get(id(call)), ast.Expr):
        return False
    if isinstance(receiver, ast.Name) and receiver.id in ("self", "cls", "super"):
        return False
    kinds = v.options(context.facts.value(receiver))
    meant = [kind for kind in kinds if not isinstance(kind, (v.Sequence, v.Mapping, v.Const, v.Builtin))]  # the others have no such method
    return all(isinstance(kind, (v.Unknown, v.TensorValue)) for kind in meant or kinds)


def _weight(call: ast.Call) -> ast.expr | None:
    """The gradient that backward is given. Raises Obstacle for what has no counterpart."""
    given = dict(zip(("gradient", "retain_graph", "create_graph", "inputs"), call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg is None:
            raise Obstacle("backward is called with arguments that are not known", keyword.value)
        given[keyword.arg] = keyword.value
    none = {name for name, value in given.items() if isinstance(value, ast.Constant) and not value.value}
    if "inputs" in given.keys() - none:
        raise Obstacle("backward is called with inputs: its gradients go to these alone", given["inputs"])
    if "create_graph" in given.keys() - none:
        if kept_if(call) is not None:
            raise OnTapeAlone("whether its gradients are differentiated again shows when the program runs, and raises there", given["create_graph"])
        raise Obstacle("create_graph=True keeps gradients of gradients in .grad: use torch.autograd.grad inside the loss", given["create_graph"])
    return given.get("gradient") if "gradient" not in none else None


def _refuse(context: Context, use: Use, obstacle: Obstacle) -> None:
    refuse(context, use, obstacle, BACKWARD)


def refuse(context: Context, use: Use, obstacle: Obstacle, api: str) -> None:
    """Say what stands in the way of a function: MindSpore's tape is used, or the text stays."""
    assert isinstance(use.node, ast.Call)
    line = context.file.span(obstacle.node if id(obstacle.node) in context.parents and hasattr(obstacle.node, "lineno") else use.node).line  # type: ignore[arg-type]  # what a step calls may stand in another file
    text = context.file.segment(use.node)
    if tape.available(context.shared.target.version) and (isinstance(obstacle, OnTapeAlone) or not keeps_graph(use.node)):
        context.shared.wanting_tape[id(use.node)] = f"{obstacle.message} (line {line})"
        context.report("MP403", tape.reason(text, context.shared.wanting_tape[id(use.node)]), use.node, api=api, certainty=use.certainty)
        context.record(use, "rewritten", text, "", None, obstacle.message)
        return
    message = f"`{text if api == BACKWARD else context.file.segment(use.node.func)}` stays: {obstacle.message} (line {line})"
    context.report("MP401", message, use.node, api=api, certainty=use.certainty, mark=True)
    context.record(use, "unconverted", text, "", None, obstacle.message)
    stays(context, use)


def _decide(context: Context, use: Use, region: Region, uses: dict[tuple[int, bool], list[Use]]) -> Step:
    writing.check_lines(context, [*region.moved, region.block[region.point]])
    if (put := context.once(replaced_parameters)) is not None:
        raise Obstacle(f"a module goes on with other parameters ({ast.unparse(put)}), through which gradients may go", put)
    known = optimizers(context, region.scope)
    if (own := perhaps_own(context, known)) is not None:
        raise Obstacle(f"`{own.text}` may be an optimizer of the project's own class, whose parameters are not known", region.call)
    compiled = has_second_order(context, [*region.moved, *region.losses])
    if compiled and (once := run_once(context.facts, [*region.moved, *region.losses])) is not None:
        raise OnTapeAlone(f"{once[1]}, which a compiled step would do once", once[0])
    if compiled and (other := _backward_inside(region)) is not None:
        raise OnTapeAlone("another backward pass stands in a step that is compiled", other)
    if compiled and (again := calls_itself(context.facts, [*region.moved, *region.losses])) is not None:
        raise OnTapeAlone(f"`{ast.unparse(again)}` calls the function that it stands in, whose arguments by name no graph takes", again)
    if compiled and (beyond := beyond_graphs(context.facts, [*region.moved, *region.losses])) is not None:
        raise OnTapeAlone(beyond[1], beyond[0])
    if compiled and (row := first_inside(context, [*region.moved, *region.losses])) is not None:
        raise OnTapeAlone("a derivative by a dictionary or list is taken inside of it, which no graph takes", row)
    form = None if compiled else tidy(context, region, known)
    if form is not None and region.outputs and not any(_may_be_tensor(context, region, n) for n in region.outputs):
        form = None
    wanted, loops, arguments = _handed(context, region, known, form, compiled)
    if form is not None and any(writing.stands_for_functions(context, region, name) for name in (*arguments, *region.outputs)):
        form = None
        wanted, loops, arguments = _handed(context, region, known, form, compiled)
    step = Step(use, region, known, form, wanted, loops, arguments, compiled, localise(context, region) if compiled else {})
    _name(context, step)
    return step


def _handed(context: Context, region: Region, known: list[Optimizer], form: Tidy | None, compiled: bool) -> tuple[list[str], list[ast.stmt], list[str]]:
    """The groups of parameters whose gradients are wanted, the loops that the function moves out of, and the names that it takes."""
    wanted = [f"{form.optimizer.text}.parameters"] if form else groups(context, region, known)
    loops = _loops(context, region, wanted)
    return wanted, loops, writing.arguments(context, region, loops or region.loops[:1], compiled)


def _may_be_tensor(context: Context, region: Region, name: str) -> bool:
    """Whether an output may be a tensor, as MindSpore wants of one at least."""
    for statement in region.moved:
        for part in own_nodes(statement):
            if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store):
                if all(isinstance(kind, v.ProjectInstance) for kind in v.options(context.facts.value(part))):
                    return False
                parent = context.parents.get(id(part))
                value = parent.value if isinstance(parent, ast.Assign) else None
                if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("item", "tolist", "numpy", "size"):
                    return False
                return not isinstance(value, ast.Constant) and not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("float", "int", "len"))
    return True


def _loops(context: Context, region: Region, wanted: list[str]) -> list[ast.stmt]:
    """The loops that the definition moves out of: as long as they bind nothing that the parameters hang on."""
    found: list[ast.stmt] = []
    if context.once(groups_grow):
        return found
    roots = {name for text in wanted for name in re.findall(r"(?<![.\w])[A-Za-z_]\w*", text)}
    for loop in region.loops:
        own = names(loop)
        attributes = [n for n in ast.walk(loop) if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)]
        if roots & set(own.stores) or {n.attr for n in attributes} & {part for text in wanted for part in text.split(".")}:
            break
        # `model.head = …`: the module has other parameters from there on
        owners = {text.rpartition(".")[0] for text in wanted if text.endswith(")")}
        if any((key(n.value) or "").startswith(owner) for n in attributes for owner in owners):
            break
        found.append(loop)
    return found


def _name(context: Context, step: Step) -> None:
    region = step.region
    others = [n for n in own_nodes(region.scope) if isinstance(n, ast.Attribute) and n.attr == "backward"]
    loss = region.loss_name
    suffix = f"_{loss}" if len(others) > 1 and loss and loss != "loss" else ""
    step.function = writing.fresh_name(context, region.scope, f"forward{suffix}")
    step.grads = writing.fresh_name(context, region.scope, f"grads{suffix}")
    if step.loops:
        step.grad_fn = writing.fresh_name(context, region.scope, f"grad_fn{suffix}")


def _plan(context: Context, step: Step, others: list[Use], uses: dict[tuple[int, bool], list[Use]]) -> None:
    region = step.region
    moved = region.moved or [region.block[region.point]]
    first, last = writing.lines_of(context, moved)
    if step.tidy is not None:
        _plan_tidy(context, step, uses)
    longest = max(len(context.file.segment(one.node)) for one in [step.use, *others])
    length = max(last - first, longest + 1)
    moving = Moving(frozenset(region.stored), region.call, length)
    context.moving |= {id(part): moving for statement in region.moved for part in (statement, *own_nodes(statement)) if isinstance(part, ast.stmt)}
    context.work.append((length, True, first, lambda: _write(context, step, first, last, others)))


def _plan_tidy(context: Context, step: Step, uses: dict[tuple[int, bool], list[Use]]) -> None:
    assert step.tidy is not None
    by_node = {id(same_place[0].node): same_place[0] for same_place in uses.values()}
    region = step.region
    for call in step.tidy.cleared:
        statement = context.parents[id(call)]
        assert isinstance(statement, ast.stmt)
        context.claimed.add(id(call))
        context.plan(statement, lambda s=statement: context.remove(s))  # type: ignore[misc]
        if id(call) in by_node:
            context.record(by_node[id(call)], "removed", context.file.segment(call))
    call = step.tidy.step
    context.claimed.add(id(call))
    new = f"{step.tidy.optimizer.text}({step.grads})"
    context.plan(call, lambda: context.editing.replace(*context.editing.span(call), new))
    if id(call) in by_node:
        context.record(by_node[id(call)], "rewritten", context.file.segment(call), new)
    if region.moved:
        context.record(step.use, "rewritten", context.file.segment(step.use.node), "ms.value_and_grad")


def own(context: Context, name: str) -> str:
    """The local name of one of the vendored functions that keep gradients in `.grad`."""
    return context.definition(KNOWLEDGE, name)


def _accumulate(context: Context, step: Step, use: Use) -> None:
    new = f"{own(context, 'accumulate')}({step.grads})"
    context.editing.replace(*context.editing.span(use.node), new)
    context.record(use, "rewritten", context.file.segment(use.node), new)


def _write(context: Context, step: Step, first: int, last: int, others: list[Use]) -> None:
    """Replace the region's lines: the function (here, or before the loops), and its call."""
    region, editing = step.region, context.editing
    indent = editing.indent(editing.span(region.block[region.start])[0])
    cleared = writing.lifted(context, clearing(context, region.moved))
    body = writing.moved_text(context, region.moved) if region.moved else ""
    body = writing.returned(context, region, body)
    if region.moved:
        if step.tidy is None:
            _accumulate(context, step, step.use)
        else:
            context.remove(region.block[region.point])
    for other in others:  # of two branches each adds the gradients, of a sum the first call does
        if region.test is not None:
            _accumulate(context, step, other)
            continue
        statement = context.parents[id(other.node)]
        assert isinstance(statement, ast.stmt)
        context.remove(statement)
        context.record(other, "removed", context.file.segment(other.node))
    definition = f"{indent}def {step.function}({', '.join(step.arguments)}):\n{body}"
    differentiated = _differentiated(context, step)
    results = _results(context, step)
    call = f"({', '.join(step.arguments)})"
    if step.loops:
        outer = step.loops[-1]
        place = editing.line_start(editing.span(outer)[0])
        there = editing.indent(place)
        shifted = _shift(definition, indent, there)
        above, below = writing.blank_before(context, place, there), "\n" if there else "\n\n"
        editing.insert(place, f"{above}{shifted}{below}{there}{step.grad_fn} = {differentiated}\n\n")
        text = f"{cleared}{indent}{results}, {step.grads} = {step.grad_fn}{call}\n"
    else:
        above, below = writing.blank_before(context, first, indent), "\n" if indent else "\n\n"
        text = f"{above}{definition}{below}{cleared}{indent}{results}, {step.grads} = {differentiated}{call}\n"
    text += "".join(f"{indent}{attribute} = {name}\n" for attribute, name in step.stored.items())
    if not region.moved:  # the backward call's own statement is all there is
        if step.tidy is None:
            text += f"{indent}{own(context, 'accumulate')}({step.grads})\n"
        context.record(step.use, "rewritten", context.file.segment(step.use.node), "value_and_grad")
    editing.replace(first, last, text)


def _shift(text: str, indent: str, there: str) -> str:
    """The definition's lines at another depth; lines inside strings stay."""
    if indent == there:
        return text
    return writing.dedented(text, len(indent) - len(there))


def _differentiated(context: Context, step: Step) -> str:
    if step.compiled:
        return f"{context.definition(COMPILING, 'compiled_value_and_gradients')}({step.function}, {bool(step.region.outputs) or len(step.region.losses) > 1}, {', '.join(step.groups)})"
    if step.tidy is None:
        return f"{own(context, 'value_and_gradients')}({step.function}, {', '.join(step.groups)})"
    ms = context.imports.local("mindspore", None, "ms")
    aux = ", has_aux=True" if step.region.outputs else ""
    return f"{ms}.value_and_grad({step.function}, None, {step.groups[0]}{aux})"


def _results(context: Context, step: Step) -> str:
    region = step.region
    loss = region.loss_name or step.stored.get(key(region.loss) or "") or _unread(context, region)
    names_ = [loss, *region.outputs]
    return names_[0] if len(names_) == 1 else f"({', '.join(names_)})"


def _unread(context: Context, region: Region) -> str:
    """The name of a result that nobody reads: ``_``, but where the file reads its own ``_`` (``for _ in range(n): …``, then ``_``)."""
    read = any(isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Load) for node in context.file.nodes)
    return writing.fresh_name(context, region.scope, "loss") if read else "_"
