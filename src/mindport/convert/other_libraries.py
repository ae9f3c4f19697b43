"""Uses of libraries built on PyTorch: converted where the knowledge names them, left under a finding where not.

An import of such a library goes when every use of the name that it binds is converted; else it stays, because
something in the file still needs it.
"""

from __future__ import annotations

import ast
from collections import defaultdict

from mindport.catalog import Catalog, Entry
from mindport.convert.context import Context, Shared
from mindport.convert.imports import local_name, statements
from mindport.convert.members import lineage, own_member
from mindport.convert.module_values import names_of, offered
from mindport.convert.uses import convert_use
from mindport.inference.facts import Facts, Use
from mindport.inference.overlays.libraries import built_on_torch
from mindport.inference.public import has_public_names
from mindport.source.file import SourceFile


def convert_other(context: Context, use: Use) -> None:
    """Plan the edits for one use of another library."""
    catalog = context.shared.catalog
    if _known(catalog, use.name) or offered(catalog, use, names_of(context.shared)):
        convert_use(context, use)
        return
    member = own_member(catalog, use)
    if member is not None and not member.misfit:
        text = context.file.segment(use.node)
        context.record(use, "same", text, text, member.entry)
        return
    owner = class_owner(catalog, use)
    if owner is not None:
        named = use.node.func if isinstance(use.node, ast.Call) else use.node
        assert isinstance(named, ast.Attribute)
        name = context.vendored_name(owner)
        context.editing.replace(*context.editing.span(named.value), name)
        context.record(use, "vendored", context.file.segment(named), f"{name}.{named.attr}", owner, "")
        return
    why = next((entry.why for entry in catalog.find(use.name)), "")
    context.report(
        "MP108", built_on_torch(use.name, why), use.node, api=use.name,
        mark=use.kind not in ("type", "value"),
    )  # fmt: skip
    context.record(use, "unconverted", context.file.segment(use.node), "", None, "another library's API")


def going_imports(file: SourceFile, facts: Facts, shared: Shared, root: str) -> frozenset[int]:
    """The import aliases (by id) of libraries other than `root` that nothing in the converted file needs any more."""
    catalog = shared.catalog
    converted: defaultdict[str, int] = defaultdict(int)
    seen: set[int] = set()
    for use in facts.uses:
        name = _first_name(use.node)
        if name is None or id(name) in seen or use.name.split(".")[0] == root:
            continue
        if _known(catalog, use.name) or class_owner(catalog, use) is not None or offered(catalog, use, names_of(shared)):
            seen.add(id(name))
            converted[name.id] += 1
    everywhere: defaultdict[str, int] = defaultdict(int)
    for node in file.nodes:
        if isinstance(node, ast.Name):
            everywhere[node.id] += 1
    going = set()
    passed_on = file.relative.name == "__init__.py" or "__all__" in everywhere
    libraries = {use.name.split(".")[0] for use in facts.uses} - {root}
    for statement, _ in statements(file.tree):
        for alias in statement.names:
            local = local_name(statement, alias)
            module = alias.name if isinstance(statement, ast.Import) else "" if statement.level else statement.module or ""
            if alias.name == "*":
                if module.split(".")[0] != root and has_public_names(module) and not any(use.name.startswith(f"{module}.") and not _known(catalog, use.name) for use in facts.uses):
                    going.add(id(alias))
            elif module.split(".")[0] in libraries and 0 < converted[local] == everywhere[local]:
                going.add(id(alias))
            elif everywhere[local] == 0 and not passed_on and module.split(".")[0] != root and (_known(catalog, whole := f"{module}.{alias.name}") or _is_module_of(catalog, alias.name if isinstance(statement, ast.Import) else whole)):
                going.add(id(alias))  # imported, never named: the library is not needed for it
    return frozenset(going)


def _is_module_of(catalog: Catalog, name: str) -> bool:
    """Whether a name is a module of another library that knowledge has names of: ``import torchvision``, ``from torchvision import datasets``."""
    return any(entry.kind != "absent" for entries in catalog.within(name).values() for entry in entries)


def _known(catalog: Catalog, name: str) -> bool:
    entries = catalog.find(name)
    return bool(entries) and all(entry.kind != "absent" for entry in entries)


def class_owner(catalog: Catalog, use: Use) -> Entry | None:
    """The entry of a vendored class whose own method or value is named through the class: ``RandomCrop.get_params(…)``, ``InterpolationMode.BICUBIC``."""
    called = isinstance(use.node, ast.Call)
    named = use.node.func if isinstance(use.node, ast.Call) else use.node
    found = catalog.layer_attribute(use.name)
    if not isinstance(named, ast.Attribute) or use.kind == "store" or found is None or not isinstance(found[0].node, ast.ClassDef):
        return None
    classes = lineage(catalog, found[0].module, found[0].node) or [found[0].node]
    body = [statement for cls in classes for statement in cls.body]
    if called:
        own = {statement.name for statement in body if isinstance(statement, ast.FunctionDef)}
    else:
        own = {t.id for statement in body if isinstance(statement, ast.Assign) for t in statement.targets if isinstance(t, ast.Name)}
    return found[0] if found[1] in own else None


def _first_name(node: ast.AST) -> ast.Name | None:
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node if isinstance(node, ast.Name) else None
