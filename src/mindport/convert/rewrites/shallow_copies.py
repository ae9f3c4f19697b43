"""``copy.copy(net)``: MindSpore's copy of a cell shares the dictionary of its attributes; the vendored module has it copied."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.instances import may_be_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.equivalents.shallow_copies", "SHALLOW_COPIES"
_COPY = v.Api("copy.copy")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the setting where what is copied may be a module."""
    if KNOWLEDGE in context.shared.catalog.modules and any(_copies(context, node) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _copies(context: Context, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=function, args=[copied]) if context.facts.value(function) == _COPY:
            return any(may_be_instance_of(kind, {MODULE}) for kind in v.options(context.facts.value(copied)))
    return False
