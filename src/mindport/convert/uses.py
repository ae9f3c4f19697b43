"""Converts one use of an API at its site."""

from __future__ import annotations

import ast

from mindport.catalog import Entry
from mindport.convert import decorators, replaced_methods
from mindport.convert.bound_methods import bound_method
from mindport.convert.carried import shown
from mindport.convert.checks import beside_plain
from mindport.convert.choice import write_choice
from mindport.convert.context import MODULE, Context
from mindport.convert.decide import (
    Inline,
    Leave,
    Vendor,
    decide,
    is_plain,
    mindspore_base,
    only_renames,
    underivable,
)
from mindport.convert.dropped_values import goes_nowhere
from mindport.convert.effects import effect
from mindport.convert.inline import write_inline
from mindport.convert.members import lacks, own_member
from mindport.convert.module_values import namespace
from mindport.convert.overloads import call_later, chosen_later, named_later
from mindport.convert.read_attributes import computes_itself, needs_vendored, unanswered
from mindport.convert.receiver import as_first_argument, split
from mindport.convert.site import Site, collected_keyword, renamed_keywords, site, written_out
from mindport.convert.specialise import PREFIX
from mindport.convert.told_differences import report_differences
from mindport.declare import Layout
from mindport.evidence import layer_attributes
from mindport.forms import public
from mindport.inference import values as v
from mindport.inference.facts import Use


def convert_use(context: Context, use: Use) -> None:
    """Plan the edits for one use, and note what became of it."""
    match use.kind:
        case "type" | "check" | "value" | "base":
            _name(context, use)
        case "decorator" if (identity := decorators.identity(context, use)) is not None:
            entry, binding = identity
            report_differences(context, use, entry, binding)
            decorators.remove(context, use)
            context.record(use, "removed", "@" + context.file.segment(use.node), "", entry)
        case "decorator" if not isinstance(use.node, ast.Call):
            _name(context, use)
        case "attribute" | "store":
            _attribute(context, use)
        case "with" if not isinstance(use.node, ast.Call):
            _name(context, use)
        case _:
            _call(context, use)


# -- calls -------------------------------------------------------------------------------


def _call(context: Context, use: Use) -> None:
    place = site(use)
    if _member(context, use, place):
        return
    decision = decide(context.shared.catalog, place, context.look, context.shared.forced)
    old = context.file.segment(use.node)
    if isinstance(decision, Leave):
        if decision.code != "MP106" or not call_later(context, use, context.shared.catalog.find(use.name)):
            _leave(context, use, decision)
        return
    binding = decision.binding or written_out(place, decision.entry)
    report_differences(context, use, decision.entry, binding, shown(place, decision.entry, context.look, context.facts.value), isinstance(decision, Vendor))
    _report_evidence(context, use, decision.entry)
    why = decision.why if isinstance(decision, Vendor) else ""
    if isinstance(decision, Inline) and place.call is not None and context.is_replaced(place.call.func):
        why = "other files put something of their own under the name"
    elif isinstance(decision, Inline):
        if _remove_statement(context, use, place, decision):
            return
        written = write_inline(context.writer, place, decision.entry, decision.binding, decision.result)
        if isinstance(written, str):
            start, end = context.editing.span(use.node)
            context.record(use, written, old, context.editing.current(start, end), decision.entry)  # type: ignore[arg-type]
            return
        why = written.why
    _vendor(context, use, place, decision.entry, why)


def _member(context: Context, use: Use, place: Site) -> bool:
    """What a vendored class has itself keeps its text; what is declared about it is said all the same."""
    member = own_member(context.shared.catalog, use)
    if member is None:
        return False
    if member.misfit:
        _leave(context, use, Leave("MP106", member.misfit, member.entry))
        return True
    if any(e.kind in ("function", "attribute") for e in context.shared.catalog.find(use.name)):
        decision = decide(context.shared.catalog, place, context.look, context.shared.forced)
        if isinstance(decision, Leave) and decision.code == "MP102":
            _leave(context, use, decision)
            return True
        if not isinstance(decision, Leave):
            report_differences(context, use, decision.entry, decision.binding)
    old = context.file.segment(use.node)
    context.record(use, "same", old, old, member.entry)
    return True


