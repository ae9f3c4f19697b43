"""``holder.state_dict()`` on a value of no known class: MindSpore's cells have the method, too, with other names.

Left as it is, a checkpoint of a batch normalisation would silently have other keys; so the vendored function asks.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.receiver import as_first_argument
from mindport.inference import values as v
from mindport.inference.facts import Use

METHODS = ("state_dict", "load_state_dict")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the calls that no use explains."""
    explained = {id(use.node) for same_place in uses.values() for use in same_place}
    for node in context.file.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in METHODS:
            continue
        owner = node.func.value
        if id(node) in explained or id(node.func) in explained or (isinstance(owner, ast.Name) and owner.id in ("self", "cls")):
            continue
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super":
            continue
        if any(isinstance(option, v.Unknown) for option in v.options(context.facts.value(owner))):
            context.plan(node, lambda n=node: _write(context, n))  # type: ignore[misc]


def _write(context: Context, call: ast.Call) -> None:
    assert isinstance(call.func, ast.Attribute)
    name = context.vendored_name(context.shared.catalog.find(f"{MODULE}.{call.func.attr}_of_unknown")[0])
    as_first_argument(context.editing, call, name, bool(call.args or call.keywords))
