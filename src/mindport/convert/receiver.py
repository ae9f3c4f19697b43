"""``x.foo(a)`` becomes ``foo(x, a)``: the receiver moves in front of the arguments, where it is evaluated as before."""

from __future__ import annotations

import ast

from mindport.convert.editing import Editing
from mindport.convert.retarget import Parentheses


def split(editing: Editing, node: ast.Attribute) -> tuple[str, str]:
    """(the object's text as edited, what stands between it and the dot where that holds a comment)."""
    start = editing.span(node)[0]
    text, at = editing.text, editing.span(node.value)[1]
    dot = editing.span(node)[1] - len(node.attr)
    while not text[:dot].endswith("."):
        dot -= 1
    dot -= 1
    end = at
    while at < dot and text[at] != "#":
        if text[at] == ")":
            end = at + 1
        at += 1
    between = text[end:dot]
    own = object_of_super(editing, node.value)
    return own or _without_parentheses(node.value, editing.current(start, end)), between if "#" in between else ""


def _without_parentheses(receiver: ast.expr, text: str) -> str:
    """``(a - b).norm()``: what only the dot wanted in parentheses stands without them among arguments, but for what fills several lines."""
    if isinstance(receiver, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp)) and text.startswith("(") and text.endswith(")") and "\n" not in text:
        return text[1:-1].strip(" ")
    return text


def object_of_super(editing: Editing, receiver: ast.expr) -> str:
    """The object behind ``super()``: what calls a base's method on it as a function needs the object itself."""
    if not (isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Name) and receiver.func.id == "super"):
        return ""
    if len(receiver.args) == 2:
        return editing.file.segment(receiver.args[1])
    place, found = receiver.lineno, ""
    for function in editing.file.nodes:  # outer functions come before inner ones: the innermost stays
        if isinstance(function, ast.FunctionDef) and function.lineno <= place <= (function.end_lineno or 0):
            parameters = [*function.args.posonlyargs, *function.args.args]
            found = parameters[0].arg if parameters else found
    return found


def as_first_argument(editing: Editing, call: ast.Call, name: str, has_arguments: bool) -> None:
    """Plan the edit; arguments and what is planned at their border stay where they are."""
    assert isinstance(call.func, ast.Attribute)
    opened = Parentheses(editing, call).open + 1
    receiver, between = split(editing, call.func)
    comma = ", " if has_arguments else ""
    if comma and (between or editing.text[opened:].lstrip(" ").startswith("\n")):
        comma = ","
    if has_arguments and len(call.args) == 1 and isinstance(call.args[0], ast.GeneratorExp) and editing.span(call.args[0])[0] < opened:
        comma += "("  # the call's parentheses were the generator's own
        end = editing.span(call)[1]
        editing.replace(end - 1, end, "))")
    editing.replace(editing.span(call)[0], opened, f"{name}({receiver}{comma}{between}")
