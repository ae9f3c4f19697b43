"""Imports from the project's own files that only pass an outside name on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.inference.overlays.libraries import is_torch_based
from mindport.inference.scopes import ModuleScope
from mindport.inference.values import Api

if TYPE_CHECKING:
    from mindport.inference.project import Project


def reexports(module: ModuleScope, project: Project) -> frozenset[tuple[int, str]]:
    """(line, local name) of ``from .layers import nn`` where ``layers`` imports ``nn`` from torch."""
    found: set[tuple[int, str]] = set()
    for node in ast.walk(module.file.tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        if node.level:
            source = project.modules.relative(node.level, node.module, module)
        else:
            source = project.modules.absolute(node.module or "", module)
        origin = project.modules.modules.get(source) if source is not None else None
        if origin is None:
            continue
        for alias in node.names:
            value = origin.env.get(alias.name)
            if isinstance(value, Api) and is_torch_based(value.name) and is_imported(origin, alias.name, project):
                found.add((node.lineno, alias.asname or alias.name))
    return frozenset(found)


def is_imported(module: ModuleScope, name: str, project: Project) -> bool:
    """Whether a module's name stands for what an import statement brought, here or where it came from."""
    return name in module.imported and name not in module.assigned
