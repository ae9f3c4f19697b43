"""Whether an equivalent changes a name alone: the same arguments, in the same order, as positional or keyword as they were."""

from __future__ import annotations

import ast

from mindport.convert.decide import Inline
from mindport.convert.site import Site
from mindport.convert.specialise import PREFIX


def is_rename(place: Site, decision: Inline) -> bool:
    """Whether only the callee's (or attribute's) name changes, and no argument."""
    result, binding = decision.result, decision.binding
    if place.call is None:
        return isinstance(result, ast.Attribute) and isinstance(result.value, ast.Name)
    if not isinstance(result, ast.Call):
        return False
    marks = {id(node): PREFIX + name for name, node in binding.given.items()}
    for name, items in binding.extra.items():
        marks |= {id(node): f"{PREFIX}{name}@{index}" for index, node in enumerate(items)}
    for name, keywords in binding.keywords.items():
        marks |= {id(keyword.value): f"{PREFIX}{name}@{index}" for index, keyword in enumerate(keywords)}
    if place.receiver is not None:
        func = result.func
        if not (isinstance(func, ast.Attribute) and _text(func.value) == marks.get(id(place.receiver))):
            return False
    given = [marks.get(id(argument)) for argument in place.args]
    named = {keyword.arg: marks.get(id(keyword.value)) for keyword in place.keywords}
    return [_text(a) for a in result.args] == given and {k.arg: _text(k.value) for k in result.keywords} == named


def _text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
