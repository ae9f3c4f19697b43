"""``x[rows] = v`` where the data decide how many rows there are: ``index_put_(x, (rows,), v)``, which may find none.

MindSpore's CPU raises ValueError where a tensor alone is the index and holds nothing ("select with an empty condition
list"), torch writes nothing. Masks, slices and several indices are right as they are. Which places are meant is followed
by names within a function: what ``nonzero``, ``where(condition)`` and their kin gave, and what was made of it.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.scopes import SCOPES
from mindport.convert.training.names import own_nodes
from mindport.forms import public
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.inplace_indexing"
PUT = "index_put_"
#: Results whose number of elements the data decide.
COUNTED = frozenset(
    f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in ("nonzero", "argwhere", "masked_select", "unique", "unique_consecutive")
) | {"torch.ops.torchvision.nms", "torchvision.ops.nms", "torchvision.ops.batched_nms", "torchvision.ops.remove_small_boxes"}
#: Results of one element each, unless an axis is named: their size is settled.
REDUCED = frozenset(f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in ("sum", "mean", "prod", "max", "min", "any", "all", "norm", "std", "var")) | {"torch.Tensor.item"}
#: The same, unless they are asked for every element's.
LOSSES = frozenset(
    f"torch.nn.functional.{name}" for name in (
        "l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy", "nll_loss",
    )
)  # fmt: skip

BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For)
Binding = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.For
_SYMBOLS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored function for every such statement."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    named = {id(use.node): use.name for same_place in uses.values() for use in same_place}
    done: set[int] = set()
    for scope in context.file.nodes:
        if isinstance(scope, SCOPES):
            statements = [node for node in own_nodes(scope) if isinstance(node, BINDING)]
            counted = counted_names(context, statements, named)
            for statement in statements:
                target = _written(context, statement)
                if target is not None and id(statement) not in done and is_counted(context, target.slice, counted, named):
                    done.add(id(statement))
                    context.plan(statement, lambda s=statement, t=target: _write(context, s, t), last=True)  # type: ignore[misc]


def counted_names(context: Context, statements: list[Binding], named: dict[int, str]) -> set[str]:
    """Names of tensors whose size the data decide, by assignment, through assignments."""
    found: set[str] = set()
    while True:
        before = len(found)
        for statement in statements:
            value = statement.iter if isinstance(statement, ast.For) else statement.value
            if value is None or isinstance(statement, ast.AugAssign) or not is_counted(context, value, found, named):
                continue
            for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                found |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if len(found) == before:
            return found


def is_counted(context: Context, node: ast.AST, counted: set[str], named: dict[int, str]) -> bool:
    """Whether the data decide the size of an expression's value."""
    name = named.get(id(node), "")
    if isinstance(node, ast.Call) and _gives_one(node, name):
        return False
    if isinstance(node, ast.Name) and node.id in counted:
        return True
    if name in COUNTED or (name == "torch.where" and isinstance(node, ast.Call) and len(node.args) + len(node.keywords) == 1):
        return True
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and _is_mask(context, node.slice):
        return True
    return any(is_counted(context, child, counted, named) for child in ast.iter_child_nodes(node))


def _gives_one(call: ast.Call, name: str) -> bool:
    name = public(name)
    if name in LOSSES:
        return not any(k.arg in (None, "reduction", "reduce") for k in call.keywords) or any(
            k.arg == "reduction" and isinstance(k.value, ast.Constant) and k.value.value != "none" for k in call.keywords
        )
    return name in REDUCED and not call.keywords and len(call.args) == (0 if name.startswith("torch.Tensor.") else 1)


def _is_mask(context: Context, index: ast.expr) -> bool:
    options = v.options(context.facts.value(index))
    return bool(options) and all(isinstance(o, v.TensorValue) and o.dtype == "torch.bool" for o in options)


def _written(context: Context, statement: ast.stmt) -> ast.Subscript | None:
    """The ``x[i]`` of ``x[i] = v`` or ``x[i] += v`` (both named), where x and i are tensors and i is no mask."""
    if isinstance(statement, ast.AugAssign) and type(statement.op) in _SYMBOLS:
        target = statement.target
        if not (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and isinstance(target.slice, ast.Name)):
            return None
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Subscript):
        target = statement.targets[0]
    else:
        return None
    for part in (target.value, target.slice):
        options = v.options(context.facts.value(part))
        if not options or not all(isinstance(o, v.TensorValue) for o in options):
            return None
    return None if _is_mask(context, target.slice) else target


def _write(context: Context, statement: ast.stmt, target: ast.Subscript) -> None:
    assert isinstance(statement, ast.Assign | ast.AugAssign)
    name = context.definition(KNOWLEDGE, PUT)
    editing = context.editing
    base, index, value = (editing.current(*editing.span(n)) for n in (target.value, target.slice, statement.value))
    if isinstance(statement, ast.AugAssign):
        value = f"{base}[{index}] {_SYMBOLS[type(statement.op)]} {f'({value})' if isinstance(statement.value, ast.BinOp | ast.IfExp | ast.Compare) else value}"
    editing.replace(*editing.span(statement), f"{name}({base}, ({index},), {value})")
