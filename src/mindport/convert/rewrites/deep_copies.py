"""``copy.deepcopy(t)``: MindSpore's copy of a tensor that is no Parameter shares its memory; the vendored module has it copied.

So a network's copy shares its buffers, and a copied state dictionary those of the network, and weights of one-dimensional convolutions: PyTorch's own layers
hold parameters only.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.instances import is_instance_of
from mindport.convert.own_modes import Files
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use

KNOWLEDGE, SETTING = "mindport.equivalents.deep_copies", "DEEP_COPIES"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the setting where anything but what is seen to be a network is copied deeply: by a file that uses PyTorch itself, or by one that uses none of it
    and is handed what such a file makes (``self.best = copy.deepcopy(state)`` of an early stopping), which stays as it is."""
    if uses and KNOWLEDGE in context.shared.catalog.modules and (any(_copies(context.facts, node) for node in context.file.nodes) or context.once(_strangers_copy)):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _strangers_copy(files: Files) -> bool:
    """Whether a file copies deeply that uses nothing of PyTorch's."""
    return any(_copies(facts, node) for file, facts in files if not facts.uses for node in file.nodes)


def _copies(facts: Facts, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="deepcopy") | ast.Name(id="deepcopy"), args=[copied, *_]):
            return not _is_network(facts, copied)
    return False


def _is_network(facts: Facts, node: ast.expr) -> bool:
    """Whether it is a network of PyTorch's own layers: what they hold are parameters here, and those are copied. Its state may hold views of them (weights of
    one-dimensional convolutions, which have an axis more here)."""
    kinds = v.options(facts.value(node))
    return bool(kinds) and all(_is_library(kind) for kind in kinds)


def _is_library(kind: v.Value) -> bool:
    """Whether it is a layer of PyTorch's, and so is all that it holds."""
    if not isinstance(kind, v.Instance) or not is_instance_of(kind, {MODULE}):
        return False
    return kind.element is None or all(_is_library(inner) for inner in v.options(kind.element))
