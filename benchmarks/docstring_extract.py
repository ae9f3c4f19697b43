"""Takes the ``>>>`` examples out of torch's own docstrings and makes each docstring's into one small program.

Requirements that shape this file:

* Nobody here chose the examples: every docstring of the namespaces below counts, once (many names share one text).
* Two processes must draw the same numbers: calls of torch's random factories become `drawn` data that NumPy makes
  (`torch.from_numpy(drawn.normal(1, 2, 3))`); `benchmarks/drawn.py` stands beside, outside the converted project.
* A value that is only shown must be compared, too: a bare expression becomes the variable ``_1``, ``_2``, ….
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import torch

NAMESPACES = (
    "torch.Tensor", "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn",
    "torch.nn.utils.parametrize", "torch.nn.utils.parametrizations", "torch.nn.utils.prune", "torch.nn.utils.stateless",
    "torch.nn.attention", "torch.optim", "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.linalg", "torch.fft",
    "torch.special", "torch.signal.windows", "torch.distributions", "torch.utils.data", "torch.autograd", "torch.autograd.functional",
    "torch.func", "torch.sparse", "torch.amp", "torch.masked",
)  # fmt: skip
#: What the docstrings take for granted.
PRELUDE = {
    "torch": "import torch", "nn": "import torch.nn as nn", "F": "import torch.nn.functional as F", "np": "import numpy as np",
    "numpy": "import numpy", "math": "import math", "optim": "import torch.optim as optim", "Variable": "from torch.autograd import Variable",
    "autograd": "import torch.autograd as autograd", "init": "import torch.nn.init as init", "Parameter": "from torch.nn import Parameter",
    "Function": "from torch.autograd import Function", "drawn": "import drawn", "itertools": "import itertools", "functools": "import functools",
    "jacrev": "from torch.func import jacrev", "jacfwd": "from torch.func import jacfwd", "vmap": "from torch.func import vmap",
    "D": "import torch.distributions as D", "prune": "import torch.nn.utils.prune as prune", "io": "import io",
    "once_differentiable": "from torch.autograd.function import once_differentiable",
    "Tensor": "from torch import Tensor", "partial": "from functools import partial",
}  # fmt: skip
_MARK = re.compile(r"^\s*(>>>|\.\.\.)(?: |$)(.*)")


def _module(space: str) -> Any:
    home: Any = torch
    for part in space.split(".")[1:]:
        home = getattr(home, part) if hasattr(home, part) else importlib.import_module(f"{home.__name__}.{part}")
    return home


def docstrings() -> Iterator[tuple[str, str]]:
    """(dotted name, docstring) of everything public in the namespaces that has examples, each text once."""
    seen: set[str] = set()
    for space in NAMESPACES:
        home = _module(space)
        for name in sorted(getattr(home, "__all__", None) or vars(home) if inspect.ismodule(home) else dir(home)):
            value = getattr(home, name, None)
            if name.startswith("_") or inspect.ismodule(value):
                continue
            inner = [(f"{space}.{name}", value)]
            if inspect.isclass(value) and value.__module__.startswith("torch"):
                inner += [(f"{space}.{name}.{k}", v) for k, v in sorted(vars(value).items()) if not k.startswith("_") and callable(v)]
            for full, thing in inner:
                text = inspect.getdoc(thing) or ""
                if ">>>" in text and text not in seen:
                    seen.add(text)
                    yield full, text


def examples(text: str) -> tuple[list[str], int]:
    """Statements of a docstring in order, and how many marked lines no statement could be made of."""
    found: list[str] = []
    unreadable = 0
    for block in _blocks(text):
        try:
            found += _statements("\n".join(block))
            continue
        except SyntaxError:
            pass
        rest = block
        while rest:  # the longest readable beginning, else the line is dropped
            for count in range(len(rest), 0, -1):
                try:
                    found += _statements(textwrap.dedent("\n".join(rest[:count])))
                except SyntaxError:
                    continue
                rest = rest[count:]
                break
            else:
                unreadable += 1
                rest = rest[1:]
    return found, unreadable


def _blocks(text: str) -> Iterator[list[str]]:
    """Runs of marked lines without anything between."""
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        marked = _MARK.match(line)
        if marked:
            block.append(marked[2])
        elif block:
            yield block
            block = []


def _statements(code: str) -> list[str]:
    return [ast.unparse(statement) for statement in ast.parse(code).body]


def program(statements: list[str], home: str = "torch") -> list[str]:
    """The statements as both sides run them: data drawn by NumPy, shown values recorded, imports in front.

    `home`: the namespace that documents them; what they name and do not define is taken from it, as its readers would.
    """
    tree = ast.parse("\n".join(statements))
    tree = ast.fix_missing_locations(_Drawing().visit(tree))
    recorded = [_recorded(s, n) for n, s in enumerate(tree.body, 1)]
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {(a.asname or a.name).split(".")[0] for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
    bound |= {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    bound |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    loaded = {n.id for s in recorded for n in ast.walk(s) if isinstance(n, ast.Name)}
    open_names = sorted(loaded - bound - set(vars(builtins)))
    imports = [line for line in (_import_of(name, home) for name in open_names) if line]
    return imports + [ast.unparse(ast.fix_missing_locations(s)) for s in recorded]


def _import_of(name: str, home: str) -> str:
    """The line that binds a name, "" where nobody knows it."""
    if home not in ("torch", "torch.Tensor", "torch.nn") and hasattr(_module(home), name):
        return f"from {home} import {name}"
    if name in PRELUDE:
        return PRELUDE[name]
    for space in ("torch.func", *NAMESPACES[2:]):
        if inspect.ismodule(_module(space)) and hasattr(_module(space), name) and not hasattr(torch, name):
            return f"from {space} import {name}"
    return ""


def _recorded(statement: ast.stmt, number: int) -> ast.stmt:
    """``foo(x)`` → ``_1 = foo(x)``, ``print(x)`` → ``_1 = x``; statements that assign stay."""
    if not isinstance(statement, ast.Expr) or isinstance(statement.value, (ast.Constant, ast.Yield)):
        return statement
    value = statement.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print":
        if not value.args or any(isinstance(a, ast.Starred) for a in value.args):
            return statement
        value = value.args[0] if len(value.args) == 1 else ast.Tuple(value.args, ast.Load())
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("backward", "step", "zero_grad"):
        return statement  # training statements are read as statements
    elif _changes_in_place(value):
        return statement  # what it changes is a variable, or a view of one
    return ast.Assign([ast.Name(f"_{number}", ast.Store())], value)


def _changes_in_place(value: ast.expr) -> bool:
    """``x.add_(1)``, ``nn.init.zeros_(w)``, ``torch.add(a, b, out=c)``."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    name = value.func.attr
    return name.endswith("_") and not name.endswith("__") or any(k.arg == "out" for k in value.keywords)


