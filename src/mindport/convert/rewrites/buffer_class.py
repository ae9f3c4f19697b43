"""``self.table = nn.Buffer(t)``: MindSpore has no class of buffers; the module registers the tensor under the attribute's name.

``setattr(self, name, nn.Buffer(t))`` is the same of a name that the program computes.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.facts import Use

BUFFERS = ("torch.nn.Buffer", "torch.nn.parameter.Buffer")
REGISTER = "register_buffer"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the registrations."""
    for same_place in uses.values():
        use = same_place[0]
        if use.name not in BUFFERS or use.kind != "call" or not isinstance(use.node, ast.Call):
            continue
        given = _given(use.node)
        place = _place(context, use.node)
        if given is None or place is None:
            continue
        context.claimed.add(id(use.node))
        context.record(use, "rewritten", context.file.segment(use.node), REGISTER)
        context.plan(place[0], lambda p=place, g=given: _write(context, *p, *g), last=True)  # type: ignore[misc]


def _given(call: ast.Call) -> tuple[ast.expr, ast.expr | None] | None:
    """The tensor and the text of `persistent`; None of other arguments."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if len(call.args) + len(keywords) > 2 or not keywords.keys() <= {"data", "persistent"} or any(isinstance(a, ast.Starred) for a in call.args[:1]):
        return None
    data = call.args[0] if len(call.args) == 1 else keywords.get("data") if not call.args else None
    return None if data is None else (data, keywords.get("persistent"))


def _place(context: Context, call: ast.Call) -> tuple[ast.AST, ast.expr, str | ast.expr] | None:
    """What is replaced, the module, and the name of its attribute."""
    match context.parents.get(id(call)):
        case ast.Assign(targets=[ast.Attribute(value=owner, attr=name)]) as statement:
            return statement, owner, name
        case ast.AnnAssign(target=ast.Attribute(value=owner, attr=name)) as statement:
            return statement, owner, name
        case ast.Call(func=ast.Name(id="setattr"), args=[owner, name, last], keywords=[]) as setting if last is call:
            return setting, owner, name
    return None


def _write(context: Context, place: ast.AST, owner: ast.expr, name: str | ast.expr, data: ast.expr, persistent: ast.expr | None) -> None:
    def current(node: ast.expr) -> str:
        return context.editing.current(*context.editing.span(node))

    named = f'"{name}"' if isinstance(name, str) else current(name)
    value = f"({current(data)})" if isinstance(data, ast.NamedExpr) and not current(data).startswith("(") else current(data)
    saved = "" if persistent is None else f", persistent={current(persistent)}"
    context.editing.replace(*context.editing.span(place), f"{current(owner)}.{REGISTER}({named}, {value}{saved})")
