"""Settings that a project only hands on: an option for gradient clipping whose last reader is a comment."""

from __future__ import annotations

import ast
import re

from mindport.analysis.recipe.settings import normal
from mindport.analysis.subject import Subject
from mindport.source.called import last_name

#: What holds all settings at once: given on as a whole, everything may be read.
_HOLDER = re.compile(r"(^|\W)(\w*_)?(args|opts?|options|flags|hparams|hps|params|cfg|conf|config|settings|vars|asdict|__dict__|to_dict|_asdict)\b")
_OPTIONS = ("add_argument", "add_option", "option", "argument")
_PARSERS = ("parse_args", "parse_known_args")
_CASTS = ("float", "int", "bool", "str")


def unread_names(subject: Subject) -> frozenset[str]:
    """Names of settings, in the form of `normal`, that the code makes, stores under the same name and gives to functions of its own as the argument that
    is called so, and does nothing else with; none where settings are unpacked as a whole."""
    parameters = {normal(a.arg) for file in subject.files for n in file.nodes if isinstance(n, ast.FunctionDef) for a in [*n.args.args, *n.args.kwonlyargs]}
    found: set[str] = set()
    only: set[str] = set()
    parsed = any(isinstance(n, ast.Attribute) and n.attr in _PARSERS for file in subject.files for n in file.nodes)
    for file in subject.files:
        handed: set[ast.AST] = set()
        for node in file.nodes:
            if isinstance(node, ast.Assign):
                target = node.targets[0]
                pairs = list(zip(target.elts, node.value.elts, strict=False)) if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) else [(target, node.value)]
                for to, value in pairs:
                    if (name := _last(to)) and normal(name) == normal(_last(value)):
                        handed.add(_end(value))
                        only.add(normal(name))
            elif isinstance(node, ast.Call):
                if last_name(node.func) in _OPTIONS:
                    if parsed and node.args and isinstance(option := node.args[-1], ast.Constant):
                        only.add(normal(str(option.value)))
                    handed.update(n for a in [*node.args, *(k.value for k in node.keywords if k.arg in ("dest", "help"))] for n in ast.walk(a))
                for keyword in node.keywords:
                    if keyword.arg is None and _HOLDER.search(ast.unparse(keyword.value)):
                        return frozenset()
                    if keyword.arg and normal(keyword.arg) in parameters and normal(keyword.arg) == normal(_last(keyword.value)):
                        handed.add(_end(keyword.value))
                        only.add(normal(keyword.arg))
        for node in file.nodes:
            if node in handed:
                continue
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(normal(node.id))
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                found.add(normal(node.attr))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 80:
                found.add(normal(node.value))
    return frozenset(only - found)


def _end(node: ast.expr) -> ast.expr:
    """What a cast or a getter is asked for: ``float(config["LearningRate"])``, ``config.getboolean("UseGAE")``."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        if isinstance(node.func, ast.Name) and node.func.id in _CASTS:
            return _end(node.args[0])
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "getint", "getfloat", "getboolean"):
            return node.args[0]
    return node.slice if isinstance(node, ast.Subscript) else node


def _last(node: ast.expr) -> str:
    end = _end(node)
    if isinstance(end, ast.Constant):
        return end.value if isinstance(end.value, str) else ""
    return end.id if isinstance(end, ast.Name) else end.attr if isinstance(end, ast.Attribute) else ""
