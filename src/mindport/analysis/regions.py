"""Which code runs in the network, which prepares data: the guide scans the two apart.

Network code is what the methods of module classes run: the methods themselves and the project's
functions they call, directly or through others. Data code is the methods of data set, sampler and
transform classes and the functions only they call. Code that both call counts as network, because there
an API has to exist in MindSpore; everything else is ``other``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from mindport.analysis import torch_names
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile
from mindport.source.walking import walk

Region = Literal["network", "data", "other"]

#: What a class derives from where its methods run in the network.
NETWORK_BASES = ("torch.nn.Module", "torch.autograd.Function")
#: Where the classes that prepare data come from.
DATA_BASES = ("torch.utils.data.", "torchvision.datasets.", "torchvision.transforms.")

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def class_region(ancestors: Iterable[str]) -> Region:
    """What a class with these outside ancestors is for."""
    found: Region = "other"
    for name in ancestors:
        if name in NETWORK_BASES or name.endswith(torch_names.NETWORKS_ELSEWHERE):
            return "network"
        if name.startswith(DATA_BASES):
            found = "data"
    return found


class Regions:
    """The region of every scope of a project."""

    def __init__(self, facts: Mapping[SourceFile, Facts]) -> None:
        self._by_scope: dict[tuple[SourceFile, str], Region] = {}
        self._homes: dict[int, tuple[SourceFile, str]] = {}
        calls: dict[tuple[SourceFile, str], set[int]] = {}
        seeds: dict[Region, list[tuple[SourceFile, str]]] = {"network": [], "data": []}
        for file, known in facts.items():
            for scope, definition, owner in _definitions(file.tree):
                if isinstance(definition, ast.ClassDef):
                    continue
                self._homes[id(definition)] = (file, scope)
                calls[file, scope] = set(_called(definition, known))
                region = class_region(known.ancestors.get(owner, ())) if owner is not None else "other"
                if region != "other":
                    seeds[region].append((file, scope))
        for region in ("data", "network"):
            self._spread(seeds[region], region, calls)  # type: ignore[index, arg-type]

    def of(self, file: SourceFile, scope: str) -> Region:
        """The region of a scope ("Net.forward"); a function inside it belongs to it, too."""
        while scope:
            if (file, scope) in self._by_scope:
                return self._by_scope[file, scope]
            scope = scope.rpartition(".")[0]
        return "other"

    def _spread(
        self, seeds: list[tuple[SourceFile, str]], region: Region, calls: Mapping[tuple[SourceFile, str], set[int]]
    ) -> None:
        waiting, seen = list(seeds), set(seeds)
        while waiting:
            place = waiting.pop()
            self._by_scope[place] = region
            for callee in calls.get(place, ()):
                home = self._homes.get(callee)
                if home is not None and home not in seen:
                    seen.add(home)
                    waiting.append(home)


def _definitions(
    node: ast.AST, scope: str = "", owner: ast.ClassDef | None = None
) -> Iterator[tuple[str, _Definition, ast.ClassDef | None]]:
    """(scope, definition, class whose method it is or stands in) of all classes and functions."""
    for child in _statements(node):
        if isinstance(child, _Definition):
            name = f"{scope}.{child.name}" if scope else child.name
            yield name, child, owner
            yield from _definitions(child, name, child if isinstance(child, ast.ClassDef) else owner)
        else:
            yield from _definitions(child, scope, owner)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements directly inside a statement, whatever block they stand in."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        inside = getattr(node, block, ())
        if isinstance(inside, list):  # the body of a lambda is an expression
            yield from inside


def _called(function: _Function, facts: Facts) -> Iterator[int]:
    """The definitions (by id of their node) that a function's body calls, as far as inference knows."""
    values = facts.values
    for node in walk(function):
        if isinstance(node, ast.Call) and (value := values.get(id(node.func))) is not None:
            for option in v.options(value):
                if isinstance(option, v.Bound):
                    option = option.function
                if isinstance(option, v.ProjectFunction):
                    yield id(option.scope.node)
