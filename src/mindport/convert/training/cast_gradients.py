"""Casts to whole numbers of what may have a gradient: torch's have none, MindSpore hands it on as if nothing had been rounded.

``i = h.long(); w = h - i.float()`` has the gradient 1 in torch and 0 in MindSpore (2.10, PyNative and graphs, docs/differences/functions.md). A cast
matters where its operand may be floating and carry a gradient, and where its result may become a float again: indices, targets,
comparisons and Python's numbers end it.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from mindport.catalog import Entry
from mindport.convert.aliasing.regions import without_gradient
from mindport.convert.bind import Binding
from mindport.convert.context import Context
from mindport.convert.dtypes import WHOLE, WHOLE_CASTS, WHOLE_CLASSES
from mindport.convert.site import Site, bind_site, site
from mindport.convert.training.callers import arguments_around, arguments_of, carrying_argument
from mindport.convert.training.carrying import CUTTING, Carrying
from mindport.convert.training.leaves import leaves
from mindport.convert.training.names import FUNCTIONS, names, own_nodes, parameters
from mindport.convert.training.region import scopes_around
from mindport.inference import values as v

#: Methods of which whole numbers come out where whole numbers go in.
_KEEPING = frozenset(
    ["view", "reshape", "squeeze", "unsqueeze", "flatten", "permute", "transpose", "t", "contiguous", "clone", "expand", "expand_as", "repeat", "repeat_interleave", "chunk", "split", "unbind", "cpu", "cuda", "clamp", "clamp_", "clip", "roll", "flip", "gather", "index_select", "sum", "max", "min", "amax", "amin", "abs", "cumsum", "sort", "masked_fill", "fill_", "unique", "tile"]
) | WHOLE_CASTS
_KEEPING_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
#: Parameters through which torch takes whole numbers that no gradient reaches, and functions and layers that take nothing else so.
_TAKING = frozenset(["index", "indices", "repeats", "labels", "mask", "lengths", "batch_sizes"])
_TAKERS = ("Embedding", "EmbeddingBag", "CrossEntropyLoss", "NLLLoss", "embedding", "embedding_bag", "one_hot", "cross_entropy", "nll_loss", "bincount", "arange", "isin")
#: Functions that people call with data, one item or batch at a time.
_OF_DATA = frozenset(("__getitem__", "collate_fn", "collate"))


def casts_to_whole(context: Context, node: ast.AST) -> ast.expr | None:
    """The operand of a call that casts a tensor to whole numbers or truth values."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    given = [*node.args, *(k.value for k in node.keywords if k.arg in ("dtype", "other", "tensor"))]
    if node.func.attr in WHOLE_CASTS and not node.args:
        return node.func.value
    if node.func.attr in ("to", "type", "type_as") and any(_is_whole(context, part) for part in given):
        return node.func.value
    return None


def told_when_run(context: Context, node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The operand and the dtype of a tensor's cast whose dtype is whole in some of the calls that the project shows, and not in all."""
    match node:
        case ast.Call(func=ast.Attribute(value=operand, attr="to" | "type"), args=[dtype], keywords=[]) | ast.Call(
            func=ast.Attribute(value=operand, attr="to"), args=[], keywords=[ast.keyword(arg="dtype", value=dtype)]
        ) if (use := context.called.get(id(node))) is not None and use.name in ("torch.Tensor.to", "torch.Tensor.type"):
            found = [o.name if isinstance(o, v.Api) else "" for o in v.options(context.facts.value(dtype))]
            return (operand, dtype) if any(name in WHOLE for name in found) and any(name not in WHOLE for name in found) else None
    return None


def _is_whole(context: Context, node: ast.expr) -> bool:
    options = v.options(context.facts.value(node))
    return bool(options) and all(
        isinstance(o, v.Api) and o.name in WHOLE | WHOLE_CLASSES
        or isinstance(o, v.TensorValue) and o.dtype in WHOLE
        or isinstance(o, v.Const) and isinstance(o.value, str) and o.value.replace(".cuda", "") in WHOLE_CLASSES
        for o in options
    )


def hands_gradient_on(context: Context, call: ast.Call, operand: ast.expr) -> bool:
    """Whether a gradient may come in by the operand of a cast and go on from its result."""
    if isinstance(operand, (ast.Compare, ast.Constant)) or without_gradient(context, call) or not _may_be_float(context, operand):
        return False
    return may_carry(context, operand) and not _ends(context, call, frozenset())


def _may_be_float(context: Context, node: ast.expr) -> bool:
    return any(not isinstance(o, v.TensorValue) or o.dtype not in WHOLE for o in v.options(context.facts.value(node)) if not _is_object(o))


def _is_object(option: v.Value) -> bool:
    """Whether it is an object of the project's, which casts its parts in a method of its own (`Batch.to`)."""
    return isinstance(option, v.ProjectInstance) and "torch.Tensor" not in option.cls.scope.ancestors


# -- what comes in -----------------------------------------------------------------------


def may_carry(context: Context, operand: ast.expr) -> bool:
    """Whether a gradient may lead to an expression, for all that the project shows."""
    scopes = scopes_around(context, operand)
    carrying = Carrying(context.facts, scopes, context.file.tree)
    for scope in scopes:
        carrying.leaves |= {leaf.name for leaf in leaves(scope)}
        if isinstance(scope, FUNCTIONS):
            carrying.leaves |= {name for name in parameters(scope) if name not in ("self", "cls") and _is_given_one(context, scope, name)}
    return carrying.carries(operand, {})


def _is_given_one(context: Context, scope: ast.AST, name: str) -> bool:
    """Whether callers may give a function what carries a gradient: none of those that the project shows does."""
    if isinstance(scope, ast.Lambda):
        return True
    assert isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef))
    if scope.name in _OF_DATA:
        return False
    asked = context.shared.answers.setdefault(_is_given_one, {})
    if (id(scope), name) not in asked:
        asked[id(scope), name] = False  # a call of itself adds nothing
        shown = [] if scope.name in ("forward", "__call__") else list(arguments_of(context.files, scope, name))
        asked[id(scope), name] = not shown or carrying_argument(context.files, scope, name) is not None or any(_hands_parameter(context, *one) for one in shown) or _is_given_leaf(context, scope, name)
    return bool(asked[id(scope), name])


