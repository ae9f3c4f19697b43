"""In-place operations: rebound, written through, or reported, by who else holds the storage.

``x.add_(1)`` becomes ``x = x + 1`` where nobody else reads the storage afterwards; else the vendored function writes
into the tensor, and statements that carry the change to views follow (`aliasing.holders`). What can't be carried is
MP109 with the line of the other holder.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.aliasing.consumed import is_counter
from mindport.convert.aliasing.flow import Flow, follow
from mindport.convert.aliasing.given_memory import gets_memory, is_whole, plan_given
from mindport.convert.aliasing.holders import Again, Verdict, judge
from mindport.convert.aliasing.in_steps import within_step
from mindport.convert.aliasing.indexed_copies import decide_when_run, index_as_torch, plan_copies
from mindport.convert.aliasing.items_of_views import is_stored_into, view_of_item, write_item
from mindport.convert.aliasing.kept_dtypes import may_change_dtype
from mindport.convert.aliasing.knowledge import Knowledge, is_tensor_method
from mindport.convert.aliasing.liveness import Liveness, bound_once, liveness
from mindport.convert.aliasing.numbered_views import is_indexed
from mindport.convert.aliasing.objects import OUTSIDE, Mutation, links, path
from mindport.convert.aliasing.own_shapes import of_own_shape
from mindport.convert.aliasing.past_gradients import is_taken_up
from mindport.convert.aliasing.place import Place
from mindport.convert.aliasing.put import loses_gradient, plan_put
from mindport.convert.aliasing.read_between import read_between
from mindport.convert.aliasing.regions import from_before, is_plain_script, without_gradient
from mindport.convert.aliasing.stored import is_given_back, is_reshaped, is_whole_statement
from mindport.convert.aliasing.synchronise import plan_sync, why_no_room
from mindport.convert.aliasing.writing import written
from mindport.convert.aliasing.written_through import decides_at_run, is_put_through, is_written_through
from mindport.convert.context import Context, Files
from mindport.convert.effects import effect
from mindport.convert.rewrites.former_order import in_its_order
from mindport.convert.rewrites.read_while_written import tell_named_views
from mindport.convert.training.leaves import leaves
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays import storage

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan what becomes of every in-place operation of the file."""
    _by_name_alone(context, uses)
    by_node = {node: same_place for (node, decorator), same_place in uses.items() if not decorator}
    knowledge = Knowledge.of(context.file, context.facts, context.shared.summaries)
    for scope in context.file.nodes:
        if isinstance(scope, _SCOPES):
            _in_scope(context, scope, knowledge, by_node)


