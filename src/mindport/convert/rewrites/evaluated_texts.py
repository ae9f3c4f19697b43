"""``eval("nn.Upsample")``: a text that a program evaluates names the vendored form, ``torch_equivalents.Upsample``, for `nn` is MindSpore's from now on.

So do tables of layers (``[-1, 1, nn.Upsample, [None, 2, 'nearest']]`` in a YAML file, ``["nn.ReLU()", …]``) that ``m = eval(m)`` reads. Only in projects that
evaluate what a value says where `nn` is ``torch.nn``. Configuration files: `named_in_settings`. In a package's own files the text stays, and is told (MP107),
and so is everywhere what begins with a module of torch's and is put together when the program runs (``eval(f"nn.{name}()")``): MindSpore's own layer of that name
may have other defaults.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from mindport.convert.context import Context, Files
from mindport.convert.imports import local_name
from mindport.convert.rewrites.paths_in_texts import called_by
from mindport.inference.facts import Use

#: A layer as such texts name it.
NAME = r"nn\.[A-Z]\w*"
_TEXT = re.compile(rf"({NAME})(\(.*\))?", re.DOTALL)
_OWNER = "torch."


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored names in texts, and the import of the vendored module where texts are evaluated."""
    for node in context.file.nodes:
        if _is_evaluation(node) and (module := _begins_with(context, node.args[0])):  # type: ignore[attr-defined]
            why = f"the text is put together when the program runs and names something in {module}, whose names are MindSpore's there or stand for nothing: write a dictionary of what it may be"
            context.report("MP107", why, node, api=module, mark=True)
    if not context.once(evaluates_texts):
        return
    named = False
    for node in context.file.nodes:
        match = _TEXT.fullmatch(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
        if match and not isinstance(context.parents.get(id(node)), ast.Expr | ast.JoinedStr) and called_by(context.shared.catalog, _OWNER + match[1]):
            context.plan(node, lambda n=node, name=match[1]: _write(context, n, name))  # type: ignore[misc]
            named = True
    if (named or context.shared.evaluated) and not context.vendored_module.startswith(".") and _evaluates(context.file.nodes):
        context.imports.local(context.vendored_module, None, context.vendored_module)


def evaluates_texts(project: Files) -> bool:
    """Whether a project evaluates what a value says where `nn` is ``torch.nn``."""
    return any(_evaluates(file.nodes) for file, _ in project)


def _evaluates(nodes: Sequence[ast.AST]) -> bool:
    return any(_is_evaluation(node) for node in nodes) and any(_binds_nn(node) for node in nodes)


def _is_evaluation(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="eval"), args=[first]):
            return not isinstance(first, ast.Constant) or isinstance(first.value, str) and _TEXT.fullmatch(first.value) is not None
    return False


def _binds_nn(node: ast.AST) -> bool:
    """``from torch import nn``, ``import torch.nn as nn``."""
    if isinstance(node, ast.ImportFrom):
        return node.module == "torch" and any(alias.name == "nn" == local_name(node, alias) for alias in node.names)
    return isinstance(node, ast.Import) and any(alias.name == "torch.nn" and alias.asname == "nn" for alias in node.names)


def _begins_with(context: Context, text: ast.expr) -> str:
    """The module of torch's that a text begins with: ``f"nn.{name}()"``, ``"optim.{}".format(name)``, ``"F.%s" % name``, ``"torch." + name``; "" where there is none."""
    match text:
        case ast.JoinedStr(values=[ast.Constant(value=str(begin)), *_]) | ast.BinOp(left=ast.Constant(value=str(begin)), op=ast.Add() | ast.Mod()):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(begin)), attr="format")):
            pass
        case _:
            return ""
    name, dot, _ = begin.partition(".")
    for node in context.file.nodes if dot else ():
        if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
            for alias in node.names:
                full = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name if alias.asname else alias.name.split(".")[0]
                if local_name(node, alias) == name and full.split(".")[0] == "torch":
                    return full
    return ""


def _write(context: Context, node: ast.Constant, name: str) -> None:
    api = _OWNER + name
    start, end = context.editing.span(node)
    source = context.editing.text[start:end]
    if context.vendored_module.startswith(".") or source.count(name) != 1:
        context.report("MP107", f"the text names {api}, which the program may evaluate: `nn` is MindSpore's there", node, api=api, mark=True)
        return
    entry = called_by(context.shared.catalog, api)[0]
    text = source.replace(name, f"{context.vendored_module}.{context.shared.vendored.need(entry)}")
    context.editing.replace(start, end, text)
    context.record(Use(node, api, "value"), "vendored", source, text, entry)
