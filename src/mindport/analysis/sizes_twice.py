"""Sizes that values decide, on the way of a gradient of a gradient: MindSpore differentiates such shapes once (docs/differences/graphs.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape.apis import DYNAMIC
from mindport.analysis.links import Links, Reached
from mindport.inference import values as v
from mindport.source.file import SourceFile
from mindport.source.walking import walk

#: Rows of the table of such APIs whose results tensors of other sizes are computed from.
_SELECTING = ("NonZero", "MaskedSelect", "Sampler")
_TRUTH = "torch.bool"


def sized_by_values(links: Links, reached: Reached) -> list[str]:
    """What gives such a size on the way: APIs by name, and selections by masks as they stand in the text, each once."""
    found = dict.fromkeys(name for name, places in reached.uses.items() if any(_selects(name, node) for _, node in places))
    for file, node in reached.bodies:
        found |= dict.fromkeys(_by_masks(links, file, node))
    return list(found)


def _selects(name: str, node: ast.AST) -> bool:
    """Whether a use of an API gives as many elements as its values say."""
    known = DYNAMIC.get(name) or DYNAMIC.get(name.replace(torch_names.METHOD, torch_names.FUNCTION, 1))
    if known is None or known.row not in _SELECTING or not isinstance(node, ast.Call):
        return False
    return known.condition == "always" or known.condition == "not given" and len(node.args) <= known.position and known.parameter not in {k.arg for k in node.keywords}


def _by_masks(links: Links, file: SourceFile, body: ast.AST) -> Iterator[str]:
    """``d[d < 2]``, where the index is known to be a tensor of truth values."""
    facts = links.subject.facts[file]
    for part in walk(body):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load):
            kinds = v.options(facts.value(part.slice))
            if kinds and all(isinstance(kind, v.TensorValue) and kind.dtype == _TRUTH for kind in kinds):
                yield ast.unparse(part)
