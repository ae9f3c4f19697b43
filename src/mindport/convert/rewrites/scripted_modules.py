"""``net = torch.jit.script(net)``, then ``net.save("net.pt")``: what TorchScript's modules have and cells have not is told at its line.

`torch.jit.script` and `trace` hand the module back, so that training and prediction go on as they are; a saved graph, or a text of it, there is none.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.instances import defines_itself
from mindport.convert.scopes import scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use

#: What gives such a module, and what only such a module has.
_SCRIPTING = frozenset(f"torch.jit.{name}" for name in ("script", "trace", "trace_module", "freeze", "optimize_for_inference"))
_OWN = frozenset(("save", "save_to_buffer", "code", "code_with_constants", "graph", "inlined_graph"))
_SCRIPTED = "torch.jit.ScriptModule"
_WHY = "the module is a plain cell here: mindspore.save_checkpoint(net, path) keeps its parameters, mindspore.export(net, *inputs, file_name=path, file_format='MINDIR') its graph"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Tell them."""
    made = {id(use.node) for same_place in uses.values() for use in same_place if use.name in _SCRIPTING and use.kind == "call"}
    if not made:
        return
    kept = {place for node in context.file.nodes if isinstance(node, ast.Assign) and id(node.value) in made for target in node.targets if (place := _place(context, target))}
    for node in context.file.nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in _OWN or not isinstance(node.ctx, ast.Load) or (id(node.value) not in made and _place(context, node.value) not in kept):
            continue
        if not any(defines_itself(option, node.attr) for option in v.options(context.facts.value(node.value))):
            name = f"{_SCRIPTED}.{node.attr}"
            context.report("MP101", f"{name}: {_WHY}", node, api=name, mark=True)


def _place(context: Context, node: ast.expr) -> tuple[int, str] | None:
    """A name of one scope, or an attribute of `self` by its name."""
    match node:
        case ast.Name(id=name):
            return id(scope_of(context, node)), name
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return 0, name
    return None
