"""``hasattr(torch, "compile")``, ``getattr(torch.backends, "mps", None) is not None`` and ``hasattr(net, "insert")``: questions that have one answer.

MindSpore's modules and layers have other names. Of torch's own modules what knowledge has an equivalent of is there; of a layer, a tensor or a project's
module what torch's class or the project's has as a method.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.rewrites.backend_settings import SETTINGS
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use

TENSOR = "torch.Tensor"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the answers."""
    for place, answer, call in answers(context):
        context.claim(call)
        context.plan(place, lambda p=place, a=answer: _write(context, p, a), last=True)  # type: ignore[misc]


def _write(context: Context, place: ast.expr, answer: bool) -> None:
    """The answer; in front of ``and`` and ``or`` what decides nothing goes: ``True and flag`` is ``flag``."""
    start, end = context.editing.span(place)
    match context.parents.get(id(place)):
        case ast.BoolOp(op=op, values=[first, second, *_]) if first is place and answer == isinstance(op, ast.And):
            behind = context.editing.span(second)[0]
            if context.editing.text[end:behind].strip() == ("and" if answer else "or"):
                context.editing.replace(start, behind, "")
                return
    context.editing.replace(start, end, str(answer))


def answers(context: Context) -> list[tuple[ast.expr, bool, ast.Call]]:
    """Every question that is decided: the expression, its answer, and the call that asks."""
    found = []
    for node in context.file.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("hasattr", "getattr") and not node.keywords:
            place, answer = asked(context, node) if node.func.id == "hasattr" else _compared(context, node)
            if answer is not None:
                found.append((place, answer, node))
    return found


def asked(context: Context, node: ast.Call) -> tuple[ast.expr, bool | None]:
    """What a call of `hasattr` answers, where that is known."""
    match node.args:
        case [owner, ast.Constant(value=str(name))]:
            module = _module(context, owner)
            return node, _offers(context, module, name) if module else True if _is_method(context, owner, name) else None
    return node, None


def _compared(context: Context, node: ast.Call) -> tuple[ast.expr, bool | None]:
    """``getattr(module, "name", None)`` where only its presence counts: of a module inside of a module, which is true."""
    match node.args:
        case [owner, ast.Constant(value=str(name)), ast.Constant(value=None)] if (module := _module(context, owner)) and _kind(f"{module}.{name}") in ("module", ""):
            there = _offers(context, module, name)
            match context.parents.get(id(node)):
                case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]) as above if left is node and there is not None:
                    return above, there == isinstance(op, ast.IsNot)
                case ast.If(test=test) | ast.IfExp(test=test) | ast.UnaryOp(op=ast.Not(), operand=test) if test is node:
                    return node, there
                case ast.BoolOp():
                    return node, there
    return node, None


def _module(context: Context, owner: ast.expr) -> str:
    """The name of torch's module that an expression is; none of a backend's settings."""
    value = context.facts.value(owner)
    name = value.name if isinstance(value, v.Api) else ""
    return name if name == "torch" or (_kind(name) == "module" and not name.startswith(SETTINGS)) else ""


def _kind(name: str) -> str:
    known = torchfacts.lookup(torchfacts.canonical(name))
    return known.kind if known is not None else ""


def _offers(context: Context, module: str, name: str) -> bool | None:
    """Whether the converted program has it; None of private names, which are not known."""
    if name.startswith("_"):
        return None
    full = torchfacts.canonical(f"{module}.{name}")
    return _kind(full) == "module" or any(entry.kind != "absent" for entry in context.shared.catalog.find(full))


def _is_method(context: Context, owner: ast.expr, name: str) -> bool:
    """Whether all that an expression may be has a method of that name; `forward` is asked for under another name."""
    options = v.options(context.facts.value(owner))
    return bool(options) and name != "forward" and all(_has(option, name) for option in options)


def _has(option: v.Value, name: str) -> bool:
    match option:
        case v.TensorValue():
            above: tuple[str, ...] = (TENSOR,)
        case v.Instance(cls=cls) if torchfacts.MODULE in torchfacts.ancestors(cls):
            above = (cls,)
        case v.ProjectInstance(cls=own) if torchfacts.MODULE in own.scope.ancestors:
            if any(name in one.methods for one in own.scope.mro):
                return True
            above = own.scope.ancestors
        case _:
            return False
    return any(found is not None and found.kind == "function" for found in (torchfacts.member(cls, name) for cls in above))
