"""``x.max(1)`` where x may be a tensor: ``method(x, "max", max_of_tensor)(1)`` finds out when the program runs.

What means the same on everything that x may be keeps its text. Where a tensor would get something else and no
function stands in for it, the text stays under a finding. So it is where x is a tensor from one caller and from another
an object that has such a member itself (``batch.to(device)`` of a tensor and of the project's Batch).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from mindport.convert.choice import write_choice
from mindport.convert.context import MODULE, Context
from mindport.convert.instances import defines_itself
from mindport.convert.rewrites.complex_modules import CASTS, names_complex
from mindport.convert.training.optimizers import is_called_optimizer
from mindport.convert.unknown_receiver import TENSOR, Fate, fate, says
from mindport.forms import OF_COMPLEX
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Unresolved, Use

#: Members of modules that optimizers and schedulers have as well: training and state have rewrites of their own.
OF_OPTIMIZERS = frozenset(("zero_grad", "step", "state_dict", "load_state_dict"))
PACKED = "torch.nn.utils.rnn.PackedSequence"
#: What training's own rewrites and those of changes in place write.
OF_GRADIENTS = frozenset(("backward", "grad", "grad_fn", "is_leaf", "register_hook", "requires_grad", "retain_grad"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the choice at every place whose receiver's type is unknown, or one of several."""
    shared = context.shared
    unknown = [place for place in context.facts.unresolved if not uses.get((id(place.node), False))]
    for place in (*unknown, *_of_several_kinds(context, uses)):
        node = place.node
        if id(node) in context.claimed or id(node) not in context.parents:
            continue
        of_tensors = any(candidate.startswith(TENSOR + ".") for candidate in place.candidates)
        member = place.text.lstrip(".")
        if not of_tensors and (not isinstance(node, ast.Call) or (member in OF_OPTIMIZERS and place in unknown and not _clears_a_module(context, node))):
            continue
        found = fate(shared.catalog, shared.target, place, context.look, shared.forced)
        if found.kind == "stays":
            continue
        if found.of_cells is not None and CASTS.intersection(place.candidates) and context.once(names_complex):
            forms = shared.catalog.find(f"{MODULE}.{member}{OF_COMPLEX}")
            found = replace(found, of_cells=forms[0] if forms else found.of_cells)
        if uses.get((id(node), False)):
            context.claimed.add(id(node))
        if found.kind == "left" or _is_changed(context, node):
            why = f"{says(place)}; {found.why}" if found.why else says(place)
            context.report("MP105", why, node, api=place.candidates[0], risk=found.risk, certainty="likely", mark=found.risk == "silent")
            continue
        context.report("MP105", f"{says(place)}; what it is decides when the program runs", node, api=place.candidates[0], risk="style", certainty="likely")
        context.plan(node, lambda p=place, f=found: _write(context, p, f))  # type: ignore[misc]


def _of_several_kinds(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> Iterator[Unresolved]:
    """Members of tensors where the receiver may also be an object that has one of this name itself, and of modules where it is used as an optimizer is
    (`build` of one registry class makes models, losses and optimizers)."""
    for same_place in uses.values():
        use = same_place[0]
        names = sorted({u.name for u in same_place if not u.name.startswith(f"{PACKED}.")}, reverse=True)
        owners, member = {name.rpartition(".")[0] for name in names}, use.name.rpartition(".")[2]
        if owners == {MODULE} and member == "zero_grad" and _may_be_optimizer(context, use):
            yield Unresolved(use.node, f".{member}", tuple(names), "from some callers it is a module, from others nothing is known of it", use.scope)
        if TENSOR not in owners or not owners <= {TENSOR, MODULE} or use.kind not in ("method", "attribute") or use.certainty == "certain" or member in OF_GRADIENTS or member.endswith("_"):
            continue
        part = use.node.func if isinstance(use.node, ast.Call) else use.node
        if isinstance(part, ast.Attribute) and (others := sorted({_class(o) for o in v.options(context.facts.value(part.value)) if _has_itself(o, member)})):
            yield Unresolved(use.node, f".{member}", tuple(names), f"from some callers it is {', '.join(others)}", use.scope)


def _has_itself(value: v.Value, member: str) -> bool:
    return defines_itself(value, member) or isinstance(value, v.Instance) and value.cls == PACKED and (member == "data" or torchfacts.member(PACKED, member) is not None)


def _class(value: v.Value) -> str:
    return value.cls.scope.name if isinstance(value, v.ProjectInstance) else PACKED


def _clears_a_module(context: Context, node: ast.Call) -> bool:
    """Whether it is ``x.zero_grad()`` of an x that neither its name nor a ``x.step()`` of the file shows to be an optimizer: MindSpore's cells have no such method."""
    match node:
        case ast.Call(func=ast.Attribute(value=receiver, attr="zero_grad")):
            return not _is_used_as_optimizer(context, receiver)
    return False


def _may_be_optimizer(context: Context, use: Use) -> bool:
    match use.node:
        case ast.Call(func=ast.Attribute(value=receiver)):
            return any(isinstance(o, v.Unknown) for o in v.options(context.facts.value(receiver))) and _is_used_as_optimizer(context, receiver)
    return False


def _is_used_as_optimizer(context: Context, receiver: ast.expr) -> bool:
    text = ast.unparse(receiver)
    steps = (n.func.value for n in context.file.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "step")
    return is_called_optimizer(receiver) or "optim" in text.lower() or any(ast.unparse(stepping) == text for stepping in steps)


def _is_changed(context: Context, node: ast.expr) -> bool:
    """Whether the place is assigned or deleted: a choice gives a value, no place."""
    parent = context.parents.get(id(node))
    return isinstance(getattr(node, "ctx", ast.Load()), (ast.Store, ast.Del)) or (isinstance(parent, ast.AugAssign) and parent.target is node)


def _write(context: Context, place: Unresolved, found: Fate) -> None:
    node, editing = place.node, context.editing
    member = node.func if isinstance(node, ast.Call) else node
    assert isinstance(member, ast.Attribute)
    wanted: Literal["method", "attribute"] = "method" if isinstance(node, ast.Call) else "attribute"
    write_choice(context, node, member, wanted, found.entry, found.of_cells)
    use = Use(node, place.candidates[0], wanted, "likely", place.scope)
    context.record(use, "vendored", context.file.segment(node), editing.current(*editing.span(node)), found.entry or found.of_cells, place.why)
