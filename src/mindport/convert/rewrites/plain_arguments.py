"""``torch.randint(0, lengths.max(), (n,))`` becomes ``…(0, int(lengths.max()), (n,))``, ``nn.Linear(a, b, bias=opt.bias)`` ``…bias=bool(opt.bias)``, ``F.max_pool2d(x, [2, 2])`` ``…(2, 2)``.

torch takes a tensor of one element where a whole number belongs, anything that is true or false for a truth value, and a whole number
for a small one that is added (``eps=1``); MindSpore takes Python's own, and tuples where torch takes lists, too. Whether a layer has a bias is asked for what options and tables hold, and for what is known to be no truth value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from mindport.catalog import Entry
from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.walking import walk

#: Parameters that are whole numbers, or hold them.
WHOLE = frozenset(("size", "high", "low", "chunks", "minlength", "shifts", "pad", "steps", "split_size_or_sections"))
#: Parameters of windows that MindSpore takes in tuples; layers with weights make tuples of lists themselves.
WINDOWS = frozenset(("kernel_size", "stride", "padding", "dilation", "output_padding"))
#: Parameters of layers that say whether there is something.
TRUTH = frozenset(("bias", "affine", "elementwise_affine"))
#: Parameters that are numbers with a fraction.
FRACTION = frozenset(("eps",))
#: What a constant is written as at once.
_WRITTEN: dict[str, Callable[[Any], object]] = {"bool": bool, "float": float}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan `int` and `bool` around such arguments."""
    for same_place in uses.values():
        use = same_place[0]
        if len(same_place) != 1 or not isinstance(use.node, ast.Call):
            continue
        for argument, wanted in {id(a): (a, kind) for a, kind in _wanted_by(context, use, use.node)}.values():
            if wanted in ("bool", "held") and (_is_held(context, argument) or _is_none_or_numpys(context, argument) or wanted == "bool" and _is_no_truth_value(context, argument)):
                context.plan(argument, lambda a=argument: _wrap(context, a, "bool"), last=True)  # type: ignore[misc]
            if wanted == "float" and _is_whole(context, argument):
                context.plan(argument, lambda a=argument: _wrap(context, a, "float"), last=True)  # type: ignore[misc]
            if wanted == "tuple" and _is_list(context, argument):
                context.plan(argument, lambda a=argument: _as_tuple(context, a), last=True)  # type: ignore[misc]
            for number in argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else [argument]:
                if wanted == "int" and _is_tensor(context, number):
                    context.plan(number, lambda a=number: _wrap(context, a, "int"), last=True)  # type: ignore[misc]


def seen_by_the_body(context: Context, use: Use, call: ast.Call) -> frozenset[int]:
    """``id(argument)`` of those whose numbers the equivalent's own body makes truth values of."""
    return frozenset(id(argument) for argument, kind in _wanted_by(context, use, call) if kind == "held")


def _wanted_by(context: Context, use: Use, call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    entries = [e for e in context.shared.catalog.find(use.name) if e.kind in ("function", "layer") and e.arguments is not None]
    yield from ((argument, kind) for e in entries for argument, kind in _bound(e, use, call) if kind)


def _bound(entry: Entry, use: Use, call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """Each argument of the call with what an overload takes there: "int", "tuple", "bool", "held" where its body sees numbers itself, or ""."""
    signature = entry.arguments
    assert signature is not None
    names = [a.arg for a in (*signature.posonlyargs, *signature.args)]
    names = names[1:] if use.kind == "method" else names
    rest = signature.vararg.arg if signature.vararg else ""
    for place, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            break
        yield argument, _wanted(entry, names[place] if place < len(names) else rest)
    yield from ((k.value, _wanted(entry, k.arg)) for k in call.keywords if k.arg)


def _wanted(entry: Entry, name: str) -> str:
    if name in FRACTION:
        return "float"
    if name == "output_size" or name in WINDOWS and entry.kind == "function" and entry.name.startswith("torch.nn."):
        return "tuple"
    if entry.kind == "layer":
        return "" if name not in TRUTH else "held" if _sees(entry.callable or ast.Pass(), name) else "bool"
    return "int" if name in WHOLE else ""


def _sees(body: ast.AST, name: str) -> bool:
    """Whether an equivalent's body makes a whole number of an argument that tells truth."""
    return any(isinstance(n, ast.Call) and ast.unparse(n) == f"seen_int({name})" for n in walk(body))


def _is_tensor(context: Context, node: ast.expr) -> bool:
    """Whether it is a tensor, or may be one where it is no number; Python's `sum`, `max` and `min` of tensors are tensors."""
    options = v.options(context.facts.value(node))
    if any(isinstance(o, v.TensorValue) for o in options):
        return all(isinstance(o, (v.TensorValue, v.Const, v.Builtin)) for o in options)
    match node:
        case ast.Call(func=ast.Name(id="sum" | "max" | "min"), args=arguments) if arguments:
            return any(isinstance(o, v.TensorValue) for a in arguments for o in v.options(context.facts.value(a)))
    return False


def _is_held(context: Context, node: ast.expr) -> bool:
    """Whether it is held by options or a table of which nothing is known."""
    if not isinstance(node, (ast.Attribute, ast.Subscript)) or not all(isinstance(o, v.Unknown) for o in v.options(context.facts.value(node))):
        return False
    return not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self")


def _is_none_or_numpys(context: Context, node: ast.expr) -> bool:
    options = v.options(context.facts.value(node))
    return any(o == v.NONE or v.is_array(o) for o in options)


def _is_no_truth_value(context: Context, node: ast.expr) -> bool:
    """Whether it may be a number or text."""
    return any(
        isinstance(o, v.Const) and type(o.value) in (int, float, str) or isinstance(o, v.Builtin) and o.type in ("int", "float", "str")
        for o in v.options(context.facts.value(node))
    )  # fmt: skip


def _is_whole(context: Context, node: ast.expr) -> bool:
    """Whether it may be a whole number."""
    return any(isinstance(o, v.Const) and type(o.value) is int or o == v.Builtin("int") for o in v.options(context.facts.value(node)))


def _is_list(context: Context, node: ast.expr) -> bool:
    """Whether it is a list, wherever anything is known about it."""
    options = v.options(context.facts.value(node))
    return isinstance(node, ast.List) or bool(options) and all(isinstance(o, v.Sequence) and o.type == "list" for o in options)


def _as_tuple(context: Context, node: ast.expr) -> None:
    """``[2, 2]`` → ``(2, 2)``, a list under a name → ``tuple(sizes)``."""
    if not isinstance(node, ast.List):
        context.editing.wrap(node, "tuple")
        return
    span = context.editing.span(node)
    held = context.editing.current(*span)[1:-1].strip().removesuffix(",")
    context.editing.replace(*span, f"({held},)" if len(node.elts) == 1 else f"({held})")


def _wrap(context: Context, node: ast.expr, kind: str) -> None:
    if isinstance(node, ast.Constant) and kind in _WRITTEN:
        context.editing.replace(*context.editing.span(node), str(_WRITTEN[kind](node.value)))
    else:
        context.editing.wrap(node, kind)
