"""``holder.state_dict()`` on a value of no known class: MindSpore's cells have the method, too, with other names.

Left as it is, a checkpoint of a batch normalisation would silently have other keys; so the vendored function asks.
So it does where the value may be a module or an optimizer: what goes through a registry or a table of things to save (``{k: v.state_dict() for k, v in to_save.items()}``).
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.receiver import as_first_argument
from mindport.inference import values as v
from mindport.inference.facts import Use

METHODS = ("state_dict", "load_state_dict")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the calls that no use explains, and those that several do, or one for a part of what the value may be."""
    explained = {id(use.node): {each.name for each in same_place} for same_place in uses.values() for use in same_place}
    perhaps = {id(place.node) for place in context.facts.unresolved if any(name.rpartition(".")[0] == MODULE for name in place.candidates)}
    for node in context.file.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in METHODS:
            continue
        owner = node.func.value
        if isinstance(owner, ast.Name) and owner.id in ("self", "cls"):
            continue
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super":
            continue
        named = explained.get(id(node), set()) | explained.get(id(node.func), set())
        unknown = any(isinstance(option, v.Unknown) for option in v.options(context.facts.value(owner)))
        own = not named and id(node) in perhaps  # a module, or an object of the project's that has the method itself
        if own or unknown and not named - {f"{MODULE}.{node.func.attr}"} or len(named) > 1 and f"{MODULE}.{node.func.attr}" in named:
            context.claimed |= {id(node), id(node.func)}
            context.plan(node, lambda n=node: _write(context, n))  # type: ignore[misc]


def _write(context: Context, call: ast.Call) -> None:
    assert isinstance(call.func, ast.Attribute)
    name = context.vendored_name(context.shared.catalog.find(f"{MODULE}.{call.func.attr}_of_unknown")[0])
    as_first_argument(context.editing, call, name, bool(call.args or call.keywords))
