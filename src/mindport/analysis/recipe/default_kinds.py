"""Layers that a constructor's parameter holds by default: ``def __init__(self, norm_layer=nn.InstanceNorm2d)``, where a call leaves it so."""

from __future__ import annotations

import ast

from mindport.analysis.recipe.following import Follower
from mindport.source.defaults import parameters_and_defaults
from mindport.source.file import SourceFile


def made_by_default(follower: Follower, file: SourceFile, node: ast.AST) -> bool:
    """Whether `node` is the default of a parameter that its constructor calls, and some call of the class gives none in its place."""
    for cls in file.nodes:
        made = next((f for f in cls.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"), None) if isinstance(cls, ast.ClassDef) else None
        name = next((a.arg for a, default in parameters_and_defaults(made.args) if default is node), "") if made is not None else ""
        if made is None or not isinstance(cls, ast.ClassDef) or not name:
            continue
        named = [a.arg for a in [*made.args.posonlyargs, *made.args.args]][1:]
        uses = any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) for n in ast.walk(made))
        return uses and any(_leaves(call, named, name) for _, call in follower.calls_of(cls.name))
    return False


def _leaves(call: ast.Call, named: list[str], name: str) -> bool:
    """Whether a call gives a parameter neither by name nor by place, and unpacks nothing."""
    by_place = name in named and named.index(name) < len(call.args)
    return not by_place and not any(k.arg in (None, name) for k in call.keywords) and not any(isinstance(a, ast.Starred) for a in call.args)
