"""``read = self.named_parameters``: a method that is read and not called is its equivalent, bound to the object."""

from __future__ import annotations

import ast

from mindport.catalog import Catalog, Entry
from mindport.inference.facts import Use
from mindport.inference.overlays.libraries import OF_MANY


def bound_method(catalog: Catalog, use: Use) -> Entry | None:
    """The equivalent to bind, ``partial(named_parameters, self)``; None where several would have to be chosen from by the
    arguments of a later call, for what changes its object, whose calls are followed one by one, and for names that options have, too
    (``if self.cuda:``).
    """
    if use.name.rpartition(".")[2] in OF_MANY:
        return None
    entries = catalog.find(use.name)
    if len(entries) != 1 or entries[0].kind != "function" or use.name.endswith("_") or not isinstance(use.node, ast.Attribute):
        return None
    arguments = entries[0].arguments
    return entries[0] if arguments is not None and (arguments.posonlyargs or arguments.args) else None