def _by_name_alone(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Methods that only tensors have, called on something unknown: ``x.add_(1)`` would do nothing, silently.

    Where a class of the project's has one of that name (``state.detach()`` of a named tuple), the program decides when it runs (`unknown_receiver`).
    """
    for place in context.facts.unresolved:
        if not is_tensor_method(place) or id(place.node) not in context.parents or place.text.lstrip(".") in context.once(_own_methods):
            continue
        name = place.candidates[0]
        alone = storage.changes_operand(name) or storage.relation(name) == "detached"
        if alone and any(entry.kind == "function" for entry in context.shared.catalog.find(name)):
            uses.setdefault((id(place.node), False), [in_its_order(context, Use(place.node, name, "method", "likely", place.scope))])


def _own_methods(files: Files) -> frozenset[str]:
    """The methods of all classes of the project."""
    classes = (node for file, _ in files for node in file.nodes if isinstance(node, ast.ClassDef))
    return frozenset(part.name for cls in classes for part in cls.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _in_scope(context: Context, scope: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module, knowledge: Knowledge, uses: dict[int, list[Use]]) -> None:
    flow = follow(scope, knowledge)
    index_as_torch(context, scope, flow, knowledge)
    if not flow.mutations:
        return
    tell_named_views(context, flow.mutations.values())
    elements = plan_copies(context, scope, flow, knowledge)
    live, single = liveness(scope), bound_once(scope)
    read = (n.value for n in ast.walk(scope) if isinstance(n, ast.Attribute) and n.attr == "grad")
    keeping = frozenset(leaf.name for leaf in leaves(scope)) | {n.id for n in read if isinstance(n, ast.Name)}
    done: set[int] = set()
    for mutation in sorted(flow.mutations.values(), key=lambda m: -_end(m.node)):
        if id(mutation.node) not in done and id(mutation.statement) not in context.going:
            _one(context, flow, mutation, live, single, keeping, elements, uses, done)


def _end(node: ast.AST) -> int:
    return getattr(node, "end_lineno", 0) * 1000 + getattr(node, "end_col_offset", 0)


def _one(
    context: Context, flow: Flow, mutation: Mutation, live: Liveness, single: frozenset[str], keeping: frozenset[str], elements: frozenset[int],
    uses: dict[int, list[Use]], done: set[int],
) -> None:  # fmt: skip
    """One place: a change, or a chain of them (``x.zero_().add_(y)``) on one tensor. `keeping`: tensors that have a gradient of their own; `elements`: what was taken by
    a tensor that may have no axes, and may therefore be a view."""
    chain = _chain(flow, mutation)
    done.update(id(link.node) for link in chain)
    first = chain[-1]
    statement = mutation.statement
    if gets_memory(context, mutation):
        plan_given(context, mutation)
        return
    shapes = [use.name.rpartition(".")[2] in storage.SHAPE_ONLY for link in chain for use in uses.get(id(link.node), [])]
    subject = replace(mutation, target=first.target, objects=first.objects)
    subject = _undetached(of_own_shape(subject) if shapes and all(shapes) else subject)
    item = subject.target
    stored = _is_stored(subject, statement)
    # What an initializer or another function fills outside of `no_grad` is a leaf's region: no gradient is to know of it.
    past = subject.detached or (mutation.kind == "function" and not _is_out(mutation))
    view = view_of_item(subject)
    subject = _of_base(subject) if view is not None else subject
    subject = _undetached(_without_basic_indices(_of_base(replace(subject, kind="item", detached=past)) if stored else subject))
    result = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.value is mutation.node:
        result = path(statement.targets[0])
    verdict = judge(subject, live, single, result, context.file.number)
    if verdict.kind == "rebind" and not _is_unknown_item(context, subject) and (_has_gradient(context, subject, keeping) or from_before(context, subject) and not _is_used_up(subject, live)):
        verdict = Verdict("write", [f"{ast.unparse(subject.target)} keeps its gradient"], verdict.sync)
    if verdict.kind == "rebind" and any(one.key in elements for one in subject.objects):
        verdict = Verdict("write", [f"{ast.unparse(subject.target)} may be an element of what it was taken from"], verdict.sync)
    if verdict.kind == "rebind" and _is_held_under_text(context, subject):
        verdict = Verdict("write", [f"{ast.unparse(subject.target)} may be held elsewhere"], verdict.sync)
    if verdict.kind == "rebind" and may_change_dtype(context, subject, chain):
        verdict = Verdict("write", [f"{ast.unparse(subject.target)} keeps its dtype"], verdict.sync)
    if verdict.kind != "refuse" and subject.kind == "values" and (verdict.sync or not all(is_whole(one) for one in subject.objects)):
        verdict = Verdict("refuse", verdict.others, why="it has memory of its own from there on, and what shared its storage keeps the old values")
    reshaped = any(shapes)
    if reshaped and verdict.sync:  # the view is of the shape before: made again by the same index it would be another one
        verdict = Verdict("refuse", verdict.others, why=verdict.others[0])
    verdict = within_step(context, subject, verdict, not reshaped)
    place = Place(context, subject, chain, result, verdict, [uses.get(id(link.node), []) for link in chain], item if stored else None)
    verdict = place.verdict = read_between(place)
    if verdict.kind != "refuse" and verdict.sync:
        why = why_no_room(context, statement)
        if why:
            verdict = place.verdict = Verdict("refuse", verdict.others, why=f"{verdict.others[0]}, {why}")
    whole = place.alone or mutation.node is statement or subject.kind == "values" or is_stored_into(mutation)
    place.unrecorded = whole and ignored_by_gradients(context, subject)
    as_written = replace(mutation, target=first.target, objects=first.objects)
    only_way = verdict.kind == "refuse" or (bool(verdict.sync) and _is_changed_elsewhere(flow, subject))
    if (verdict.kind == "refuse" or verdict.sync) and is_written_through(context, as_written, place.uses, whole, only_way):
        if any(decides_at_run(link) for one in as_written.objects for link in links(one)):
            decide_when_run(context)
        place = Place(context, as_written, chain, result, Verdict("write", verdict.others), place.uses)
        place.unrecorded = mutation.kind != "function" and not without_gradient(context, statement) and not is_plain_script(context, statement)
        if problem := written(place):
            _report(context, subject, problem)
        return
    if verdict.kind == "refuse" and is_put_through(context, as_written) and not any(decides_at_run(link) for one in as_written.objects for link in links(one)):
        plan_put(context, as_written)
        return
    if verdict.kind != "refuse" and not verdict.sync and loses_gradient(context, subject):
        if problem := plan_put(context, subject):
            _report(context, subject, problem)
        return
    if any(isinstance(step, Again) for step in verdict.sync) and from_before(context, subject):
        verdict = place.verdict = Verdict("refuse", why="what shares its storage would be made again without a gradient")
    if not whole and not is_taken_up(place) and ignored_by_gradients(context, subject) and not all(one.origin in OUTSIDE for one in subject.objects):
        verdict = place.verdict = Verdict("refuse", why="gradients ignore it in torch, and would follow it in MindSpore")
    if verdict.kind == "refuse":
        _report(context, subject, verdict.why)
        return
    problem = written(place) if view is None else write_item(context, mutation, view)
    if problem:
        _report(context, subject, problem)
    elif verdict.sync and not (isinstance(subject.target, ast.Name) and subject.kind == "augmented" and is_counter(context, subject.target)):
        plan_sync(context, statement, verdict.sync, "" if v.is_tensor(context.facts.value(subject.target)) else path(subject.target) or "")


def _is_changed_elsewhere(flow: Flow, mutation: Mutation) -> bool:
    """Whether another place changes the same storage: a name that was bound anew here would not see that, or not be seen."""
    roots = {one.root for one in mutation.objects}
    return any(other.statement is not mutation.statement and any(one.root in roots for one in other.objects) for other in flow.mutations.values())


def _is_used_up(mutation: Mutation, live: Liveness) -> bool:
    """Whether a method's result is all that is left of a tensor, whose name nobody reads again: ``self.actor(state.unsqueeze_(0))``."""
    by_call = mutation.kind == "method" and isinstance(mutation.target, ast.Name) and not (isinstance(mutation.statement, ast.Expr) and mutation.statement.value is mutation.node)
    return by_call and not live.reads(mutation.target.id, mutation.statement)  # type: ignore[attr-defined]


def _is_unknown_item(context: Context, mutation: Mutation) -> bool:
    """``state["step"] += 1``: counted in a mapping, which holds what the assignment makes, be it a number or a tensor."""
    return mutation.kind == "augmented" and isinstance(mutation.target, ast.Subscript) and not v.is_tensor(context.facts.value(mutation.target))


def _is_held_under_text(context: Context, mutation: Mutation) -> bool:
    """``self.sums["all"] += x`` of what is known to be a tensor, in a mapping that comes from outside of the function: who put it there may have it, too."""
    options = v.options(context.facts.value(mutation.target))
    known = mutation.kind == "augmented" and isinstance(mutation.target, ast.Subscript) and bool(options) and all(isinstance(o, v.TensorValue) for o in options)
    return known and any(one.origin == "element" for one in mutation.objects)


def _has_gradient(context: Context, mutation: Mutation, keeping: frozenset[str]) -> bool:
    """Whether a gradient hangs on the tensor, which a new tensor under its name would not have (``w -= lr * w.grad``)."""
    if mutation.kind not in ("augmented", "method") or not isinstance(mutation.target, ast.Name):
        return False
    options = [o for o in v.options(context.facts.value(mutation.target)) if isinstance(o, v.TensorValue)]
    return mutation.target.id in keeping or (bool(options) and all(o.parameter for o in options))


def _chain(flow: Flow, mutation: Mutation) -> list[Mutation]:
    """The changes that follow each other on one tensor, the last first."""
    found = [mutation]
    while mutation.kind == "method" and isinstance(mutation.target, ast.Call):
        inner = flow.mutations.get(id(mutation.target))
        if inner is None or inner.kind != "method":
            break
        mutation = inner
        found.append(mutation)
    return found


def _without_basic_indices(mutation: Mutation) -> Mutation:
    """``x[0][1] = v`` stores into x in every mode, as ``x[0]`` is taken from it for that moment only."""
    while mutation.kind in ("item", "row") and isinstance(mutation.target, ast.Subscript):
        if not _is_region_of(mutation, mutation.target):
            break
        bases = frozenset(one.base for one in mutation.objects if one.base is not None)
        mutation = replace(mutation, target=mutation.target.value, objects=bases)
    return mutation


def _of_base(mutation: Mutation) -> Mutation:
    """A change of ``x.view(-1)`` as a change of x."""
    if isinstance(mutation.target, ast.Call) and isinstance(mutation.target.func, ast.Attribute):
        bases = frozenset(one.base for one in mutation.objects if one.base is not None)
        return replace(mutation, target=mutation.target.func.value, objects=bases)
    return mutation


def _is_stored(mutation: Mutation, statement: ast.stmt) -> bool:
    """Whether a statement changes part of a tensor, or a view that has no name: ``x[0].mul_(2)`` is ``x[0] = x[0] * 2``,
    ``init.zeros_(x[0])`` is ``x[0] = zeros_(x[0])``, ``torch.add(a, b, out=x[0])`` is ``x[0] = a + b``,
    ``x.view(-1).index_add_(0, i, v)`` is ``x[()] = x.view(-1).index_add(0, i, v).reshape(x.shape)``, ``x.select(1, 0).zero_()`` is ``x[:, 0] = 0``."""
    if mutation.kind == "method" and is_indexed(mutation.target) and is_whole_statement(mutation):
        return all(one.relation == "other" and one.expression is mutation.target for one in mutation.objects)
    if mutation.kind == "method" and isinstance(statement, ast.Expr) and statement.value is mutation.node and is_reshaped(mutation.target):
        relations = {(one.relation, one.base is None or one.base.base is None) for one in mutation.objects}
        return relations == {("reshape", True)}
    by_function = mutation.kind == "function" and isinstance(mutation.node, ast.Call) and (mutation.target in mutation.node.args[:1] or _is_out(mutation))
    if not (mutation.kind == "method" or by_function) or not isinstance(mutation.target, ast.Subscript):
        return False
    return (is_whole_statement(mutation) or is_given_back(mutation)) and _is_region_of(mutation, mutation.target) and effect(mutation.target) != "effect"


def _is_region_of(mutation: Mutation, taken: ast.Subscript) -> bool:
    """Whether `taken` takes a region of a tensor: ``rows[1]`` of a list takes a tensor out of it, which may be a region of another one."""
    return bool(mutation.objects) and all(one.relation == "index" and one.expression is taken for one in mutation.objects)


def _is_out(mutation: Mutation) -> bool:
    return isinstance(mutation.node, ast.Call) and any(k.arg == "out" and k.value is mutation.target for k in mutation.node.keywords)


def _undetached(mutation: Mutation) -> Mutation:
    """``x.data.add_(1)`` and ``x.detach().add_(1)`` change x."""
    while mutation.objects and {one.relation for one in mutation.objects} == {"detached"}:
        match mutation.target:
            case ast.Attribute(value=inner) | ast.Call(func=ast.Attribute(value=inner), args=[]):
                bases = frozenset(one.base for one in mutation.objects if one.base is not None)
                mutation = replace(mutation, target=inner, objects=bases, detached=True)
            case _:
                break
    return mutation


def ignored_by_gradients(context: Context, mutation: Mutation) -> bool:
    """Whether a change past autograd is made to a tensor that a gradient may flow through: MindSpore must not record it."""
    if not mutation.detached and mutation.kind != "values":
        return False
    options = [o for o in v.options(context.facts.value(mutation.target)) if isinstance(o, v.TensorValue)]
    return not (options and all(o.parameter for o in options)) and not without_gradient(context, mutation.statement)


def _report(context: Context, mutation: Mutation, why: str) -> None:
    if any(decides_at_run(link) for one in mutation.objects for link in links(one)):
        decide_when_run(context)  # so that at least what is no view in torch changes nothing else
    node = mutation.node if isinstance(mutation.node, (ast.expr, ast.stmt)) else mutation.statement
    text = " ".join(context.file.segment(node).split())
    context.report("MP109", f"`{text}` changes a tensor in place, and {why}: in MindSpore the change does not reach it", node, mark=True)
