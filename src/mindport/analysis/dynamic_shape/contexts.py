"""What the forward pass of an autograd function keeps on its context, and the backward pass reads there: as attributes of the class."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape.abstract import Abstract, container
from mindport.inference.scopes import ClassScope

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Engine
    from mindport.analysis.dynamic_shape.statements import Frame

#: Where an attribute of the context stands among those of the class.
_KEPT = "ctx."
_SAVING, _SAVED = "save_for_backward", ("saved_tensors", "saved_variables")


def contexts_of(engine: Engine) -> dict[int, tuple[ClassScope, str]]:
    """Of the static methods of autograd functions, by the id of their node: the class, and what they call the context."""
    return {
        id(method.node): (cls, method.node.args.args[0].arg)
        for module in engine.subject.inference.modules.modules.values() for cls in module.classes if torch_names.OWN_BACKWARD in cls.ancestors
        for method in cls.methods.values() if method.kind == "static" and method.node.args.args
    }  # fmt: skip


def _context(frame: Frame, node: ast.expr) -> ClassScope | None:
    if not frame.engine.contexts or not isinstance(node, ast.Name):
        return None
    cls, name = frame.engine.contexts.get(id(frame.routine.node), (None, ""))
    return cls if node.id == name else None


def kept_on_context(frame: Frame, node: ast.Attribute) -> Abstract | None:
    """``ctx.mask``, ``ctx.saved_tensors``: what the other pass has put there; None where it is no context, or nothing is known."""
    cls = _context(frame, node.value)
    return frame.engine.read(cls, _KEPT + (_SAVING if node.attr in _SAVED else node.attr), frame.routine) if cls is not None else None


def keep_on_context(frame: Frame, node: ast.Attribute, value: Abstract) -> None:
    """``ctx.mask = x > 0``."""
    cls = _context(frame, node.value)
    if cls is not None:
        frame.engine.store(cls, _KEPT + node.attr, value)


def saved(frame: Frame, node: ast.Call, values: list[Abstract]) -> bool:
    """``ctx.save_for_backward(x, mask)``: whether a call is that; its tensors are then told."""
    cls = _context(frame, node.func.value) if isinstance(node.func, ast.Attribute) and node.func.attr == _SAVING else None
    if cls is not None:
        frame.engine.store(cls, _KEPT + _SAVING, container(tuple(values)))
    return cls is not None
