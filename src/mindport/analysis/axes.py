"""How many axes a tensor has, followed through a project's functions, modules and layers. None: not known."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.links import Links, Reached
from mindport.analysis.network_run.layer_rules import SAME
from mindport.inference import values as v
from mindport.source.file import SourceFile

_DEEPEST = 30
#: Layers, by the last part of their names without a rank: the result has the input's axes; or as many as the rank says, two more.
_KEEPING = SAME | frozenset(("Linear", "LayerNorm", "RMSNorm", "BatchNorm1d", "SyncBatchNorm", "GroupNorm", "PReLU", "Dropout"))
_RANKED = ("Conv", "ConvTranspose", "MaxPool", "AvgPool", "AdaptiveAvgPool", "AdaptiveMaxPool", "BatchNorm", "InstanceNorm")
_FLATTEN, _EMBEDDING, _SEQUENTIAL = "Flatten", "Embedding", "torch.nn.Sequential"
#: Functions, under the function's name: the sizes are the arguments; one axis more; elementwise beyond `apis.PRESERVING`; out of arrays.
_SIZES = frozenset(("torch.view", "torch.reshape", "torch.expand", "torch.zeros", "torch.ones", "torch.rand", "torch.randn", "torch.empty"))
_ONE_MORE = frozenset(("torch.unsqueeze", "torch.stack"))
_KEPT = apis.PRESERVING | frozenset(f"torch.{name}" for name in ("requires_grad", "cat", "from_numpy", "as_tensor", "nn.functional.linear")) | frozenset(
    f"torch.nn.functional.{name}" for name in ("relu6", "selu", "celu", "hardtanh", "hardsigmoid", "softsign", "logsigmoid", "tanhshrink", "softshrink", "hardshrink", "rrelu", "threshold", "prelu", "alpha_dropout")
)
_FLAT, _RESHAPE = "torch.flatten", "torch.reshape"
#: What may bind a name.
_BINDING = (ast.For, ast.With, ast.comprehension, ast.NamedExpr, ast.Assign)
#: NumPy's draws: the argument with the sizes, by position; -1: all of them.
_DRAWS = {"normal": 2, "uniform": 2, "randn": -1, "rand": -1, "standard_normal": 0, "random": 0}


class Axes:
    """Counts axes along the way that `reached` holds."""

    def __init__(self, links: Links, reached: Reached) -> None:
        self.links, self.reached = links, reached
        self._busy: set[int] = set()
        self._known: dict[tuple[int, int], int] = {}  # by the expression and the call: asked way by way, functions that call each other cost as many answers as there are ways
        self._unknown: set[tuple[int, int]] = set()  # what has no answer in the question that is asked, for it may hang on itself
        self._binding: dict[int, list[ast.AST]] = {}  # by function, or file: what may bind a name there

    def of(self, file: SourceFile, node: ast.expr, call: ast.Call | None = None) -> int | None:
        """The axes of an expression; `call` is the call that the function around it answers, where one is followed."""
        value = self.links.subject.facts[file].value(node)
        if isinstance(value, v.TensorValue) and value.shape is not None:
            return len(value.shape)
        mark = (id(node), id(call))
        if mark in self._known:
            return self._known[mark]
        if mark in self._unknown or id(node) in self._busy or len(self._busy) > _DEEPEST:
            return None
        self._busy.add(id(node))
        try:
            found = self._of(file, node, call)
        finally:
            self._busy.discard(id(node))
        if found is None:
            self._unknown.add(mark)
        else:
            self._known[mark] = found
        if not self._busy:
            self._unknown.clear()
        return found

    def _of(self, file: SourceFile, node: ast.expr, call: ast.Call | None) -> int | None:
        if isinstance(node, ast.Name):
            return self._name(file, node, call)
        if isinstance(node, ast.BinOp):
            return self._operator(file, node, call)
        if isinstance(node, ast.UnaryOp):
            return self.of(file, node.operand, call)
        if isinstance(node, ast.IfExp):
            return _one((self.of(file, node.body, call), self.of(file, node.orelse, call)))
        if isinstance(node, ast.Call):
            return self._call(file, node, call)
        if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
            return self.of(file, node.elts[0], call)
        return None

    def _operator(self, file: SourceFile, node: ast.BinOp, call: ast.Call | None) -> int | None:
        if isinstance(node.op, ast.MatMult):
            return None
        parts = [side for side in (node.left, node.right) if not self._number(file, side)]
        found = [self.of(file, side, call) for side in parts]
        return None if not found or None in found else max(n for n in found if n is not None)

    def _number(self, file: SourceFile, node: ast.expr) -> bool:
        value = self.links.subject.facts[file].value(node)
        return isinstance(value, (v.Const, v.Builtin))

    def _name(self, file: SourceFile, name: ast.Name, call: ast.Call | None) -> int | None:
        around = self.links.subject.function_around(file, name)
        body = file.tree.body if around is None or isinstance(around, ast.Lambda) else around.body
        owner = id(file.tree if body is file.tree.body else around)
        if owner not in self._binding:
            self._binding[owner] = [n for statement in body for n in ast.walk(statement) if isinstance(n, _BINDING)]
        made: list[ast.expr] = []
        for node in self._binding[owner]:
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name.id for t in node.targets):
                if node.lineno < name.lineno:
                    made = [*([] if node in body else made), node.value]  # a step of the straight run: what was bound before is gone
            elif _binds(node, name.id):
                return None
        if made:
            return _one(self.of(file, value, call) for value in made)
        return self._parameter(file, name, around) if around is not None else None

    def _parameter(self, file: SourceFile, name: ast.Name, function: ast.AST) -> int | None:
        """What the calls on the way give it."""
        arguments = getattr(function, "args", None)
        if arguments is None:
            return None
        names = [a.arg for a in [*arguments.posonlyargs, *arguments.args]]
        if name.id not in names:
            return None
        place = names.index(name.id) - (names[0] in ("self", "cls"))
        calls = self.reached.calls.get(id(function)) or self.links.calls_of(function)
        found: list[int | None] = []
        for home, call in calls:
            given = next((k.value for k in call.keywords if k.arg == name.id), None)
            if given is None and 0 <= place < len(call.args) and not any(isinstance(a, ast.Starred) for a in call.args):
                given = call.args[place]
            found.append(self.of(home, given) if given is not None else None)
        return _one(found)

    def _call(self, file: SourceFile, node: ast.Call, call: ast.Call | None) -> int | None:
        names = [use.name for use in self.links.uses_at(file, node)]
        if names and names[0].startswith(torch_names.TORCH) and not isinstance(self.links.subject.facts[file].value(node.func), v.Instance):
            return self._function(file, node, names[0], call)
        found: list[int | None] = []
        for option in v.options(self.links.callee(file, node)):
            if isinstance(option, v.Bound):
                option = option.function
            if isinstance(option, v.Instance):
                found.append(self._layer(file, node, option.cls))
            elif isinstance(option, v.ProjectFunction):
                found.append(self._returns(option.scope.module.file, option.scope.node, node))
            elif isinstance(option, v.ProjectInstance):
                owner = next((c for c in option.cls.scope.mro if "forward" in c.methods), None)
                found.append(self._returns(owner.module.file, owner.methods["forward"].value.scope.node, node) if owner else None)
            else:
                return self._array(file, node, call)
        return _one(found)

    def _returns(self, file: SourceFile, function: ast.AST, call: ast.Call) -> int | None:
        found = [n.value for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
        return _one(self.of(file, value, call) for value in found)

    def _function(self, file: SourceFile, node: ast.Call, name: str, call: ast.Call | None) -> int | None:
        method = name.startswith(torch_names.METHOD) and isinstance(node.func, ast.Attribute)
        operand = node.func.value if method and isinstance(node.func, ast.Attribute) else node.args[0] if node.args else None
        rest = node.args if method else node.args[1:]
        plain = apis.plain(name)
        if plain in _SIZES:
            return self._count(rest if method or plain == _RESHAPE else node.args)
        if operand is None:
            return None
        if plain == _FLAT:
            return 2 if rest and isinstance(rest[0], ast.Constant) and rest[0].value == 1 and len(rest) == 1 else None
        inner = self.of(file, operand, call) if plain in _KEPT | _ONE_MORE else None
        return inner + 1 if inner is not None and plain in _ONE_MORE else inner

    def _count(self, sizes: list[ast.expr]) -> int | None:
        if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
            sizes = sizes[0].elts
        elif len(sizes) == 1 and not isinstance(sizes[0], (ast.Constant, ast.UnaryOp)):
            return None
        return None if not sizes or any(isinstance(s, ast.Starred) for s in sizes) else len(sizes)

    def _layer(self, file: SourceFile, node: ast.Call, name: str) -> int | None:
        if name == _SEQUENTIAL:
            layers = self.layers(file, node)
            return self.behind(layers, self.of(file, node.args[0])) if layers is not None and node.args else None
        return self._after(name.removeprefix(torch_names.LAYERS), self.of(file, node.args[0]) if node.args else None)

    def _after(self, tail: str, inner: int | None) -> int | None:
        """The axes that a layer gives for so many."""
        if tail[-1:] == "d" and tail[:-2] in _RANKED and tail not in _KEEPING:
            return int(tail[-2]) + 2
        if tail == _FLATTEN:
            return 2
        return inner if tail in _KEEPING else inner + 1 if inner is not None and tail == _EMBEDDING else None

    def layers(self, file: SourceFile, call: ast.Call) -> list[tuple[str, ast.Call]] | None:
        """(name, construction) of the layers of ``self.attribute(x)``, a Sequential that is written out; None elsewhere."""
        function = self.links.subject.function_around(file, call)
        if not isinstance(call.func, ast.Attribute) or function is None:
            return None
        cls = next((n for n in file.nodes if isinstance(n, ast.ClassDef) and any(m is function for m in n.body)), None)
        made = [
            n.value for n in ast.walk(cls) if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Attribute) and t.attr == call.func.attr
        ] if cls is not None else []  # fmt: skip
        if len(made) != 1 or not isinstance(made[0], ast.Call):
            return None
        facts, found = self.links.subject.facts[file], []
        for each in made[0].args:
            value = facts.value(each)
            if not isinstance(each, ast.Call) or not isinstance(value, v.Instance):
                return None
            found.append((value.cls, each))
        return found

    def behind(self, layers: list[tuple[str, ast.Call]], axes: int | None, last: ast.AST | None = None) -> int | None:
        """The axes behind the layers, or before the one that is constructed at `last`."""
        for name, made in layers:
            if made is last:
                return axes
            axes = self._after(name.removeprefix(torch_names.LAYERS), axes)
        return axes

    def given(self, file: SourceFile, node: ast.AST, name: str) -> int | None:
        """The axes of what a layer is called with, at a place of `reached.uses`: a call, or a construction inside a Sequential."""
        if not isinstance(node, ast.Call):
            return None
        if not isinstance(self.links.subject.facts[file].value(node.func), v.Api):
            return self.of(file, node.args[0]) if node.args else None
        found: list[int | None] = []
        for home, call in self.reached.uses.get(_SEQUENTIAL, ()):
            layers = self.layers(home, call) if isinstance(call, ast.Call) and home is file else None
            if layers is not None and any(made is node for _, made in layers) and isinstance(call, ast.Call) and call.args:
                found.append(self.behind(layers, self.of(home, call.args[0]), node))
        return _one(found)

    def called_alone(self, file: SourceFile, node: ast.AST) -> bool:
        """Whether a construction is an attribute of its own: its calls are places themselves."""
        if not isinstance(node, ast.Call) or not isinstance(self.links.subject.facts[file].value(node.func), v.Api):
            return False
        return any(isinstance(n, ast.Assign) and n.value is node and all(isinstance(t, ast.Attribute) for t in n.targets) for n in file.nodes)

    def _array(self, file: SourceFile, node: ast.Call, call: ast.Call | None) -> int | None:
        """NumPy's draws, and what keeps an array's axes."""
        if not isinstance(node.func, ast.Attribute):
            return None
        if node.func.attr == "astype":
            return self.of(file, node.func.value, call)
        place = _DRAWS.get(node.func.attr)
        if place is None:
            return None
        if place < 0:
            return self._count(node.args)
        size = next((k.value for k in node.keywords if k.arg == "size"), node.args[place] if len(node.args) > place else None)
        if isinstance(size, (ast.Tuple, ast.List)):
            return self._count([size])
        return self._spread(file, size, call) if isinstance(size, ast.Name) and call is not None else None

    def _spread(self, file: SourceFile, size: ast.Name, call: ast.Call) -> int | None:
        """``def numbers(seed, *shape)``: as many as the call gives."""
        function = self.links.subject.function_around(file, size)
        arguments = getattr(function, "args", None)
        if arguments is None or arguments.vararg is None or arguments.vararg.arg != size.id or any(isinstance(a, ast.Starred) for a in call.args):
            return None
        return len(call.args) - len(arguments.posonlyargs) - len(arguments.args)


def _binds(node: ast.AST, name: str) -> bool:
    """Whether a loop, a comprehension or an unpacking binds the name itself, not a statement inside it."""
    targets: list[ast.AST] = []
    if isinstance(node, (ast.For, ast.comprehension, ast.NamedExpr)):
        targets = [node.target]
    elif isinstance(node, ast.With):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
    elif isinstance(node, ast.Assign):
        targets = list(node.targets)
    return any(isinstance(n, ast.Name) and n.id == name for target in targets for n in ast.walk(target) if isinstance(getattr(n, "ctx", None), ast.Store))


def _one(found: Iterable[int | None]) -> int | None:
    """The number that all agree on."""
    different = set(found)
    return different.pop() if len(different) == 1 else None
