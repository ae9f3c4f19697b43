"""Projects that map functions over batches, or take Jacobians: MindSpore's rules for products and slices, and its unit vectors, are replaced in the vendored module.

Asked for by what knowledge writes for them: an entry that comes down to `ms.vmap`, `ms.jacrev` or `ms.jacfwd`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from mindport.catalog import KnowledgeModule
from mindport.convert.context import Context
from mindport.inference.facts import Use
from mindport.source.walking import walk

RULES = (("mindport.equivalents.mapped_products", "MAPS_PRODUCTS"), ("mindport.equivalents.mapped_slices", "MAPS_SLICES"))
VECTORS = ("mindport.equivalents.unit_vectors", "UNIT_VECTORS_IN_DTYPES")
#: MindSpore's transformations that compute members of a batch at once, with what is set for them.
MAPPING = {"vmap": RULES, "jacrev": (*RULES, VECTORS), "jacfwd": (*RULES, VECTORS)}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have the vendored module set what the project's derivatives and maps need."""
    names = {use.name for same_place in uses.values() for use in same_place}
    entries = [entry for name in names for entry in context.shared.catalog.find(name) if entry.node is not None]
    modules = context.shared.catalog.modules
    wanted = {setting for entry in entries if entry.node is not None for name in _maps(modules, entry.module, entry.node, set()) for setting in MAPPING[name]}
    for knowledge, setting in sorted(wanted):
        context.runs(context.shared.catalog.modules[knowledge], setting)


def _maps(modules: Mapping[str, KnowledgeModule], module: KnowledgeModule, node: ast.AST, seen: set[tuple[str, str]]) -> set[str]:
    """The transformations of MindSpore's that a definition uses, or one that it names, of its module's or of another one of knowledge."""
    found: set[str] = set()
    for inner in walk(node):
        match inner:
            case ast.Attribute(value=ast.Name(id="ms"), attr=name) if name in MAPPING:
                found.add(name)
            case ast.Name(id=name):
                source, own = (module.name, name) if name in module.definitions else module.imports.get(name, ("", ""))
                if source in modules and own in modules[source].definitions and (source, own) not in seen:
                    seen.add((source, own))
                    found |= _maps(modules, modules[source], modules[source].definitions[own], seen)
    return found
