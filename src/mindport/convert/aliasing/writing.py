"""Plans the text of one in-place operation, once it is decided who sees it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from mindport.convert.aliasing.augmented import augmented
from mindport.convert.aliasing.bound_before import bind_before, may_be_bound_before
from mindport.convert.aliasing.first_layers import write_first
from mindport.convert.aliasing.functional_form import functional
from mindport.convert.aliasing.given_memory import KNOWLEDGE as GIVEN
from mindport.convert.aliasing.inplace_layers import InPlaceLayers
from mindport.convert.aliasing.kept_dtypes import gives_dtype_of, same_dtype
from mindport.convert.aliasing.objects import path
from mindport.convert.aliasing.past_gradients import is_taken_up, taken_up
from mindport.convert.aliasing.place import Place, leave_detached, prefix
from mindport.convert.aliasing.regions import without_gradient
from mindport.convert.aliasing.several_values import write_several
from mindport.convert.aliasing.stored import store_item
from mindport.convert.aliasing.synchronise import is_whole_body, why_no_block
from mindport.convert.aliasing.where_asked import asked_by, write_where_asked
from mindport.convert.context import Context
from mindport.convert.uses import convert_use
from mindport.forms import AS_OUT
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays import storage

COPY = "torch.Tensor.copy_"


def written(place: Place) -> str:
    """Plan the edits; a sentence where the operation can't be written so that all holders see it."""
    if place.item is not None and _out(place) is not None:
        return _function(place)
    if place.item is not None:
        problem = store_item(place, place.item)
        return problem or (_unrecorded(place) if place.mutation.detached or place.unrecorded else "")
    if place.unrecorded and (why := why_no_block(place.context, place.mutation.statement)):
        return why
    if is_taken_up(place):
        return taken_up(place)
    if place.mutation.detached:
        leave_detached(place)
        if place.mutation.kind == "item":
            return _unrecorded(place)
    kinds: dict[str, Callable[[Place], str]] = {"method": _method, "function": _function, "augmented": augmented, "layer": _layer, "values": _values}
    problem = kinds.get(place.mutation.kind, lambda _: "")(place)
    return problem or (_unrecorded(place) if place.unrecorded else "")


# -- methods -----------------------------------------------------------------------------


def _method(place: Place) -> str:
    context = place.context
    shapes = [use for uses in place.uses for use in uses if use.name.rpartition(".")[2] in storage.SHAPE_ONLY]
    if any(len(uses) != 1 for uses in place.uses):
        return ""
    if place.verdict.kind == "write" or place.mutation.detached:
        if shapes and place.verdict.kind == "write":
            return bind_before(place) if may_be_bound_before(place) else f"{place.verdict.others[0]}"
        return ""  # the vendored functions write into the tensor
    name = place.name
    if place.alone and not isinstance(place.mutation.target, ast.Name) and not (shapes and isinstance(place.mutation.target, ast.Attribute) and name):
        if shapes:
            return "it has no name that could be bound to the result"
        return ""
    plain = [functional(context, uses[0]) for uses in place.uses]
    if any(one is None for one in plain):
        return "its shape is changed, too" if shapes else ""
    for one, uses in zip(plain, place.uses, strict=True):
        assert one is not None
        context.claimed.add(id(uses[0].node))
        context.plan(uses[0].node, one)
    if place.alone:
        context.plan(place.mutation.statement, lambda: prefix(place, f"{name} = "), last=True)
    return ""


# -- functions, layers, augmented assignments --------------------------------------------


def _function(place: Place) -> str:
    node = place.chain[0].node
    assert isinstance(node, ast.Call)
    out = _out(place)
    if out is None:
        return ""  # a vendored function or an initializer: both write into the tensor
    if isinstance(out.value, (ast.Tuple, ast.List)):
        return "it writes into several tensors: assign its results to them"
    uses = place.uses[0]
    if _reduces(place.context, uses) and any(path(part) == path(out.value) is not None for part in node.args):
        return "torch gives it the result's shape before it is read: give it another tensor to write into"
    if len(uses) != 1:
        return "what is called shows only at run time"
    context = place.context
    previous = [n for n in [*node.args, *(k.value for k in node.keywords)] if _before(n, out.value)]
    start, end = context.editing.span(out)
    if previous:
        start = max(context.editing.span(part)[1] for part in previous)
    elif following := [k for k in node.keywords if k is not out]:
        end = min(context.editing.span(part)[0] for part in following)  # the comma after it goes, too
    if "#" in context.file.text[start:end]:
        alone = _argument_alone(context, out)
        if alone is None:
            return "a comment stands between the argument out and its comma"
        start, end = alone
    context.claimed.add(id(node))
    bound = place.item is not None or place.verdict.kind == "rebind" and place.alone and isinstance(out.value, ast.Name) and same_dtype(context, out.value, node.args)
    cast = bound and place.item is None and not gives_dtype_of(context, node, out.value)
    context.plan(node, lambda: _without_out(place, uses[0], node, out, (start, end), not bound, cast))
    if bound:
        taker = [place.name]
        if place.item is not None:
            item = place.item
            context.plan(item, lambda: taker.__setitem__(0, context.editing.current(*context.editing.span(item))), last=True)
        context.plan(place.mutation.statement, lambda: prefix(place, f"{taker[0]} = "), last=True)
    return ""


def _reduces(context: Context, uses: list[Use]) -> bool:
    """Whether a function takes axes away into one tensor: it can be asked to keep them. With an `other` (max) it gives a pair, or compares two tensors."""
    signatures = [entry.arguments for use in uses for entry in context.shared.catalog.find(use.name) if entry.arguments is not None]
    names = [{argument.arg for argument in (*signature.args, *signature.kwonlyargs)} for signature in signatures]
    return any("keepdim" in one and "other" not in one for one in names)


