"""Projects that map functions over batches, or take Jacobians: MindSpore's rule for products is replaced in the vendored module.

Asked for by what knowledge writes for them: an entry that comes down to `ms.vmap`, `ms.jacrev` or `ms.jacfwd`.
"""

from __future__ import annotations

import ast

from mindport.catalog import KnowledgeModule
from mindport.convert.context import Context
from mindport.inference.facts import Use
from mindport.source.walking import walk

KNOWLEDGE = "mindport.equivalents.mapped_products"
SETTING = "MAPS_PRODUCTS"
#: MindSpore's transformations that compute members of a batch at once.
MAPPING = frozenset(("vmap", "jacrev", "jacfwd"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have the vendored module register the rule."""
    names = {use.name for same_place in uses.values() for use in same_place}
    for name in names:
        for entry in context.shared.catalog.find(name):
            if entry.node is not None and _maps(entry.module, entry.node, set()):
                context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)
                return


def _maps(module: KnowledgeModule, node: ast.AST, seen: set[str]) -> bool:
    """Whether a definition, or one of its module's that it names, uses a transformation of MindSpore's."""
    for inner in walk(node):
        match inner:
            case ast.Attribute(value=ast.Name(id="ms"), attr=name) if name in MAPPING:
                return True
            case ast.Name(id=name) if name in module.definitions and name not in seen:
                seen.add(name)
                if _maps(module, module.definitions[name], seen):
                    return True
    return False
