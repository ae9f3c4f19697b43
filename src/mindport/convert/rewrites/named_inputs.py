"""``self.drop(input=x)`` of one of torch's layers: ``self.drop(x)``, as MindSpore's own layers call their inputs otherwise.

What a dictionary brings in the same order is handed on so, too (``layer(**given)``: ``layer(*given.values())``, ``layer(*inputs, **options)`` of one input); where it may not be, it is said.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.effects import effect
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the removal of the names that torch's layers give to their first inputs."""
    for node in context.file.nodes:
        if not isinstance(node, ast.Call) or not node.keywords:
            continue
        if any(isinstance(a, ast.Starred) for a in node.args):
            _plan_passed_on(context, node)
            continue
        names = _inputs(context, node)[len(node.args):]
        if not names:
            continue
        if all(k.arg is not None for k in node.keywords):
            _plan(context, node, names)
        elif len(node.keywords) == 1:
            _plan_spread(context, node, node.keywords[0].value, names)


def _inputs(context: Context, call: ast.Call) -> list[str]:
    """What all the layers that may be called here name their inputs; nothing where something else may be called."""
    found: list[str] | None = None
    for kind in v.options(context.facts.value(call.func)):
        if not isinstance(kind, v.Instance) or not any(e.kind == "layer" for e in context.shared.catalog.find(kind.cls)):
            return []
        forward = torchfacts.member(kind.cls, "forward")
        if forward is None or len(forward.signatures) != 1:
            return []
        names = [p.name for p in forward.signatures[0].parameters if p.kind == "POSITIONAL_OR_KEYWORD" and p.name != "self"]
        if found is not None:
            names = [name for name, other in zip(names, found, strict=False) if name == other]
        found = names
    return found or []


def _plan(context: Context, call: ast.Call, names: list[str]) -> None:
    by_name = {k.arg: k for k in call.keywords}
    moved: list[ast.keyword] = []
    for name in names:
        if name not in by_name:
            break
        moved.append(by_name[name])
    if not moved:
        return
    if moved == call.keywords[: len(moved)]:
        for keyword in moved:
            context.plan(call, lambda k=keyword: _unname(context, k))  # type: ignore[misc]
        return
    start, end = context.editing.span(call.keywords[0])[0], context.editing.span(call.keywords[-1])[1]
    if "#" in context.file.text[start:end] or any(effect(k.value) == "effect" for k in call.keywords):
        context.report("MP103", "a layer's inputs are named in another order: MindSpore's own layers call them otherwise", call, risk="loud")
        return
    rest = [k for k in call.keywords if k not in moved]

    def reordered() -> None:
        texts = [context.editing.current(*context.editing.span(part)) for part in [*(k.value for k in moved), *rest]]
        context.editing.replace(start, end, ", ".join(texts))

    context.plan(call, reordered, last=True)


def _unname(context: Context, keyword: ast.keyword) -> None:
    start = context.editing.span(keyword)[0]
    end = context.editing.span(keyword.value)[0]
    if context.file.text[start:end].replace(" ", "") == f"{keyword.arg}=":  # no brackets around the value
        context.editing.replace(start, end, "")
    else:
        context.editing.replace(start, context.file.text.index("=", start) + 1, "")


def _plan_passed_on(context: Context, call: ast.Call) -> None:
    """``layer(*inputs, **options)`` of a layer with one input: whichever of the two brings it."""
    match call:
        case ast.Call(args=[ast.Starred(value=ast.Name())], keywords=[ast.keyword(arg=None, value=ast.Name() as given) as keyword]) if len(_inputs(context, call)) == 1:
            context.plan(call, lambda: _write_values(context, keyword, given), last=True)


def _write_values(context: Context, keyword: ast.keyword, given: ast.expr) -> None:
    context.editing.replace(*context.editing.span(keyword), f"*{context.editing.current(*context.editing.span(given))}.values()")


def _plan_spread(context: Context, call: ast.Call, given: ast.expr, names: list[str]) -> None:
    mapping = context.facts.value(given)
    if not isinstance(mapping, v.Mapping) or mapping.items is None:
        return
    keys = [key for key, _ in mapping.items]
    if keys and keys == names[: len(keys)] and isinstance(given, (ast.Name, ast.Attribute)):
        keyword = call.keywords[0]
        context.plan(call, lambda: _write_values(context, keyword, given), last=True)
    elif keys and names[0] in keys:
        context.report("MP103", f"a layer's input is named {names[0]} in a dictionary: MindSpore's own layers call it otherwise", call, risk="loud")