def _out(place: Place) -> ast.keyword | None:
    """The argument `out` of the call that is changed by."""
    node = place.chain[0].node
    return next((k for k in node.keywords if k.arg == "out"), None) if isinstance(node, ast.Call) else None


def _argument_alone(context: Context, out: ast.keyword) -> tuple[int, int] | None:
    """The span of the argument and of the comma right behind it: comments beside it stay, and so does the comma before."""
    start, end = context.editing.span(out)
    text = context.file.text
    if comma := re.compile(r"\s*,").match(text, end):
        return start, comma.end()
    return None if re.compile(r"(\s*#[^\n]*\n)+\s*,").match(text, end) else (start, end)


def _before(a: ast.expr, b: ast.expr) -> bool:
    return (a.lineno, a.col_offset) < (b.lineno, b.col_offset)


def _without_out(place: Place, use: Use, node: ast.Call, out: ast.keyword, taken: tuple[int, int], wrapped: bool, cast: bool) -> None:
    """``torch.add(a, b, out=c)`` → ``copy_(c, a + b)``, or ``c = a + b`` where c has no other holder, ``c = (a + b).astype(c.dtype)`` where its dtype may be another."""
    context = place.context
    target = context.editing.current(*context.editing.span(out.value))
    context.editing.replace(*taken, "")
    node.keywords.remove(out)
    try:
        convert_use(context, use)
    finally:
        node.keywords.append(out)
    if wrapped:
        _wrap(place, node, target, COPY if _has_size(context, out.value) else COPY + AS_OUT)
    elif cast:
        start, end = context.editing.span(node)
        text = context.editing.current(start, end)
        if not isinstance(ast.parse(f"({text})", mode="eval").body, (ast.Call, ast.Name, ast.Attribute, ast.Subscript)):
            text = f"({text})"
        context.editing.replace(start, end, f"{text}.astype({target}.dtype)")


def _values(place: Place) -> str:
    """``x.data = y``: the tensor takes the values of y."""
    context, statement = place.context, place.mutation.statement
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return "other targets are assigned with it"
    if not isinstance(statement.targets[0], ast.Attribute):
        return write_several(context, statement)
    target = place.mutation.target

    def work() -> None:
        texts = [context.editing.current(*context.editing.span(part)) for part in (target, statement.value)]
        context.editing.replace(*context.editing.span(statement), f"{context.definition(GIVEN, 'take_values')}({texts[0]}, {texts[1]})")

    context.plan(statement, work, last=True)
    return ""


def _unrecorded(place: Place) -> str:
    """``p.data[0] = v`` → ``with no_grad(): p[0] = v``: where gradients are recorded MindSpore writes a parameter's item elsewhere.

    And ``x.data.mul_(2)`` → ``with no_grad(): mul_(x, 2)``: recorded, the change would have a gradient.
    """
    context, statement = place.context, place.mutation.statement
    if without_gradient(context, statement):
        return ""
    why = why_no_block(context, statement)
    if why:
        return why
    entry = context.shared.catalog.find("torch.no_grad")[0]
    opens = is_whole_body(context, statement)

    def work() -> None:
        start, end = context.editing.span(statement)
        indent = context.editing.indent(start) + ("    " if opens else "")
        text = context.editing.current(start, end).replace("\n", "\n    ")
        block = f"with {context.vendored_name(entry)}():\n{indent}    {text}"
        if opens:
            start -= context.editing.text[start - 1] == " "
            block = f"\n{indent}{block}"
        context.editing.replace(start, end, block)

    context.plan(statement, work, last=True)
    return ""


def _has_size(context: Context, target: ast.expr) -> bool:
    """Whether a tensor has elements, for all that is known: torch gives an `out` without any the size of the result."""
    options = v.options(context.facts.value(target))
    return all(isinstance(option, v.TensorValue) and option.shape is not None and 0 not in option.shape and None not in option.shape for option in options)


def _wrap(place: Place, node: ast.expr, target: str, name: str = COPY) -> None:
    """``value`` → ``copy_(target, value)``."""
    context = place.context
    entry = context.shared.catalog.find(name)[0]
    start, end = context.editing.span(node)
    context.editing.replace(start, end, f"{context.vendored_name(entry)}({target}, {context.editing.current(start, end)})")


def _layer(place: Place) -> str:
    """A layer or function that was asked to overwrite its input."""
    context, verdict, name = place.context, place.verdict, place.name
    node = place.chain[0].node
    assert isinstance(node, ast.expr)
    statement = place.mutation.statement
    if (verdict.kind != "rebind" or place.alone) and isinstance(node, ast.Call) and InPlaceLayers(context.facts).at_call(node) == "maybe":
        return "whether the layer overwrites its input shows only when it is made"
    if isinstance(node, ast.Call) and (first := InPlaceLayers(context.facts).first_of_several(node)) is not None:
        return write_first(context, node, first, verdict, name, place.alone)
    asked = asked_by(node, place.uses[0][0].name) if place.uses[0] else None
    if asked is not None and not (verdict.kind == "rebind" and not place.alone):
        return write_where_asked(context, node, asked, name)
    if verdict.kind == "rebind":
        if place.alone and name is not None:
            context.plan(statement, lambda: prefix(place, f"{name} = "), last=True)
        return ""
    if name is None:
        return verdict.others[0]
    only_me = verdict.names == [name] and isinstance(place.mutation.target, ast.Name)
    if only_me and isinstance(statement, ast.Assign) and statement.value is node:
        context.plan(node, lambda: context.editing.replace(*context.editing.span(node), f"{name} = " + context.editing.current(*context.editing.span(node))), last=True)
        return ""
    context.plan(node, lambda: _wrap(place, node, name), last=True)
    return ""
