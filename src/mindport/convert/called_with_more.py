"""Layers that a project calls with more than their input (``self.up(x, output_size=skip.shape)``), or with an input that is seen to have no batch axis, or to be of float64.

MindSpore's own class takes a batch alone, and rounds some of float64 to float32; the vendored one has a `construct` with torch's parameters, which asks for the axes and the dtype.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache

from mindport.catalog import Catalog, Entry
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile

#: What makes a module's parameters float64.
_IN_DOUBLE = "torch.nn.Module.double"


def called_with_more(catalog: Catalog, files: Sequence[tuple[SourceFile, Facts]], double: bool = False) -> frozenset[str]:
    """The layers' torch names, where such a call is seen. `double`: float64 is the project's default dtype."""
    further, alone, wide = _known(catalog)
    found: set[str] = set(wide) if double or any(use.name == _IN_DOUBLE for _, facts in files for use in facts.uses) else set()
    known = {*further, *alone, *wide}
    for file, facts in files:
        for node in file.nodes:
            if not isinstance(node, ast.Call) or not (node.args or node.keywords):
                continue
            for option in v.options(facts.value(node.func)):
                if not isinstance(option, v.Instance) or option.cls not in known:
                    continue
                if option.cls in further and (len(node.args) > 1 or any(k.arg is None or k.arg in further[option.cls] for k in node.keywords)):
                    found.add(option.cls)
                if option.cls in alone and _has_axes(facts.value(node.args[0] if node.args else node.keywords[0].value), alone[option.cls]):
                    found |= alone.keys()  # what follows such a layer has no batch axis, either
                if option.cls in wide and any(isinstance(o, v.TensorValue) and o.dtype == "torch.float64" for a in node.args for o in v.options(facts.value(a))):
                    found.add(option.cls)
    return frozenset(found)


@lru_cache(maxsize=2)
def _known(catalog: Catalog) -> tuple[dict[str, tuple[str, ...]], dict[str, int], frozenset[str]]:
    """Of layers whose MindSpore class suffices elsewhere: the parameters after the input, the axes without a batch, and those that keep float64's digits."""
    layers = [entry for entry in catalog.entries if entry.kind == "layer" and entry.base_suffices]
    further = {name: parameters for entry in layers if (parameters := _further(entry.node)) for name in entry.names}
    alone = {name: axes for entry in layers if (axes := _axes_seen(entry)) for name in entry.names}
    return further, alone, frozenset(name for entry in layers if _asks_for_double(entry) for name in entry.names)


def _axes_seen(entry: Entry) -> int | None:
    """The axes of an input that only the vendored class takes: ``not seen_axes(inputs[0], 3)`` in a declared difference."""
    for difference in entry.differs:
        for node in ast.walk(ast.parse(difference.when or "None", mode="eval")):
            match node:
                case ast.Call(func=ast.Name(id="seen_axes"), args=[_, ast.Constant(value=int(axes))]):
                    return axes
    return None


def _asks_for_double(entry: Entry) -> bool:
    """Whether only the vendored class keeps the digits of float64: ``not seen_dtype(inputs[0], ms.float64)`` in a declared difference."""
    return any("seen_dtype(inputs[0], ms.float64)" in (difference.when or "") for difference in entry.differs)


def _has_axes(value: v.Value, axes: int) -> bool:
    return any(isinstance(o, v.TensorValue) and o.shape is not None and len(o.shape) == axes for o in v.options(value))


def _further(node: ast.AST | None) -> tuple[str, ...]:
    """The parameters of a class's `construct` after its first input."""
    for statement in getattr(node, "body", ()):
        if isinstance(statement, ast.FunctionDef) and statement.name == "construct":
            return tuple(a.arg for a in [*statement.args.args[2:], *statement.args.kwonlyargs])
    return ()