#: Factory → (function of `drawn`, dtype where none is asked for).
_FACTORIES = {"randn": "normal", "rand": "uniform", "empty": "normal", "Tensor": "normal", "FloatTensor": "normal"}
_COMPLEX = ("complex64", "complex128", "cfloat", "cdouble")


class _Drawing(ast.NodeTransformer):
    """``torch.randn(2, 3, dtype=d)`` → ``torch.from_numpy(drawn.normal(1, 2, 3)).to(d)``; the number tells places apart."""

    def __init__(self) -> None:
        self.number = 0

    def visit_Call(self, call: ast.Call) -> ast.AST:
        self.generic_visit(call)
        inner = self._in_place(call)
        if inner is not None:
            return inner
        name = _torch_name(call.func)
        given = {k.arg: k.value for k in call.keywords}
        if name is None or None in given or {"generator", "out", "names", "layout"} & set(given):
            return call
        if name in ("Tensor", "FloatTensor") and not (call.args and all(_is_size(a) for a in call.args)):
            return call
        if name in _FACTORIES:
            sizes = call.args or [given[k] for k in ("size",) if k in given]
            if not sizes and name in ("Tensor", "FloatTensor"):
                return call
            dtype = given.get("dtype")
            kind = _FACTORIES[name]
            if dtype is not None and ast.unparse(dtype).removeprefix("torch.") in _COMPLEX:
                kind = "complex_normal"
            return self._made(kind, sizes, dtype, given)
        if name == "randint" and len(call.args) in (2, 3) and "size" not in given:
            low, high, size = call.args if len(call.args) == 3 else [ast.Constant(0), *call.args]
            return self._made("integers", [low, high, size], given.get("dtype"), given)
        if name == "randint" and "size" in given and len(call.args) in (1, 2):
            low, high = call.args if len(call.args) == 2 else [ast.Constant(0), *call.args]
            return self._made("integers", [low, high, given["size"]], given.get("dtype"), given)
        if name == "randperm" and len(call.args) == 1:
            return self._made("permutation", call.args, given.get("dtype"), given)
        return call

    def _in_place(self, call: ast.Call) -> ast.AST | None:
        """``torch.empty(3, dtype=torch.long).random_(5)``: the drawn integers."""
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "random_" or not isinstance(call.func.value, ast.Call):
            return None
        made = ast.unparse(call.func.value)
        match = re.fullmatch(r"torch\.from_numpy\(drawn\.normal\(\d+, (.*)\)\)(?:\.to\((.*)\))?", made)
        if match is None or not call.args or call.keywords:
            return None
        low, high = call.args if len(call.args) == 2 else [ast.Constant(0), *call.args]
        size = ast.parse(f"({match[1]},)", mode="eval").body
        dtype = ast.parse(match[2] or "torch.float32", mode="eval").body
        return self._made("integers", [low, high, size], dtype, {})

    def _made(self, kind: str, arguments: list[ast.expr], dtype: ast.expr | None, given: dict[str | None, ast.expr]) -> ast.AST:
        self.number += 1
        numbers = ast.Call(ast.Attribute(ast.Name("drawn", ast.Load()), kind, ast.Load()), [ast.Constant(self.number), *arguments], [])
        made = ast.Call(ast.Attribute(ast.Name("torch", ast.Load()), "from_numpy", ast.Load()), [numbers], [])
        if dtype is not None:
            made = ast.Call(ast.Attribute(made, "to", ast.Load()), [dtype], [])
        if "requires_grad" in given:
            made = ast.Call(ast.Attribute(made, "requires_grad_", ast.Load()), [given["requires_grad"]], [])
        return made


def _torch_name(function: ast.expr) -> str | None:
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "torch":
        return function.attr
    return None


def _is_size(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, int) and not isinstance(value.value, bool)
