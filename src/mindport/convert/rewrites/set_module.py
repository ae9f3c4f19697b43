"""``setattr(model, name, module)`` and ``model.features.conv0 = module``: a module that may take its place in a sequence.

``set_module(model, name, module)``: MindSpore's sequence would go on with the old one, silently. Where the owner is
known to be no sequence, and where no text of the project names such a member, the text stays.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.instances import may_be_instance_of
from mindport.convert.rewrites.replaced_module import is_module
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.assigned_modules"
FUNCTION = "set_module"
SEQUENCE = "torch.nn.Sequential"
#: What asks a module for its parts by name: an owner of unknown type near it is taken for a module.
_ASKING = frozenset(("named_children", "named_modules", "children", "modules", "_modules", "get_submodule"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the function for every such assignment."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        match node:
            case ast.Call():
                if may_set_module(context, node):
                    context.plan(node, lambda n=node: _write_call(context, n))  # type: ignore[misc]
            case ast.Assign(targets=[ast.Attribute(value=owner) as target], value=value):
                if is_module(context, value) and _may_be_sequence(context, owner) and _may_name_member(context, target):
                    context.plan(node, lambda n=node, t=target: _write_assignment(context, n, t))  # type: ignore[misc]


def may_set_module(context: Context, node: ast.Call) -> bool:
    """Whether ``setattr(owner, name, value)`` may put a module into a sequence."""
    match node:
        case ast.Call(func=ast.Name(id="setattr"), args=[owner, _, value], keywords=[]):
            asks = any(isinstance(n, ast.Attribute) and n.attr in _ASKING for n in context.file.nodes)
            return _may_be_sequence(context, owner) and (is_module(context, value) or (asks and _unknown(context, value)))
    return False


def _may_be_sequence(context: Context, node: ast.expr) -> bool:
    """Whether an object may be a sequence of modules; what is unknown may be, where its parts are reached by name."""
    return any(may_be_instance_of(option, {SEQUENCE}) for option in v.options(context.facts.value(node)))


def _may_name_member(context: Context, target: ast.Attribute) -> bool:
    """A sequence's members have names that texts give (``OrderedDict([("conv0", …)])``), the project's or those of a library's model."""
    if isinstance(target.value, ast.Name):
        return target.value.id != "self" and (target.attr in context.shared.words or _is_sequence(context, target.value))
    return True


def _is_sequence(context: Context, node: ast.expr) -> bool:
    """Whether it is nothing but a sequence: a module under a new name is its last part, then."""
    return all(isinstance(option, v.Instance) and option.cls == SEQUENCE for option in v.options(context.facts.value(node)))


def _unknown(context: Context, node: ast.expr) -> bool:
    return any(isinstance(option, v.Unknown) for option in v.options(context.facts.value(node)))


def _write_call(context: Context, node: ast.Call) -> None:
    start, end = context.editing.span(node.func)
    context.editing.replace(start, end, context.definition(KNOWLEDGE, FUNCTION))


def _write_assignment(context: Context, node: ast.Assign, target: ast.Attribute) -> None:
    owner, value = (context.editing.current(*context.editing.span(part)) for part in (target.value, node.value))
    name = context.definition(KNOWLEDGE, FUNCTION)
    context.editing.replace(*context.editing.span(node), f'{name}({owner}, "{target.attr}", {value})')
