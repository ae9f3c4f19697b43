"""Attributes that are named by a text: ``getattr(self, f"pool_{i}")`` is ``self.pool_*``, and stands for every attribute that is called so."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase

_ANY = "*"


def told_name(node: ast.expr) -> str:
    """The name that a text tells, with a star for each part that is computed; nothing where no part of it is written out."""
    parts: list[str] = []
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [str(part.value) if isinstance(part, ast.Constant) else _ANY for part in node.values]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        parts = [node.left.value.replace("%d", _ANY).replace("%s", _ANY).replace("%i", _ANY)]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [told_name(node.left) or _ANY, told_name(node.right) or _ANY]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format" and isinstance(node.func.value, ast.Constant):
        parts = [str(node.func.value.value).replace("{}", _ANY)]
    name = "".join(parts)
    return name if name.strip(_ANY) and name.replace(_ANY, "x").isidentifier() else ""


def as_attribute(node: ast.Call) -> ast.Attribute | None:
    """The attribute that ``getattr(self, "mask")``, ``setattr(self, f"mask{i}", m)`` read or set; None where its name is not told, or for any other call."""
    if not (isinstance(node.func, ast.Name) and node.func.id in ("getattr", "setattr") and len(node.args) > 1):
        return None
    name = told_name(node.args[1])
    return ast.copy_location(ast.Attribute(node.args[0], name, ast.Load()), node) if name else None


def meant(name: str, other: str) -> bool:
    """Whether two names of attributes can be one."""
    return name == other or _ANY in name and fnmatchcase(other, name) or _ANY in other and fnmatchcase(name, other)


def several(name: str) -> bool:
    """Whether a name stands for several attributes."""
    return _ANY in name