def _is_given_leaf(context: Context, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Whether a call shows a tensor that wants a gradient itself: ``penalty(x, torch.int64)``."""
    return any(leaf.name in names(given).reads for given, around in arguments_around(context.files, function, name) for scope in around for leaf in leaves(scope))


def _hands_parameter(context: Context, given: ast.expr, scope: ast.AST) -> bool:
    """Whether a caller hands on what it was given itself."""
    own = set(parameters(scope)) - {"self", "cls"} if isinstance(scope, FUNCTIONS) else set()
    return any(_is_given_one(context, scope, name) for name in own & set(names(given).reads))


# -- what goes on ------------------------------------------------------------------------


def _ends(context: Context, node: ast.expr, seen: frozenset[str]) -> bool:
    """Whether the value of an expression of whole numbers becomes no float with a gradient, wherever it goes."""
    parent = context.parents.get(id(node))
    match parent:
        case ast.Subscript(slice=index) if index is node or isinstance(index, (ast.Tuple, ast.Slice)):
            return True
        case ast.Subscript(value=whole) if whole is node:
            return _ends(context, parent, seen)
        case ast.Tuple() | ast.Slice() if isinstance(above := context.parents.get(id(parent)), ast.Subscript) and above.slice is parent:
            return True
        case ast.Compare() | ast.Expr() | ast.FormattedValue() | ast.UnaryOp(op=ast.Not()) | ast.If() | ast.While() | ast.Assert():
            return True
        case ast.UnaryOp():
            return _ends(context, parent, seen)
        case ast.BinOp(op=operator, left=left, right=right):
            other = right if left is node else left
            return isinstance(operator, _KEEPING_OPERATORS) and _is_whole_operand(context, other) and _ends(context, parent, seen)
        case ast.Attribute(attr=name):
            return _ends_by(context, parent, name, seen)
        case ast.Call():
            return _is_taken(context, parent, node)
        case ast.keyword():
            call = context.parents.get(id(parent))
            return isinstance(call, ast.Call) and _is_taken(context, call, node)
        case ast.Assign(targets=[ast.Name(id=name)]):
            return _reads_end(context, parent, name, seen)
        case ast.comprehension(iter=iterated):
            return iterated is not node
    return False


def _is_whole_operand(context: Context, node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    if casts_to_whole(context, node) is not None:
        return True
    options = v.options(context.facts.value(node))
    return bool(options) and all(
        isinstance(o, v.TensorValue) and o.dtype in WHOLE or isinstance(o, v.Builtin) and o.type in ("int", "bool") or isinstance(o, v.Const) and isinstance(o.value, int) for o in options
    )


def _ends_by(context: Context, read: ast.Attribute, name: str, seen: frozenset[str]) -> bool:
    """Whether an attribute, or a method that is called, ends it."""
    if name in CUTTING - WHOLE_CASTS - {"data"}:
        return True
    call = context.parents.get(id(read))
    if not isinstance(call, ast.Call) or call.func is not read:
        return name == "T" and _ends(context, read, seen)
    keeps = name in _KEEPING or name == "to" and not any(isinstance(o, v.Api) and o.name not in WHOLE for part in call.args for o in v.options(context.facts.value(part)))
    return keeps and _ends(context, call, seen)


def _is_taken(context: Context, call: ast.Call, node: ast.expr) -> bool:
    """Whether a call takes whole numbers where no gradient reaches them."""
    if isinstance(call.func, ast.Name) and call.func.id in ("int", "float", "bool", "len", "range", "print", "str"):
        return True
    if isinstance(call.func, ast.Attribute) and call.func.attr in CUTTING - WHOLE_CASTS:
        return True  # preds.eq(labels)
    options = v.options(context.facts.value(call.func))
    for option in options:
        name = option.name if isinstance(option, v.Api) else option.cls if isinstance(option, v.Instance) else ""
        if name.rpartition(".")[2] in _TAKERS:
            continue
        use = context.called.get(id(call))
        if use is None or not any(_takes(site(use), entry, node) for entry in context.shared.catalog.find(use.name)):
            return False
    return True


def _takes(place: Site, entry: Entry, node: ast.expr) -> bool:
    """Whether the call gives the expression to such a parameter."""
    binding = bind_site(place, entry)
    return isinstance(binding, Binding) and any(given is node and name in _TAKING for name, given in binding.given.items())


def _reads_end(context: Context, statement: ast.Assign, name: str, seen: frozenset[str]) -> bool:
    """Whether every place of the function that reads the name ends it."""
    if name in seen:
        return True
    scope = scopes_around(context, statement)[0]
    return all(_ends(context, part, seen | {name}) for part in _reads(scope, name)) and not _is_captured(scope, name)


@lru_cache(maxsize=4096)
def _all_reads(scope: ast.AST) -> dict[str, list[ast.Name]]:
    found: dict[str, list[ast.Name]] = {}
    for part in own_nodes(scope):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            found.setdefault(part.id, []).append(part)
    return found


def _reads(scope: ast.AST, name: str) -> list[ast.Name]:
    return _all_reads(scope).get(name, [])


def _is_captured(scope: ast.AST, name: str) -> bool:
    return any(isinstance(part, FUNCTIONS) and name in names(part).reads for part in own_nodes(scope))
