"""Methods and attributes that a vendored class has itself: ``optimizer.step()`` stays as it is.

A class of the knowledge with no MindSpore class among its bases is written into the converted project under torch's
names of members. What torch offers and the class has not is no member here, so that it is reported.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mindport.catalog import Catalog, Entry, KnowledgeModule
from mindport.convert.bind import Unbound, bind
from mindport.evidence import layer_attributes
from mindport.inference.facts import Use
from mindport.inference.torchfacts import ancestors


@dataclass(frozen=True)
class Member:
    """A member of a vendored class; `misfit` says why a call of it does not fit its signature."""

    entry: Entry
    misfit: str = ""


def own_member(catalog: Catalog, use: Use) -> Member | None:
    """The vendored class's own member that a method, attribute or store means; None where it has none of that name."""
    if use.kind not in ("method", "attribute", "store"):
        return None
    owner, _, name = use.name.rpartition(".")
    entry = next((e for cls in ancestors(owner) for e in catalog.find(cls) if e.kind == "layer"), None)
    if entry is None or not isinstance(entry.node, ast.ClassDef):
        return None
    classes = lineage(catalog, entry.module, entry.node)
    if classes is None:
        return Member(entry) if _own_part(catalog, entry, use) or _own_field(catalog, entry, use) else None
    function = next((f for cls in classes if (f := _method(cls, name)) is not None), None)
    if function is None:
        return Member(entry) if any(name in _attributes(cls) for cls in classes) else None
    if not isinstance(use.node, ast.Call) or function.decorator_list:
        return Member(entry)  # properties, and static and class methods: no first parameter to leave out
    a = function.args
    without_self = ast.arguments(a.posonlyargs, a.args[1:], a.vararg, a.kwonlyargs, a.kw_defaults, a.kwarg, a.defaults)
    bound = bind(without_self, list(use.node.args), list(use.node.keywords))
    if isinstance(bound, Unbound) and not bound.star:
        return Member(entry, f"the call does not fit {use.name}: {bound.why}")
    return Member(entry)


def lacks(catalog: Catalog, entry: Entry, use: Use) -> bool:
    """Whether the entry is a vendored class with no MindSpore class among its bases that has no such attribute."""
    own = isinstance(entry.node, ast.ClassDef) and lineage(catalog, entry.module, entry.node) is not None
    return own and use.kind == "attribute" and own_member(catalog, use) is None


def _own_part(catalog: Catalog, entry: Entry, use: Use) -> bool:
    """Whether a layer that conversion writes itself, over a plain cell, holds under torch's name what no run measured: ``transformer.encoder``."""
    if use.kind == "store" or layer_attributes.outcome(use.name) or catalog.find(use.name) or not isinstance(entry.node, ast.ClassDef):
        return False
    classes = lineage(catalog, entry.module, entry.node, plain_cells=True)
    return classes is not None and any(use.name.rpartition(".")[2] in _attributes(cls) for cls in classes)


def _own_field(catalog: Catalog, entry: Entry, use: Use) -> bool:
    """Whether a named tuple of the knowledge has a field of that name, or every named tuple has the member: ``out.aux_logits``, ``out._fields``."""
    if use.kind == "store" or catalog.find(use.name) or not isinstance(entry.node, ast.ClassDef):
        return False
    made = [base for base in entry.node.bases if isinstance(base, ast.Call)]
    made = [base for base in made if entry.module.imports.get(ast.unparse(base.func)) == ("collections", "namedtuple")]
    fields = {field for base in made for field in ast.literal_eval(base.args[1])}
    return bool(made) and use.name.rpartition(".")[2] in fields | {"_fields", "_asdict", "_replace"}


def lineage(catalog: Catalog, module: KnowledgeModule, cls: ast.ClassDef, plain_cells: bool = False) -> list[ast.ClassDef] | None:
    """The class and its bases in the knowledge; None where a base is MindSpore's (with `plain_cells`: other than ``nn.Cell``)."""
    found = [cls]
    for base in cls.bases:
        if plain_cells and ast.unparse(base) == "nn.Cell":
            continue
        if not isinstance(base, ast.Name):
            return None
        here: KnowledgeModule | None = module
        if base.id in module.imports:
            source, original = module.imports[base.id]
            here = catalog.modules.get(source)
            if here is None and source.split(".")[0] == "mindspore":
                return None
            name = original or base.id
        else:
            name = base.id
        definition = here.definitions.get(name) if here is not None else None
        if here is not None and isinstance(definition, ast.ClassDef):
            above = lineage(catalog, here, definition, plain_cells)
            if above is None:
                return None
            found += above
    return found


def _method(cls: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    return next((s for s in cls.body if isinstance(s, ast.FunctionDef) and s.name == name), None)


def _attributes(cls: ast.ClassDef) -> set[str]:
    """What the class sets on itself or on its objects."""
    found = {
        target.id
        for statement in cls.body
        if isinstance(statement, (ast.Assign, ast.AnnAssign))
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(cls):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            found.add(node.attr)
    return found
