"""``isinstance(m, KINDS)`` with classes that came from elsewhere: the vendored `instance_of` knows either class of a layer."""

from __future__ import annotations

import ast

from mindport.convert.class_identity import checked_elsewhere
from mindport.convert.context import Context
from mindport.convert.rewrites.listed_members import lists_layers
from mindport.convert.scopes import scope_of
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.class_checks"
CHECK = "instance_of"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the check for every `isinstance` whose classes are layers under other names, or may be."""
    checks: list[tuple[ast.Name, set[str]]] = []
    for node in context.file.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            names = checked_elsewhere(context.facts, node, scope_of(context, node))
            if names is not None:
                checks.append((node.func, names))
    if checks and _names_layers(context):
        layers = _layers(context)
        for called, names in checks:
            if not names or names & layers:
                context.plan(called, lambda n=called: _write(context, n))  # type: ignore[misc]


def _names_layers(context: Context) -> bool:
    """Whether the project hands layers' classes on as values: else there is none that a check could mean."""
    layers = _layers(context)
    return any(use.kind == "value" and use.name in layers for _, facts in context.shared.project for use in facts.uses) or context.once(lists_layers)


def _layers(context: Context) -> set[str]:
    return {name for entry in context.shared.catalog.entries if entry.kind == "layer" for name in entry.names}


def _write(context: Context, called: ast.Name) -> None:
    context.editing.replace(*context.editing.span(called), context.definition(KNOWLEDGE, CHECK))
