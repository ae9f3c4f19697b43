"""Layers that a project calls with more than their input: ``self.up(x, output_size=skip.shape)``.

MindSpore's own class takes the input alone; the vendored one has a `construct` with torch's parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.catalog import Catalog
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile


def called_with_more(catalog: Catalog, files: Iterable[tuple[SourceFile, Facts]]) -> frozenset[str]:
    """The layers' torch names, where such a call is seen."""
    further = {name: parameters for entry in catalog.entries if entry.kind == "layer" and entry.base_suffices
               for parameters in [_further(entry.node)] if parameters for name in entry.names}  # fmt: skip
    found: set[str] = set()
    for file, facts in files:
        for node in file.nodes:
            if not isinstance(node, ast.Call) or (len(node.args) < 2 and not node.keywords):
                continue
            for option in v.options(facts.value(node.func)):
                if not isinstance(option, v.Instance) or option.cls not in further:
                    continue
                if len(node.args) > 1 or any(k.arg is None or k.arg in further[option.cls] for k in node.keywords):
                    found.add(option.cls)
    return frozenset(found)


def _further(node: ast.AST | None) -> tuple[str, ...]:
    """The parameters of a class's `construct` after its first input."""
    for statement in getattr(node, "body", ()):
        if isinstance(statement, ast.FunctionDef) and statement.name == "construct":
            return tuple(a.arg for a in [*statement.args.args[2:], *statement.args.kwonlyargs])
    return ()
