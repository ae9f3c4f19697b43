"""Names that a file may not import anew because ``from file import *`` would hand them on over others.

A converted file imports MindSpore's names and those of the vendored module; a star import takes them along. What
the importing file had bound before it under such a name would be replaced: ``import train``, then
``from helpers import *``, whose `helpers` imports the vendored `train`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import PurePosixPath

from mindport.convert.imports import bound_names
from mindport.inference.imports import exported
from mindport.inference.overlays.libraries import is_torch_based
from mindport.inference.project import Project
from mindport.inference.scopes import ModuleScope
from mindport.inference.values import Api, Value, options


def handed_over(project: Project) -> dict[PurePosixPath, set[str]]:
    """For each file that others import with a star: names that these had bound before."""
    found: dict[PurePosixPath, set[str]] = {}
    for importer in project.modules.modules.values():
        stars = list(_stars(importer, project))
        for place, (line, source) in enumerate(stars):
            before = _before(importer, line).union(*(_own(earlier) for _, earlier in stars[:place]))
            for reached in _through(source, project):
                found.setdefault(reached.file.relative, set()).update(before)
    return found


def _stars(module: ModuleScope, project: Project) -> Iterable[tuple[int, ModuleScope]]:
    """The module's own star imports from files of the project, in order, with their lines."""
    for node in sorted((n for n in module.file.nodes if isinstance(n, ast.ImportFrom)), key=lambda n: n.lineno):
        if node.names[0].name != "*":
            continue
        modules = project.modules
        name = modules.relative(node.level, node.module, module) if node.level else modules.absolute(node.module or "", module)
        source = modules.modules.get(name) if name is not None else None
        if source is not None and source is not module:
            yield node.lineno, source


def _through(start: ModuleScope, project: Project) -> set[ModuleScope]:
    """The file and all whose names come through it; one that lists its names hands on nothing else."""
    seen: set[ModuleScope] = set()
    pending = [start]
    while pending:
        module = pending.pop()
        if module not in seen and exported(module) is None:
            seen.add(module)
            pending += [source for _, source in _stars(module, project)]
    return seen


def _before(module: ModuleScope, line: int) -> set[str]:
    """What the module's statements above a line bind at its level, less what is torch's."""
    above = [statement for statement in module.file.tree.body if (statement.end_lineno or statement.lineno) < line]
    top = bound_names(ast.Module([_shallow(statement) for statement in above], []), set())
    return {name for name in top if not _is_torchs(module.env.get(name))}


def _shallow(statement: ast.stmt) -> ast.stmt:
    """A function or class without what it holds, which is bound elsewhere."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return ast.Assign([ast.Name(statement.name, ast.Store())], ast.Constant(None))
    return statement


def _own(module: ModuleScope) -> set[str]:
    """Names that a star brings and that are not torch's."""
    return {name for name, value in module.env.items() if not name.startswith("_") and "." not in name and not _is_torchs(value)}


def _is_torchs(value: Value | None) -> bool:
    return value is not None and all(isinstance(option, Api) and is_torch_based(option.name) for option in options(value))
