"""``conv.weight.view(-1)`` of a one-dimensional convolution becomes ``conv.weight.squeeze(2).view(-1)``.

MindSpore stores these weights with an axis of length 1 more. It is taken out where the value is read: in arithmetic, in
calls of torch's functions, in those of the project's own whose result a module's method takes up, as the receiver of methods that change nothing; and put in where a whole value is written
(``conv.weight.data = w``, ``copy_``, ``nn.Parameter(w)``). Where the parameter itself is handed on the text stays, and the
finding says that the axis is there.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.declare import Layout
from mindport.inference import values as v
from mindport.inference.facts import Use

#: What the parameter has as torch's has it, or what leads to a change of it.
_OF_THE_PARAMETER = frozenset(("data", "grad", "requires_grad", "dtype", "device", "is_leaf", "name", "numel", "nelement", "is_cuda", "detach"))
PARAMETER = "torch.nn.Parameter"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``.squeeze(axis)`` behind every such weight whose value is read."""
    inside = _around_such(context, uses)
    for same_place in uses.values():
        use = same_place[0]
        found = context.shared.catalog.layer_attribute(use.name) if len(same_place) == 1 and use.kind in ("attribute", "store") else None
        if found is None or not isinstance(use.node, ast.Attribute):
            continue
        entry, attribute = found
        stored = entry.state.get(attribute)
        if not isinstance(stored, Layout) or stored.name != attribute:
            continue
        written = _written(context, use.node)
        if written is not None and id(written) not in inside:
            context.plan(written, lambda n=written, a=stored.insert_axis: _expand(context, n, a), last=True)  # type: ignore[misc]
            if use.kind == "attribute":
                context.claimed.add(id(use.node))
                text = context.file.segment(use.node)
                context.record(use, "same", text, text, entry)
        elif use.kind == "attribute" and isinstance(use.node.ctx, ast.Load) and _is_read(context, use.node):
            context.claimed.add(id(use.node))
            context.plan(use.node, lambda u=use, e=entry, a=stored.insert_axis: _write(context, u, e, a))  # type: ignore[misc]


def _around_such(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> set[int]:
    """What holds a weight that has the axis itself."""
    found: set[int] = set()
    for same_place in uses.values():
        use = same_place[0]
        of = context.shared.catalog.layer_attribute(use.name) if use.kind == "attribute" else None
        if of is not None and isinstance(of[0].state.get(of[1]), Layout):
            node: ast.AST | None = use.node
            while isinstance(node, ast.expr):
                found.add(id(node))
                node = context.parents.get(id(node))
    return found


def _written(context: Context, node: ast.Attribute) -> ast.expr | None:
    """The value that takes the whole parameter's place."""
    target: ast.AST = node
    parent = context.parents.get(id(node))
    if isinstance(parent, ast.Attribute) and parent.attr == "data":
        target, parent = parent, context.parents.get(id(parent))
    if isinstance(parent, ast.Attribute) and parent.attr == "copy_":
        call = context.parents.get(id(parent))
        return call.args[0] if isinstance(call, ast.Call) and call.func is parent and call.args else None
    if not isinstance(parent, ast.Assign) or parent.targets != [target]:
        return None
    if target is not node:
        return parent.value
    made = parent.value
    if isinstance(made, ast.Call) and made.args and not isinstance(made.args[0], ast.Starred):
        called = context.facts.value(made.func)
        return made.args[0] if isinstance(called, v.Api) and called.name == PARAMETER else None
    return None


def _expand(context: Context, value: ast.expr, axis: int) -> None:
    editing = context.editing
    start, end = editing.span(value)
    text = editing.current(start, end)
    if not isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
        text = f"({text})"
    editing.replace(start, end, f"{text}.expand_dims({axis})")


def _is_read(context: Context, node: ast.Attribute) -> bool:
    parent = context.parents.get(id(node))
    match parent:
        case ast.Attribute(attr=attr):
            return attr not in _OF_THE_PARAMETER and not attr.endswith("_")
        case ast.BinOp() | ast.UnaryOp():
            return True
        case ast.Subscript(value=value, ctx=ast.Load()):
            return value is node
        case ast.keyword():
            parent = context.parents.get(id(parent))
    if not isinstance(parent, ast.Call) or parent.func is node:
        return False
    called = context.facts.value(parent.func)
    if isinstance(called, v.ProjectFunction):
        return _computes(context, parent)
    return isinstance(called, v.Api) and called.name.startswith("torch.") and not called.name.startswith("torch.nn.init.") and called.name.rpartition(".")[2][:1].islower() and not called.name.endswith("_")


def _computes(context: Context, call: ast.Call) -> bool:
    """Whether a call of the project's function stands where a module computes (``rearrange(self.conv.weight, "d 1 w -> d w") * x``): its result is taken up, and the method makes nothing."""
    inner: ast.AST | None = call
    while inner is not None and not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
        inner = context.parents.get(id(inner))
    of_module = isinstance(inner, ast.FunctionDef) and MODULE in context.facts.ancestors.get(context.parents.get(id(inner)), ())  # type: ignore[call-overload]
    makes = isinstance(inner, ast.FunctionDef) and any(word in inner.name for word in ("init", "reset", "load"))
    return of_module and not makes and not isinstance(context.parents.get(id(call)), ast.Expr)


def _write(context: Context, use: Use, entry: object, axis: int) -> None:
    assert isinstance(use.node, ast.Attribute)
    old = context.file.segment(use.node)
    context.editing.insert(context.editing.span(use.node)[1], f".squeeze({axis})")
    context.record(use, "rewritten", old, f"{old}.squeeze({axis})", entry)  # type: ignore[arg-type]