def _remove_statement(context: Context, use: Use, place: Site, decision: Inline) -> bool:
    """A statement whose call leaves nothing to do is removed."""
    parent = context.parents.get(id(use.node))
    trivial = isinstance(decision.result, ast.Constant) or (
        isinstance(decision.result, ast.Name) and decision.result.id.startswith(PREFIX)
    )
    arguments = [*place.args, *(k.value for k in place.keywords)]
    if not isinstance(parent, ast.Expr) or not trivial or any(effect(a) == "effect" for a in arguments):
        return False
    context.remove(parent)
    context.record(use, "removed", context.file.segment(use.node), "", decision.entry)
    return True


def _vendor(context: Context, use: Use, place: Site, entry: Entry, why: str) -> None:
    call, editing = place.call, context.editing
    name = context.called_name(call.func, entry) if call is not None else context.vendored_name(entry)
    old = context.file.segment(use.node)
    if call is None:  # an attribute: x.T → T(x)
        assert isinstance(use.node, ast.Attribute)
        receiver, between = split(editing, use.node)
        editing.replace(*editing.span(use.node), f"{name}({receiver}{between})")
    elif _may_be_overridden(context, use):  # self.foo(a), where classes below define foo
        assert isinstance(call.func, ast.Attribute)
        write_choice(context, call, call.func, "method", None, entry)
    elif place.receiver is not None:  # a method: x.foo(a) → foo(x, a)
        as_first_argument(editing, call, named_later(context, use, name), bool(call.args or call.keywords))
    else:
        editing.replace(*editing.span(call.func), named_later(context, use, name))
    for keyword, parameter in renamed_keywords(place, entry):
        start, _ = editing.span(keyword)
        editing.replace(start, start + len(keyword.arg or ""), parameter)
    if (sizes := collected_keyword(place, entry)) is not None:
        start, _ = editing.span(sizes)
        first = call is not None and not call.args and call.keywords[0] is sizes
        editing.replace(start, editing.span(sizes.value)[0], "" if first else "*")
    start, end = editing.span(use.node)
    context.record(use, "vendored", old, editing.current(start, end), entry, why)


def _may_be_overridden(context: Context, use: Use) -> bool:
    """Whether a method of torch's Module is called on what may be of a class that defines it: on self, or on one of several things."""
    owner, _, name = use.name.rpartition(".")
    func = use.node.func if isinstance(use.node, ast.Call) else None
    if owner != MODULE or not isinstance(func, ast.Attribute) or name not in context.shared.defined_by_modules:
        return False
    on_itself = isinstance(func.value, ast.Name) and func.value.id == "self"
    kinds = v.options(context.facts.value(func))
    return on_itself or any(isinstance(kind, v.Bound) and isinstance(kind.function, v.ProjectFunction) for kind in kinds)


def _report_evidence(context: Context, use: Use, entry: Entry) -> None:
    """Say once an API where no run, or a run over part of the samples only, stands behind the equivalent."""
    status = context.shared.status(entry)
    if entry.kind == "constant" or entry.hands_back or status in ("", "verified") or (use.name, status) in context.shared.told or (use.kind == "attribute" and goes_nowhere(context, use.node)):
        return
    context.shared.told.add((use.name, status))
    if status == "partial":
        message = f"the equivalent of {use.name} agrees with torch on part of the samples; `mindport api {use.name}` lists the others"
        context.report("MP110", message, use.node, api=use.name, certainty="likely")
    else:
        context.report("MP104", f"no run confirms the equivalent of {use.name} here", use.node, api=use.name, risk="style")


# -- names -------------------------------------------------------------------------------


