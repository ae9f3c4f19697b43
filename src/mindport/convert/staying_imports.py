"""Imports of other libraries built on PyTorch that something in the file still needs.

They stay, and no longer decide whether the file can be imported: where the library is not there, what needs it raises when it is
used, as what is left of PyTorch does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from mindport.convert.imports import TorchImport, local_name
from mindport.inference.overlays.libraries import is_torch_based
from mindport.source.file import SourceFile


@dataclass(frozen=True)
class Staying:
    """One such statement of a file's top level, and its names that stay."""

    statement: ast.Import | ast.ImportFrom
    aliases: tuple[ast.alias, ...]
    block: list[ast.stmt]

    def guarded(self, stand_in: str) -> str:
        """The import, and what stands for its names where the library is not there."""
        names = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in self.aliases)
        module = self.statement.module if isinstance(self.statement, ast.ImportFrom) else None
        lines = ["", "try:", f"    from {module} import {names}" if module else f"    import {names}", "except ImportError:"]
        for alias in self.aliases:
            local = local_name(self.statement, alias)
            stands_for = f"{module}.{alias.name}" if module else alias.name if alias.asname else local
            lines.append(f'    {local} = {stand_in}("{stands_for}")')
        return "\n".join(lines)


def own_packages(files: Iterable[SourceFile]) -> frozenset[str]:
    """Top-level names that the project itself is imported by: it may be one of those libraries."""
    found = set()
    for file in files:
        found.add(file.relative.parts[0].removesuffix(".py"))
        if str(file.relative) == "__init__.py":
            found.add(file.path.resolve().parent.name)
    return frozenset(found)


def staying(file: SourceFile, going: set[int], own: frozenset[str]) -> list[Staying]:
    """The statements of a file's top level of which something stays; imports that are tried already are left alone, and those of `own` packages."""
    found = []
    for statement in file.tree.body:
        if isinstance(statement, ast.ImportFrom) and not statement.level:
            aliases = statement.names if _is_other(statement.module or "", own) else []
        elif isinstance(statement, ast.Import):
            aliases = [alias for alias in statement.names if _is_other(alias.name, own)]
        else:
            continue
        kept = tuple(alias for alias in aliases if id(alias) not in going and alias.name != "*")
        if kept:
            found.append(Staying(statement, kept, file.tree.body))
    return found


def with_staying(imports: list[TorchImport], kept: list[Staying]) -> list[TorchImport]:
    """The imports to take out, with those that are written anew."""
    more = {id(item.statement): item.aliases for item in kept}
    joined = [TorchImport(item.statement, item.aliases + more.pop(id(item.statement), ()), item.block) for item in imports]
    return [*joined, *(TorchImport(item.statement, item.aliases, item.block) for item in kept if id(item.statement) in more)]


def _is_other(module: str, own: frozenset[str]) -> bool:
    return module.partition(".")[0] not in own and is_torch_based(module)
