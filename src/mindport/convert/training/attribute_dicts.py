"""``nets.discriminator(x)`` where `nets` is a dictionary whose keys are read as attributes.

MindSpore's compiler takes such an object for a plain dictionary, which has no such attribute. What a compiled function reads of one is a name
around the function, ``discriminator = nets.discriminator``.
"""

from __future__ import annotations

import ast
import re

from mindport.convert.context import Context
from mindport.convert.training.derivatives import Derivative
from mindport.convert.training.names import FUNCTIONS, key, names, own_nodes, parameters
from mindport.convert.training.writing import fresh_name
from mindport.inference import values as v

#: Classes of other libraries.
LIBRARIES = frozenset(("munch.Munch", "munch.DefaultMunch", "easydict.EasyDict", "addict.Dict", "attrdict.AttrDict", "ml_collections.ConfigDict"))
_DICTS = frozenset(("builtins.dict", "collections.OrderedDict", "collections.UserDict", "collections.defaultdict"))


def named_outside(context: Context, derivative: Derivative, definition: str) -> tuple[str, str]:
    """The statements above the function that name what it reads so, and the function's text with these names."""
    bound = set(names(derivative.inside).stores) | set(derivative.sources)
    nodes = [part for node in (*derivative.inside, derivative.output) for part in ast.walk(node)]
    read = {key(node): node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and _is_key(context, node)}
    indent = context.editing.indent(context.editing.span(derivative.statement)[0])
    above = ""
    for chain, node in read.items():
        if chain is not None and chain.partition(".")[0] not in bound:
            name = _local_name(context, derivative.scope, node.attr)
            definition = re.sub(rf"(?<![\w.]){re.escape(chain)}\b", name, definition)
            above += f"{indent}{name} = {chain}\n"
    return above, definition


def _local_name(context: Context, scope: ast.AST, wanted: str) -> str:
    """The key's own name, unless the function or the module itself has it already: other functions' names are theirs."""
    used = {*names(own_nodes(scope)).stores, *names(own_nodes(scope)).reads, *names(context.file.tree.body).stores, *context.imports.wanted.values(), *context.own_names.get(id(scope), ())}
    if wanted in used or isinstance(scope, FUNCTIONS) and wanted in parameters(scope):
        return fresh_name(context, scope, wanted)
    context.own_names.setdefault(id(scope), set()).add(wanted)
    return wanted


def _is_key(context: Context, node: ast.Attribute) -> bool:
    """Whether an attribute is a key of such a dictionary, wherever its class is known."""
    return any(_has_keys_as_attributes(kind, node.attr) for kind in v.options(context.facts.value(node.value)))


def _has_keys_as_attributes(kind: v.Value, name: str) -> bool:
    match kind:
        case v.ProjectInstance(cls=v.ProjectClass(scope=scope)):
            return bool(_DICTS & set(scope.ancestors)) and not any(name in cls.methods for cls in scope.mro)
        case v.Instance(cls=cls) | v.Unknown(origin=cls):
            return cls in LIBRARIES
    return False