def _name(context: Context, use: Use) -> None:
    """A class or function named without being called: as a value, base, annotation or isinstance check."""
    entries = context.shared.catalog.find(use.name)
    old = context.file.segment(use.node)
    known = [e for e in entries if e.kind != "absent"]
    if not known and (stand_in := namespace(context, use, written)) is not None:
        context.editing.replace(*context.editing.span(use.node), stand_in)
        context.record(use, "rewritten", old, stand_in)
        return
    if not known:
        why = entries[0].why if entries else f"no equivalent of {use.name} is known"
        _leave(context, use, Leave("MP101", why))
        return
    constant = next((e for e in known if e.kind == "constant"), None)
    entry = constant or known[0]
    if use.kind == "base" and entry.kind == "function":
        _leave(context, use, Leave("MP102", underivable(use.name), entry))
        return
    expression = entry.expression if constant else None
    if entry.kind == "layer":
        standing_in = is_plain(entry) if use.kind == "base" else use.kind in ("check", "type") and mindspore_base(entry) is not None
        forced = bool(context.shared.forced.intersection(entry.names)) and use.kind == "check"
        if (standing_in and not forced) or only_renames(entry):
            expression = mindspore_base(entry)
    elif constant is None and len(known) > 1 and (later := chosen_later(context, use, known)) is not None:
        context.editing.replace(*context.editing.span(use.node), later)
        context.record(use, "vendored", old, later, entry)
        return
    elif constant is None and len(known) > 1:
        _leave(context, use, Leave("MP106", f"which overload of {use.name} is meant shows only where it is called", entry))
        return
    if use.kind == "base" or (use.kind == "check" and constant and not beside_plain(context, use, entry)):
        report_differences(context, use, entry, None)
    if use.kind == "value" and entry.kind in ("function", "layer"):
        report_differences(context, use, entry, None)
    if expression is None:
        name = context.called_name(use.node, entry)
        new = named_later(context, use, name) if entry.kind == "function" else name
        strategy = "vendored"
    elif isinstance(expression, ast.Name) and expression.id in entry.module.definitions:
        new = context.definition(entry.module.name, expression.id)
        strategy = "vendored"
    else:
        new = written(context, entry, expression)
        strategy = "constant" if constant else "renamed"
    context.editing.replace(*context.editing.span(use.node), new)
    context.record(use, "same" if new == old else strategy, old, new, entry)  # type: ignore[arg-type]


def written(context: Context, entry: Entry, expression: ast.expr) -> str:
    """A knowledge file's expression under the user file's import names."""
    text = ast.unparse(expression)
    for node in ast.walk(expression):
        if isinstance(node, ast.Name) and node.id in entry.module.imports:
            module, name = entry.module.imports[node.id]
            local = context.imports.local(module, name, node.id)
            if local != node.id:
                text = text.replace(node.id, local, 1)
    return text


# -- attributes --------------------------------------------------------------------------


def _deleted(context: Context, node: ast.Attribute) -> None:
    """``del p.grad`` → ``p.grad = None``, which it means; what is read for an attribute can't be deleted."""
    statement = context.parents.get(id(node))
    if isinstance(statement, ast.Delete) and len(statement.targets) == 1:
        start, end = context.editing.span(statement)
        context.editing.replace(start, end, f"{context.editing.current(*context.editing.span(node))} = None")


def _attribute(context: Context, use: Use) -> None:
    if replaced_methods.is_replaced(context, use):
        _replaced(context, use)
        return
    if _member(context, use, site(use)):
        return
    if isinstance(use.node, ast.Attribute) and isinstance(use.node.ctx, ast.Del):
        _deleted(context, use.node)
        return
    if use.kind == "attribute" and any(e.kind in ("attribute", "function", "absent") for e in context.shared.catalog.find(use.name)):
        if any(e.kind == "function" for e in context.shared.catalog.find(use.name)):
            _bound_method(context, use)
        else:
            _call(context, use)
        return
    found = context.shared.catalog.layer_attribute(use.name)
    if found is None:
        if use.kind == "attribute":
            _leave(context, use, Leave("MP101", f"no equivalent of {use.name} is known"))
        return
    entry, attribute = found
    outcome = layer_attributes.outcome(use.name, set_later=use.kind == "store")
    if layer_attributes.is_lost(outcome) and not computes_itself(context.facts, use) or lacks(context.shared.catalog, entry, use):
        _leave(context, use, Leave("MP101", unanswered(entry.name, attribute, use.kind), entry))
        return
    if needs_vendored(outcome):  # the layer's class is the vendored one, with torch's names
        old = context.file.segment(use.node)
        context.record(use, "same", old, old, entry)
        return
    if outcome == "filled" and context.shared.unfilled.intersection(entry.names):
        context.report("MP103", f"{use.name} is a tensor also where torch has None (affine=False)", use.node, api=use.name, certainty="likely")
    if attribute in entry.state and entry.state[attribute] is None and outcome != "plain":
        _leave(context, use, Leave("MP101", f"MindSpore keeps no {attribute} for {entry.name}", entry))
        return
    stored = entry.state.get(attribute)
    name = stored.name if isinstance(stored, Layout) else stored or entry.attributes.get(attribute, attribute)
    if isinstance(stored, Layout):
        context.report("MP103", f"{use.name} has an axis of length 1 more in MindSpore", use.node, api=use.name)
    assert isinstance(use.node, ast.Attribute)
    end = context.editing.span(use.node)[1]
    old = context.file.segment(use.node)
    if name != attribute:
        context.editing.replace(end - len(attribute), end, name)
    context.record(use, "same" if name == attribute else "renamed", old, old[: -len(attribute)] + name, entry)


