"""``isinstance(m, _BatchNorm)`` asks for the public classes: ``isinstance(m, (nn.BatchNorm1d, nn.BatchNorm2d, …))``.

Each class is MindSpore's, of which the vendored ones are, too; a layer that is a cell of our own making is asked for itself.
So do tuples and lists of classes that have a name first (``norms = (_BatchNorm, nn.LayerNorm)``, then ``isinstance(m, norms)``, torchvision's
reference scripts): `isinstance` takes tuples in tuples.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.uses import written
from mindport.inference.facts import Use
from mindport.inference.overlays.private_bases import PUBLIC


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the classes for every check against a private base."""
    for same_place in uses.values():
        use = same_place[0]
        if use.name in PUBLIC and (use.kind == "check" or isinstance(context.parents.get(id(use.node)), (ast.Tuple, ast.List))):
            context.claim(use.node)
            context.plan(use.node, lambda u=use: _write(context, u))  # type: ignore[misc]


def _write(context: Context, use: Use) -> None:
    names: list[str] = []
    for public in PUBLIC[use.name]:
        entry = next((e for e in context.shared.catalog.find(public) if e.kind == "layer" and isinstance(e.node, ast.ClassDef)), None)
        if entry is None or not isinstance(entry.node, ast.ClassDef):
            continue  # no equivalent, so no object of it
        base = entry.node.bases[0]
        own = not isinstance(base, ast.Attribute) or base.attr == "Cell"
        name = context.vendored_name(entry) if own else written(context, entry, base)
        if name not in names:
            names.append(name)
    old = context.file.segment(use.node)
    new = f"({', '.join(names)})"
    context.editing.replace(*context.editing.span(use.node), new)
    context.record(use, "rewritten", old, new)
