"""Where the gradient that comes back to a result is constant, so that a linear step there has no second gradient to be wrong.

``score.sum()`` is differentiated: the gradient of the scores is one, whatever the inputs are, and stays constant back through every
linear step (a mean, a squeeze, a sum of two terms) up to the first nonlinear one. There PyNative's second gradients of `sum` and
`mean`, which lose what depends on the gradient that comes back, lose nothing. What is not proved counts as not constant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.links import Links, Reached
from mindport.inference import values as v
from mindport.source.file import SourceFile

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
#: Linear in their first argument (a tensor, or a sequence of tensors), under the function's name.
LINEAR = frozenset(f"torch.{name}" for name in (
    "sum", "mean", "view", "reshape", "flatten", "unflatten", "ravel", "squeeze", "unsqueeze", "transpose", "permute", "swapaxes", "swapdims",
    "movedim", "moveaxis", "t", "contiguous", "clone", "neg", "cat", "concat", "concatenate", "stack", "hstack", "vstack", "expand", "expand_as",
    "repeat", "tile", "select", "narrow", "flip", "roll", "float", "double", "to", "cuda", "cpu", "T", "mT", "nansum", "view_as", "reshape_as",
))  # fmt: skip
#: They change the axes of what they are given; layers and functions that do so inside.
RESHAPING = frozenset(f"torch.{name}" for name in ("view", "view_as", "reshape", "reshape_as", "flatten", "unflatten", "ravel", "squeeze", "unsqueeze"))
OF_ONE_AXIS = frozenset(("torch.nn.Conv1d", "torch.nn.ConvTranspose1d", "torch.nn.functional.conv1d", "torch.nn.functional.conv_transpose1d", "torch.conv1d", "torch.conv_transpose1d", "torch.nn.Flatten", "torch.nn.Unflatten"))
_LINEAR_LAYERS = frozenset(("torch.nn.Identity", "torch.nn.Flatten", "torch.nn.Unflatten"))
#: What makes a gradient to begin with that no input decides.
_CONSTANTS = frozenset(f"torch.{name}" for name in ("ones", "ones_like", "zeros_like", "full", "full_like", "randn_like", "rand_like", "randn", "rand", "tensor"))
#: Names that read a tensor without computing with its values.
_READ = frozenset(("shape", "size", "dim", "ndim", "device", "dtype", "numel"))


def constant(links: Links, reached: Reached, file: SourceFile, call: ast.Call, starts: tuple[ast.expr, ...], weights: ast.expr | None) -> set[int]:
    """The ids of the expressions whose cotangent is constant; `weights` is what the outputs' gradients begin with."""
    walk = _Back(links, reached, file, call)
    if weights is not None and not walk.is_constant(file, weights):
        return set()
    for start in starts:
        walk.back(file, start)
    return walk.found - walk.refused


def plain(name: str) -> str:
    """The function that a method is named after."""
    return torch_names.FUNCTION + name.removeprefix(torch_names.METHOD) if name.startswith(torch_names.METHOD) else name


