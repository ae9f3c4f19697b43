"""Functions and classes that a project puts under PyTorch's own names: ``nn.LayerNorm = LayerNorm``, ``F.gelu = mine``.

From there on the whole process gets the project's: an equivalent of PyTorch's would be another one, without a word.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from mindport.convert.one_process import together
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.torchfacts import lookup
from mindport.source.file import SourceFile


@dataclass(frozen=True)
class Stored:
    """One such assignment at module level, and the files of the programs that it changes."""

    name: str
    file: PurePosixPath
    line: int
    statement: ast.Assign
    concerned: frozenset[PurePosixPath]


def stored_names(project: Iterable[tuple[SourceFile, Facts]]) -> dict[str, list[Stored]]:
    """The project's assignments by the PyTorch name that they replace."""
    project = list(project)
    files = [file for file, _ in project]
    found: dict[str, list[Stored]] = {}
    for file, facts in project:
        for statement in file.tree.body:
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(target := statement.targets[0], ast.Attribute):
                name = _replaced(facts, target, statement.value)
                if name:
                    concerned = together(files, frozenset((file.relative,)))
                    found.setdefault(name, []).append(Stored(name, file.relative, file.number(statement.lineno), statement, concerned))
    return found


def inner_stores(file: SourceFile, facts: Facts) -> Iterator[tuple[ast.Assign, str]]:
    """Such assignments inside of functions and branches, which may run or not: the name that each replaces."""
    at_the_top = set(map(id, file.tree.body))
    for statement in file.nodes:
        if isinstance(statement, ast.Assign) and id(statement) not in at_the_top and len(statement.targets) == 1 and isinstance(target := statement.targets[0], ast.Attribute):
            name = _replaced(facts, target, statement.value)
            if name:
                yield statement, name


def _replaced(facts: Facts, target: ast.Attribute, value: ast.expr) -> str:
    """The name of a function or class in one of PyTorch's modules, its own or a new one; "" for settings, attributes of objects and all else."""
    owner = facts.value(target.value)
    if not isinstance(owner, v.Api) or owner.name.partition(".")[0] != "torch":
        return ""
    above, fact = lookup(owner.name), lookup(f"{owner.name}.{target.attr}")
    is_called = fact.kind in ("function", "class") if fact is not None else isinstance(facts.value(value), (v.ProjectClass, v.ProjectFunction))
    if above is None or above.kind != "module" or not is_called:
        return ""
    return f"{owner.name}.{target.attr}"
