"""``copy.deepcopy(p.data)``: MindSpore's copy of a view of a parameter shares the parameter's memory; the vendored module has it copied."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.instances import is_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.equivalents.deep_copies", "DEEP_COPIES"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the setting where a file that uses PyTorch copies deeply anything but what is seen to be a network."""
    if uses and KNOWLEDGE in context.shared.catalog.modules and any(_copies(context, node) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _copies(context: Context, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="deepcopy") | ast.Name(id="deepcopy"), args=[copied, *_]):
            return not _is_network(context, copied)
    return False


def _is_network(context: Context, node: ast.expr) -> bool:
    """Whether it is a network or its state, which hold parameters: those are copied."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "state_dict":
        return True
    kinds = v.options(context.facts.value(node))
    return bool(kinds) and all(is_instance_of(kind, {MODULE}) for kind in kinds)
