"""``torch.backends.cudnn.benchmark = True``: settings of PyTorch's own backends, which MindSpore does not have.

So is what PyTorch does not know (``torch.cuda.cudnn_enabled = False``): its modules take any name, and nothing reads it unless the project does.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.effects import effect
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.torchfacts import lookup

#: What is set under these names directs PyTorch's kernels and compilers, and is no part of a program's meaning.
SETTINGS = ("torch.backends.", "torch._dynamo.config", "torch._inductor.config", "torch._functorch.config")


#: What PyTorch's own settings are before anybody sets them: what a program reads that never does.
UNSET = {
    "torch.backends.cudnn.benchmark": False, "torch.backends.cudnn.deterministic": False, "torch.backends.cudnn.enabled": True,
    "torch.backends.cudnn.allow_tf32": True, "torch.backends.cuda.matmul.allow_tf32": False,
}  # fmt: skip
_LAST = frozenset(name.rpartition(".")[2] for name in UNSET)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the removal of assignments to settings, ``False`` where a program asks whether there is one, and the value of one that nobody sets."""
    stored = {id(use.node): use.name for same_place in uses.values() for use in same_place if use.kind == "store"}  # in branches that a flag rules out, too
    for statement in context.file.nodes:
        if not isinstance(statement, ast.Assign) or effect(statement.value) == "effect":
            continue
        # ``cudnn.benchmark, cudnn.deterministic = False, True`` sets each of them
        targets = [one for target in statement.targets for one in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])]
        if all(isinstance(target, ast.Attribute) and _is_setting(context, target, stored) for target in targets):
            context.claim(statement)
            context.plan(statement, lambda s=statement: context.remove(s), last=True)  # type: ignore[misc]
    for node in context.file.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and (unset := _read(context, node)) is not None:
            context.claim(node)
            context.plan(node, lambda n=node, u=unset: context.editing.replace(*context.editing.span(n), str(u)), last=True)  # type: ignore[misc]
        if isinstance(node, ast.Call) and _asks_for_a_setting(context, node):
            context.claim(node)
            context.plan(node, lambda n=node: context.editing.replace(*context.editing.span(n), "False"), last=True)  # type: ignore[misc]


def _read(context: Context, node: ast.Attribute) -> bool | None:
    """The value of a setting that no file of the project sets; None where one does, which a run decides, or it is no such setting."""
    if node.attr not in _LAST:
        return None
    value = context.facts.value(node.value)
    unset = UNSET.get(f"{value.name}.{node.attr}") if isinstance(value, v.Api) else None
    if unset is None:
        return None
    named = (n for file, _ in context.files for n in file.nodes if isinstance(n, (ast.Attribute, ast.Constant)))
    asked_elsewhere = any(n.value == node.attr if isinstance(n, ast.Constant) else n.attr == node.attr and isinstance(n.ctx, ast.Store) for n in named)
    return None if asked_elsewhere else unset


def _asks_for_a_setting(context: Context, node: ast.Call) -> bool:
    """``hasattr(torch.backends.cudnn, "allow_tf32")``: MindSpore has none of them."""
    match node:
        case ast.Call(func=ast.Name(id="hasattr"), args=[module, ast.Constant(value=str(name))], keywords=[]):
            value = context.facts.value(module)
            return isinstance(value, v.Api) and value.name.startswith(SETTINGS) and bool(name)
    return False


def _is_setting(context: Context, target: ast.Attribute, stored: dict[int, str]) -> bool:
    if stored.get(id(target), "").startswith(SETTINGS):
        return True
    owner: ast.expr = target
    path = []
    while isinstance(owner, ast.Attribute):
        path.append(owner.attr)
        owner = owner.value
    value = context.facts.value(owner)
    name = ".".join([value.name, *reversed(path)]) if isinstance(value, v.Api) else ""
    return name.startswith(SETTINGS) or _is_nothing(context, name)


def _is_nothing(context: Context, name: str) -> bool:
    """Whether a name below torch is neither PyTorch's nor read anywhere in the project."""
    owner, _, last = name.rpartition(".")
    above = lookup(owner)
    if owner.partition(".")[0] != "torch" or lookup(name) is not None or above is None or above.kind != "module":
        return False
    return not any(
        isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr == last or isinstance(node, ast.Constant) and node.value == last
        for file, _ in context.shared.project
        for node in file.nodes
    )
