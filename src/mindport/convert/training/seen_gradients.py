"""Who looks at gradients apart from the statements around a backward pass: a function that logs norms, a logger's method, what stands behind the loop.

A critic's parameters have the gradient of the generator's loss, too, until the critic's optimizer clears them. Where nobody looks in between, a step need not
compute it; a function that the step calls by a name, a callback or a caller sees it in torch. Which of them run in between is not followed: one that stands
anywhere in the project, outside of an optimizer of its own, counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import Context
from mindport.convert.own_modes import Files
from mindport.convert.training.names import key
from mindport.inference.facts import Facts

_OPTIMIZER = "torch.optim.Optimizer"
#: Whose ``grad`` takes derivatives.
_TAKING = frozenset({"torch", "autograd", "func", "functorch"})
#: What takes gradients: ``loss.backward()``, ``torch.autograd.grad(…)``.
_DIFFERENTIATING = frozenset({"backward", "grad"})
#: Names in programs that see to gradients, or to parameters that have none.
_HANDLING = frozenset({"grad", "requires_grad", "requires_grad_", "GradScaler", "add_param_group", "unscale_"})
#: What only clears a gradient: ``p.grad.zero_()``, ``p.grad.detach_()``.
_CLEARING = frozenset({"zero_", "detach_"})


def are_seen(context: Context, block: list[ast.stmt]) -> bool:
    """Whether something reads gradients that does not stand in a block, whose order is known."""
    found = context.once(gradient_readings)
    return bool(found) and not found <= {id(n) for statement in block for n in ast.walk(statement)}


def are_handled(files: Files) -> bool:
    """Whether a file of the project does anything with gradients or frozen parameters that the tidy form, which keeps no gradients, would not show: a function of ``utils.py`` that clips."""
    return any(
        name in _HANDLING or name.startswith("clip_grad")
        for file, _ in files
        for node in file.nodes
        for name in [node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else (node.arg or "") if isinstance(node, ast.keyword) else ""]
    )


def are_taken(files: Files) -> bool:
    """Whether a project takes gradients at all."""
    return any(isinstance(node, ast.Attribute) and node.attr in _DIFFERENTIATING for file, _ in files for node in file.nodes)


def untracked(statements: list[ast.AST]) -> frozenset[int]:
    """The ids of nodes below ``with torch.no_grad():``, where nothing gets a gradient."""
    found = [n for s in statements for n in ast.walk(s) if isinstance(n, ast.With) and any(_ends_tracking(item.context_expr) for item in n.items)]
    return frozenset(id(part) for block in found for part in ast.walk(block))


def _ends_tracking(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and not node.args and (key(node.func) or "").rpartition(".")[2] in ("no_grad", "inference_mode")


def groups_grow(files: Files) -> bool:
    """Whether an optimizer of the project gets more parameters as time goes by, wherever that is written."""
    return any(isinstance(node, ast.Attribute) and node.attr == "add_param_group" for file, _ in files for node in file.nodes)


def gradient_readings(files: Files) -> frozenset[int]:
    """The ids of the nodes of all files that read a gradient's values, but for those inside of optimizers of the project's own."""
    return frozenset(id(node) for file, facts in files for node in _readings(file.tree, facts))


def _readings(tree: ast.AST, facts: Facts) -> Iterator[ast.AST]:
    going = [tree]
    while going:
        node = going.pop()
        if isinstance(node, ast.ClassDef) and _OPTIMIZER in facts.ancestors.get(node, ()):
            continue
        if _only_asks(node):
            continue
        if is_reading(node):
            yield node
        going += ast.iter_child_nodes(node)


def is_reading(node: ast.AST) -> bool:
    """``p.grad``, ``getattr(p, "grad")``, ``attrgetter("grad")``; not ``torch.autograd.grad``."""
    match node:
        case ast.Attribute(value=owner, attr="grad", ctx=ast.Load()):
            return (key(owner) or "").rpartition(".")[2] not in _TAKING
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value="grad"), *_]):
            return True
        case ast.Call(func=ast.Name(id="attrgetter") | ast.Attribute(attr="attrgetter"), args=args):
            return any(isinstance(a, ast.Constant) and isinstance(a.value, str) and a.value.split(".")[0] == "grad" for a in args)
    return False


def _only_asks(node: ast.AST) -> bool:
    """Whether a statement or comparison uses a gradient without its values: ``p.grad.zero_()``, ``p.grad is None``."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute(attr="grad") | ast.Attribute(value=ast.Attribute(attr="grad"), attr="data"), attr=method), args=[])):
            return method in _CLEARING
        case ast.Compare(left=ast.Attribute(attr="grad"), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
    return False
