"""Layers that a project calls with more than their input (``self.up(x, output_size=skip.shape)``), or with an input that is seen to have no batch axis.

MindSpore's own class takes a batch alone; the vendored one has a `construct` with torch's parameters, which asks for the axes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.catalog import Catalog, Entry
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile


def called_with_more(catalog: Catalog, files: Iterable[tuple[SourceFile, Facts]]) -> frozenset[str]:
    """The layers' torch names, where such a call is seen."""
    further = {name: parameters for entry in catalog.entries if entry.kind == "layer" and entry.base_suffices
               for parameters in [_further(entry.node)] if parameters for name in entry.names}  # fmt: skip
    alone = {name: axes for entry in catalog.entries if entry.kind == "layer" and entry.base_suffices for axes in [_axes_seen(entry)] if axes for name in entry.names}
    found: set[str] = set()
    for file, facts in files:
        for node in file.nodes:
            if not isinstance(node, ast.Call) or not (node.args or node.keywords):
                continue
            for option in v.options(facts.value(node.func)):
                if not isinstance(option, v.Instance) or option.cls not in further | alone:
                    continue
                if option.cls in further and (len(node.args) > 1 or any(k.arg is None or k.arg in further[option.cls] for k in node.keywords)):
                    found.add(option.cls)
                if option.cls in alone and _has_axes(facts.value(node.args[0] if node.args else node.keywords[0].value), alone[option.cls]):
                    found |= alone.keys()  # what follows such a layer has no batch axis, either
    return frozenset(found)


def _axes_seen(entry: Entry) -> int | None:
    """The axes of an input that only the vendored class takes: ``not seen_axes(inputs[0], 3)`` in a declared difference."""
    for difference in entry.differs:
        for node in ast.walk(ast.parse(difference.when or "None", mode="eval")):
            match node:
                case ast.Call(func=ast.Name(id="seen_axes"), args=[_, ast.Constant(value=int(axes))]):
                    return axes
    return None


def _has_axes(value: v.Value, axes: int) -> bool:
    return any(isinstance(o, v.TensorValue) and o.shape is not None and len(o.shape) == axes for o in v.options(value))


def _further(node: ast.AST | None) -> tuple[str, ...]:
    """The parameters of a class's `construct` after its first input."""
    for statement in getattr(node, "body", ()):
        if isinstance(statement, ast.FunctionDef) and statement.name == "construct":
            return tuple(a.arg for a in [*statement.args.args[2:], *statement.args.kwonlyargs])
    return ()