def _replaced(context: Context, use: Use) -> None:
    """``torch.Tensor.cuda = f``: told; what does nothing goes."""
    statement = replaced_methods.needless(context, use)
    if statement is None:
        assert isinstance(use.node, ast.Attribute)
        reroot(context, use.node, use.name)
        _leave(context, use, Leave("MP101", replaced_methods.WHY))
        return
    context.remove(statement)
    context.record(use, "removed", context.file.segment(statement))


def _bound_method(context: Context, use: Use) -> None:
    """``x.relu`` read without a call: its equivalent, bound to the object (``partial(relu, x)``); of what is only expected to be a tensor that is decided when the program runs."""
    entry = bound_method(context.shared.catalog, use)
    if entry is not None:
        assert isinstance(use.node, ast.Attribute)
        old, receiver = context.file.segment(use.node), context.editing.current(*context.editing.span(use.node.value))
        if use.certainty == "likely" and use.name.startswith("torch.Tensor."):  # ``batch.size`` of what a loader gives may be a field
            write_choice(context, use.node, use.node, "method", entry, None)
        else:
            partial = context.imports.local("functools", "partial", "partial")
            context.editing.replace(*context.editing.span(use.node), f"{partial}({context.vendored_name(entry)}, {receiver})")
        context.record(use, "vendored", old, context.editing.current(*context.editing.span(use.node)), entry)
        report_differences(context, use, entry, None)
        return
    _leave(context, use, Leave("MP107", f"{use.name} is read without being called; write a lambda that calls it"))


# -- what stays --------------------------------------------------------------------------


def _leave(context: Context, use: Use, decision: Leave) -> None:
    """Keep the text under a comment; a torch name is re-rooted at the leftover name."""
    node = use.node.func if isinstance(use.node, ast.Call) else use.node
    name = public(use.name)
    if use.kind not in ("method", "attribute", "store"):
        reroot(context, node, name)
    mark = use.kind not in ("type",)
    risk = "style" if use.kind == "type" else None
    context.report(decision.code, f"{name}: {decision.why}", use.node, api=name, certainty=use.certainty, mark=mark, risk=risk)  # type: ignore[arg-type]
    old = context.file.segment(use.node)
    context.record(use, "unconverted", old, "", decision.entry, decision.why)


def stays(context: Context, use: Use) -> None:
    """A call that a rewrite leaves as it is: its torch name is re-rooted, a method's object is the user's."""
    if isinstance(use.node, ast.Call) and use.kind == "call":
        func = use.node.func
        context.plan(func, lambda: reroot(context, func, use.name))


def reroot(context: Context, node: ast.expr, name: str) -> None:
    """Write a leftover torch name under the name that raises when it is used."""
    if name.split(".")[0] != "torch":
        while isinstance(node, ast.Attribute):
            node = node.value
        if isinstance(node, ast.Name):
            context.left_names.add(node.id)
        return  # another library's: its own import stays
    leftover = context.leftover()
    context.editing.replace(*context.editing.span(node), leftover + name[len("torch") :])