class _Back:
    def __init__(self, links: Links, reached: Reached, file: SourceFile, call: ast.Call) -> None:
        self.links, self.reached, self.call, self.home = links, reached, call, file
        self.found: set[int] = set()
        self.refused: set[int] = set()
        self._entered: set[int] = set()

    def back(self, file: SourceFile, node: ast.expr) -> None:
        """`node` has a constant cotangent: so have the operands of linear steps."""
        if id(node) in self.found:
            return
        self.found.add(id(node))
        if isinstance(node, ast.Name):
            if (made := self._made(file, node)) is not None:
                self.back(file, made)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for part in node.elts:
                self.back(file, part)
        elif isinstance(node, ast.UnaryOp):
            self.back(file, node.operand)
        elif isinstance(node, ast.BinOp):
            self._operator(file, node)
        elif isinstance(node, ast.Subscript):
            self.back(file, node.value)
        elif isinstance(node, ast.Attribute):
            if plain(torch_names.METHOD + node.attr) in LINEAR:
                self.back(file, node.value)
        elif isinstance(node, ast.Call):
            self._called(file, node)

    def _operator(self, file: SourceFile, node: ast.BinOp) -> None:
        if isinstance(node.op, (ast.Add, ast.Sub)):
            self.back(file, node.left)
            self.back(file, node.right)
        elif isinstance(node.op, (ast.Mult, ast.Div)):
            if self._number(file, node.right):
                self.back(file, node.left)
            elif isinstance(node.op, ast.Mult) and self._number(file, node.left):
                self.back(file, node.right)

    def _number(self, file: SourceFile, node: ast.expr) -> bool:
        value = self.links.subject.facts[file].value(node)
        return isinstance(value, v.Const) or isinstance(value, v.Builtin) and value.type in ("int", "float")

    def _called(self, file: SourceFile, node: ast.Call) -> None:
        for use in self.links.uses_at(file, node):
            if plain(use.name) in LINEAR:
                method = use.name.startswith(torch_names.METHOD) and isinstance(node.func, ast.Attribute)
                operand = node.func.value if method and isinstance(node.func, ast.Attribute) else node.args[0] if node.args else None
                if operand is not None:
                    self.back(file, operand)
                return
        for option in v.options(self.links.callee(file, node)):
            if isinstance(option, v.Bound):
                option = option.function
            if isinstance(option, v.Instance) and option.cls in _LINEAR_LAYERS and node.args:
                self.back(file, node.args[0])
            elif isinstance(option, v.ProjectFunction):
                self._inside(option.scope.module.file, option.scope.node)
            elif isinstance(option, v.ProjectInstance):
                owner = next((c for c in option.cls.scope.mro if "forward" in c.methods), None)
                if owner is not None:
                    self._inside(owner.module.file, owner.methods["forward"].value.scope.node)

    def _inside(self, file: SourceFile, function: _Function) -> None:
        """What a function returns, where every call of it on the way has a constant cotangent."""
        if id(function) in self._entered:
            return
        if not all(id(call) in self.found for _, call in self.reached.calls.get(id(function), ())):
            return
        self._entered.add(id(function))
        if isinstance(function, ast.Lambda):
            self.back(file, function.body)
            return
        for node in _own(function):
            if isinstance(node, ast.Return) and node.value is not None:
                self.back(file, node.value)

    def _made(self, file: SourceFile, name: ast.Name) -> ast.expr | None:
        """What a local name was bound to last, in the straight run of its function, where nothing else on the way computes with that."""
        around = self.links.subject.function_around(file, name) or file.tree
        body = around.body if not isinstance(around, ast.Lambda) else []
        here = next((i for i, statement in enumerate(body) if any(node is name for node in ast.walk(statement))), None)
        if here is None:
            return None
        made, first, last = None, 0, len(body)
        for i, statement in enumerate(body):
            stored = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == name.id and not isinstance(n.ctx, ast.Load)]
            if not stored:
                continue
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target] if isinstance(statement, ast.AnnAssign) else []
            if len(stored) > 1 or not any(target is stored[0] for target in targets):
                return None  # bound by a loop, a branch, an unpacking
            if i < here:
                made, first = getattr(statement, "value", None), i + 1
            else:
                last = min(last, i + 1)
        reads = sum(self._computes(file, name, statement) for statement in body[first:last])
        return made if isinstance(made, ast.expr) and reads <= 1 else None

    def _computes(self, file: SourceFile, name: ast.Name, statement: ast.stmt) -> int:
        """How often a statement computes with a name's value on the way to what is differentiated."""
        aside = {id(node.value) for node in ast.walk(statement) if isinstance(node, ast.Attribute) and node.attr in _READ}
        if file is self.home and any(node is self.call for node in ast.walk(statement)):
            aside |= {id(node) for node in ast.walk(statement)} - self.found  # its inputs, and what its gradients begin with
        elif file is self.home and statement.lineno > self.call.lineno and self._beside(file, name):
            return 0  # read after the gradient was taken
        return sum(isinstance(n, ast.Name) and n.id == name.id and isinstance(n.ctx, ast.Load) and id(n) not in aside for n in ast.walk(statement))

    def _beside(self, file: SourceFile, name: ast.Name) -> bool:
        around = self.links.subject.function_around
        return around(file, name) is around(file, self.call)

    def is_constant(self, file: SourceFile, node: ast.expr) -> bool:
        """Whether the gradient that the outputs begin with is made of no input's values."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            made = self._made(file, node)
            return made is not None and self.is_constant(file, made)
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self.is_constant(file, part) for part in node.elts)
        if isinstance(node, ast.Call):
            if any(use.name in _CONSTANTS for use in self.links.uses_at(file, node)):
                return True
            moved = isinstance(node.func, ast.Attribute) and any(plain(use.name) in LINEAR for use in self.links.uses_at(file, node))
            return moved and isinstance(node.func, ast.Attribute) and self.is_constant(file, node.func.value)
        return False


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def loses_terms(places: Iterable[ast.AST], name: str) -> bool:
    """Whether a step changes or drops axes: PyNative (MindSpore 2.10) then loses the terms that go through its backward pass, whatever the samples were.

    Measured: `sum`, `mean` and `var` with ``dim`` are wrong without ``keepdim=True`` and right with it; `view`, `squeeze` and their like are wrong behind
    a nonlinear step, and so is a convolution over one axis, which is made of them.
    """
    if plain(name) in RESHAPING or name in OF_ONE_AXIS:
        return True
    if plain(name) not in apis.REDUCING:
        return False
    kept = [isinstance(node, ast.Call) and any(k.arg == "keepdim" and isinstance(k.value, ast.Constant) and k.value.value is True for k in node.keywords) for node in places]
    return not all(kept)


def only_where_constant(places: Mapping[str, list[tuple[SourceFile, ast.AST]]], name: str, found: set[int]) -> bool:
    """Whether every place of an API is a linear step with a constant cotangent."""
    return plain(name) in LINEAR and all(id(node) in found for _, node in places[name])
