"""``F.mse_loss(x, y, size_average=False)``: torch's first words for `reduction` and its values, written as now before anything else looks."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.facts import Use

#: Both are true where they are not given.
OLD = ("size_average", "reduce")
#: What torch 0.4.1 called "mean", and torch still takes.
OLD_MEAN = "elementwise_mean"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give calls of losses `reduction` in place of the old keywords, and its present value, where these are literals."""
    for same_place in uses.values():
        use = same_place[0]
        if not isinstance(use.node, ast.Call) or not _takes_both(context, use.name):
            continue
        for keyword in use.node.keywords:
            if hasattr(keyword, "new_text"):  # the tree is as the first pass over the project left it
                context.editing.replace(*context.editing.span(keyword), keyword.new_text)
        for keyword in use.node.keywords:
            if keyword.arg == "reduction" and isinstance(keyword.value, ast.Constant) and keyword.value.value == OLD_MEAN:
                _become(context, keyword, "reduction", "mean")
        old = [k for k in use.node.keywords if k.arg in OLD]
        if not old or not all(isinstance(k.value, ast.Constant) for k in old):
            continue
        given = [k for k in use.node.keywords if k.arg == "reduction"]
        if not given or any(isinstance(k.value, ast.Constant) and k.value.value is not None for k in old):
            _write(context, given + old)  # where an old word says something, torch does not ask for `reduction`


def _takes_both(context: Context, name: str) -> bool:
    for entry in context.shared.catalog.find(name):
        names = {a.arg for a in entry.arguments.args} if entry.arguments is not None else set()
        if {"reduction", *OLD} <= names:
            return True
    return False


def _write(context: Context, keywords: list[ast.keyword]) -> None:
    """The first keyword becomes `reduction`; a second one says nothing any more. torch asks for their truth: ``reduce="none"`` is the mean."""
    said = {k.arg: k.value.value for k in keywords if isinstance(k.value, ast.Constant)}
    averaged, reduced = (said.get(word) is None or bool(said[word]) for word in OLD)
    first, *rest = keywords
    _become(context, first, "reduction", ("mean" if averaged else "sum") if reduced else "none")
    for keyword in rest:
        _become(context, keyword, str(keyword.arg), None)


def _become(context: Context, keyword: ast.keyword, name: str, value: str | None) -> None:
    text = f"{name}={value!r}".replace("'", '"')
    context.editing.replace(*context.editing.span(keyword), text)
    keyword.new_text = text  # type: ignore[attr-defined]
    keyword.arg = name
    keyword.value = ast.copy_location(ast.Constant(value), keyword.value)
