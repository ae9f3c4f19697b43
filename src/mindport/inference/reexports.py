"""Imports from the project's own files that only pass an outside name on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.inference.overlays.libraries import is_torch_based
from mindport.inference.scopes import ModuleScope
from mindport.inference.values import NOTHING, Api, options

if TYPE_CHECKING:
    from mindport.inference.project import Project


#: A name that is passed on through more files than this is not followed.
MOST_STEPS = 12


def reexports(module: ModuleScope, project: Project) -> frozenset[tuple[int, str]]:
    """(line, local name) of ``from .layers import nn`` where ``layers`` imports ``nn`` from torch."""
    found: set[tuple[int, str]] = set()
    for node in module.file.nodes:
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
            # In `try: from .own import f` / `except ImportError: from torch.hub import f` one of the two is not there;
            # where `except ImportError:` defines a stand-in, its uses are still torch's (`uses.named`).
            outside = [value for value in options(origin.env.get(alias.name, NOTHING)) if isinstance(value, Api)]
            if len(outside) == 1 and is_torch_based(outside[0].name) and is_imported(origin, alias.name, project):
                found.add((node.lineno, alias.asname or alias.name))
    return frozenset(found)


def is_imported(module: ModuleScope, name: str, project: Project) -> bool:
    """Whether a module's name stands for what an import statement brought, here and where it came from.

    ``from layers import Norm``, where layers holds ``Norm = nn.BatchNorm2d``, brings a variable.
    """
    for _ in range(MOST_STEPS):
        if name not in module.imported:
            return name not in module.assigned and bool(module.stars)
        origin = module.origins.get(name)
        if origin is None:
            return True
        source = project.modules.modules.get(origin[0])
        if source is None or (origin[1] not in source.imported and origin[1] not in source.assigned):
            return True  # a module inside a package, or what a star brought there
        module, name = source, origin[1]
    return False
