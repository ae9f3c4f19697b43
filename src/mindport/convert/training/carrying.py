"""Whether a value may carry a gradient: computed from trainable parameters, by anything that is not known to be free.

Unknown carries. Known to be free are constants, data (what loaders, NumPy, builtins and torch's functions
make of free values), results that torch cuts off (``detach``, ``item``, comparisons, shapes), and what
project functions make that call nothing but such things.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from mindport.convert.context import MODULE
from mindport.convert.training.names import key, names, own_nodes, parameters
from mindport.convert.training.second_order import DERIVATIVES, GRAD
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.overlays.libraries import is_torch_based
from mindport.source.called import last_name
from mindport.source.walking import walk


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Tensor methods and attributes whose results have no gradient, and methods that give no tensors at all.
CUTTING = _words(
    """detach detach_ item tolist numpy size dim ndimension numel nelement shape dtype device data grad ndim argmax argmin
    argsort nonzero eq ne lt le gt ge isnan isinf isfinite all any bool int long requires_grad is_cuda zero_grad backward
    state_dict load_state_dict parameters named_parameters modules named_modules children named_children buffers
    named_buffers format join keys lower upper strip parse_args parse_known_args"""
)
#: A call of `grad` is ``torch.autograd.grad``, whose result may be differentiated again.
CUTTING_CALLS = CUTTING - {"grad"}
#: Builtins that make plain values of anything.
PLAIN = _words("len int float bool str isinstance issubclass hasattr repr type id print range open ord chr")
#: Builtins that hand on what they get.
PASSING = _words(
    """sum min max zip list tuple set dict enumerate next iter map filter reversed sorted abs getattr round divmod pow
    slice frozenset"""
)
#: torch functions that make values without gradients of anything.
_FREE_NAMES = _words(
    """argmax argmin argsort nonzero eq ne lt le gt ge isnan isfinite zeros_like ones_like rand_like randn_like empty_like
    full_like equal allclose bincount tensor from_numpy zeros ones empty rand randn randint randperm eye arange"""
)
#: torch layers that hold no parameters: a call of an instance hands on what it gets.
_WITHOUT_PARAMETERS = ("Loss", "ReLU", "Sigmoid", "Tanh", "Softmax", "Dropout", "Pool1d", "Pool2d", "Pool3d", "Flatten", "Upsample", "Identity")
_WITH_PARAMETERS = ("PReLU", "AdaptiveLogSoftmaxWithLoss", "LinearCrossEntropyLoss")

#: torch classes whose instances hold no tensors that a loss is computed from.
_TOOLS = ("torch.optim.", "torch.utils.", "torch.amp.", "torch.cuda.", "torch.device", "torch.dtype", "torch.Generator", "torch.Size")

Env = dict[str, bool]
#: Statements of a function that only chooses what it gives back.
_CHOOSING = (ast.If, ast.Return, ast.Pass, ast.Raise, ast.Assert)


class Carrying:
    """Answers for the names of one file's scopes: `scopes` are the functions around the place, innermost first, and the module."""

    def __init__(self, facts: Facts, scopes: Sequence[ast.AST], module: ast.Module) -> None:
        self.facts = facts
        self.scopes = scopes
        self.module = module
        self.leaves: set[str] = set()  # names of tensors that want a gradient themselves
        self.left: frozenset[str] = frozenset()  # names and .attributes in which forward passes and hooks leave what carries: `left_behind`
        self.wholes: Mapping[str, frozenset[str]] = {}  # what names may be parts of: `parts`
        self._running: set[tuple[int, str]] = set()
        self._active: dict[int, bool] = {}
        self._handing: dict[int, bool] = {}

    # -- expressions -------------------------------------------------------------------------

    def carries(self, node: ast.AST | None, env: Env) -> bool:
        """Whether the expression's value may carry a gradient; `env` says it of names bound in the block."""
        if isinstance(node, ast.expr) and self.is_no_tensor(self.facts.value(node)):
            return False
        match node:
            case None | ast.Constant() | ast.Lambda() | ast.JoinedStr() | ast.Compare():
                return False
            case ast.Name(id=name) if name in self.leaves or name in self.left or self._is_parameter(node):
                return True
            case ast.Name(id=name):
                return env[name] if name in env else self.origin(name) is not None
            case ast.Attribute():
                return self._attribute(node, env)
            case ast.Call():
                return self._call(node, env)
            case ast.UnaryOp(op=ast.Not()):
                return False
            case ast.IfExp():
                return self.carries(node.body, env) or self.carries(node.orelse, env)
            case ast.Subscript():
                return self.carries(node.value, env)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                inner = dict(env)
                for part in node.generators:
                    carried = self.carries(part.iter, inner)
                    inner |= {n: carried for n in names(part.target).stores}
                results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
                return any(self.carries(part, inner) for part in results)
        return any(self.carries(child, env) for child in ast.iter_child_nodes(node) if isinstance(child, (ast.expr, ast.keyword)))

    def is_no_tensor(self, value: v.Value) -> bool:
        """Modules, optimizers, functions, classes, numbers, and lists of them: they carry nothing themselves."""
        kinds = v.options(value)
        return bool(kinds) and all(
            isinstance(kind, (v.Const, v.Builtin, v.ProjectModule, v.ProjectClass, v.ProjectFunction, v.Api))
            or (isinstance(kind, v.Sequence) and all(map(self.is_no_tensor, kind.items if kind.items else (kind.element,))))
            or (isinstance(kind, v.Instance) and (_is_module_class(kind.cls) or kind.cls.startswith(_TOOLS)))
            or (isinstance(kind, v.ProjectInstance) and MODULE in kind.cls.scope.ancestors)
            for kind in kinds
        )

    def _is_parameter(self, node: ast.expr) -> bool:
        return any(isinstance(kind, v.TensorValue) and kind.parameter for kind in v.options(self.facts.value(node)))

    def _attribute(self, node: ast.Attribute, env: Env) -> bool:
        if node.attr in CUTTING:
            return False
        if f".{node.attr}" in self.left:
            return True
        name = key(node)
        if name is not None and name in env:
            return env[name]
        value = self.facts.value(node)
        kinds = v.options(value)
        if all(isinstance(k, v.Bound) for k in kinds):
            return False
        if any(isinstance(k, v.TensorValue) and k.parameter for k in kinds):
            return True
        if name is not None and name.split(".")[0] in ("self", "cls"):
            return self._stored(node.attr) is not None
        return self.carries(node.value, env) or self._is_of_module(node.value, kinds)

    def _is_of_module(self, owner: ast.expr, kinds: Sequence[v.Value]) -> bool:
        """Whether an attribute that nobody knows is one of a module whose class nobody knows: it may be a parameter."""
        owners = v.options(self.facts.value(owner))
        return all(isinstance(k, v.Unknown) for k in kinds) and any(isinstance(o, v.Instance) and o.cls == MODULE for o in owners)

    def _stored(self, attribute: str) -> ast.AST | None:
        """A store to this attribute, anywhere in the file, of something that may carry a gradient."""
        mark = (0, attribute)
        if mark in self._running:
            return None
        self._running.add(mark)
        try:
            for node in walk(self.module):
                if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    flat = [e for t in targets for e in (t.elts if isinstance(t, (ast.Tuple, ast.List)) else [t])]
                    if any(isinstance(t, ast.Attribute) and t.attr == attribute for t in flat) and self.carries(node.value, {}):
                        return node
            return None
        finally:
            self._running.discard(mark)

    def _arguments(self, node: ast.Call, env: Env) -> bool:
        return any(self.carries(a, env) for a in (*node.args, *(k.value for k in node.keywords)))

    def _call(self, node: ast.Call, env: Env) -> bool:
        func = node.func
        if isinstance(func, ast.Name) and func.id in PLAIN:
            return False
        meant = v.options(self.facts.value(func))
        if isinstance(func, ast.Attribute) and func.attr in CUTTING_CALLS and not any(_is_project_function(m) for m in meant):
            return False
        if isinstance(func, ast.Name) and func.id in PASSING:
            return self._arguments(node, env)
        given = self._arguments(node, env)
        answers = {self._callee(option, node, env) for option in meant}
        if True in answers:
            return True
        if answers == {False}:
            return False
        return given

    def _callee(self, value: v.Value, node: ast.Call, env: Env) -> bool | None:
        """Whether a call of `value` carries; None: if an argument does."""
        match value:
            case v.Api(name=name):
                if name.split(".")[0] not in ("torch", "torchvision"):
                    return None
                if name == GRAD or name in DERIVATIVES or any(isinstance(a, ast.Lambda) for a in node.args):
                    return True
                return False if name.rpartition(".")[2] in _FREE_NAMES else None
            case v.ProjectClass() | v.Const() | v.Builtin():
                return None
            case v.Bound(receiver=receiver, function=function):
                return self._method(receiver, function, node, env)
            case v.ProjectFunction(scope=scope):
                return self._of_function(scope)
            case v.Instance(cls=cls):
                return None if _hands_on(cls) else True
            case v.ProjectInstance(cls=cls):
                if MODULE in cls.scope.ancestors:
                    return not _without_parameters(cls.scope)
                call = next((c.methods["__call__"] for c in cls.scope.mro if "__call__" in c.methods), None)
                return True if call is None or self.active(call) else None
        return self._unknown(node, env)

    def _method(self, receiver: v.Value, function: v.Value, node: ast.Call, env: Env) -> bool | None:
        if isinstance(function, v.ProjectFunction):
            return self._of_function(function.scope)
        if not isinstance(node.func, (ast.Attribute, ast.Name)):  # getattr(x, "inverse")()
            return True if self.carries(node.func, env) else None
        if isinstance(receiver, v.TensorValue) and isinstance(node.func, ast.Attribute):
            return True if self.carries(node.func.value, env) else None
        if isinstance(receiver, v.Instance) and _is_module_class(receiver.cls):
            return True
        if isinstance(receiver, v.ProjectInstance) and MODULE in receiver.cls.scope.ancestors:
            return True
        return True if isinstance(node.func, ast.Attribute) and self.carries(node.func.value, env) else None

    def _unknown(self, node: ast.Call, env: Env) -> bool | None:
        """A method of a value that is not known: a tensor's, if its name says so; NumPy's arrays and generators hand on."""
        func = node.func
        if isinstance(func, ast.Attribute):
            kinds = v.options(self.facts.value(func.value))
            if torchfacts.member("torch.Tensor", func.attr) is not None or (kinds and all(_is_of_numpy(k) for k in kinds)):
                return True if self.carries(func.value, env) else None
        return True

    # -- functions ---------------------------------------------------------------------------

    def _of_function(self, scope: object) -> bool | None:
        return True if self.active(scope) else None if self.hands_on(scope) else False

    def hands_on(self, scope: object) -> bool:
        """Whether what a project function gives back may carry what its arguments do.

        False where it only chooses among results that are cut off: ``return h.detach()``, ``return tuple(repackage(v) for v in h)``. Whether it stores anything is not asked.
        """
        node = scope.node  # type: ignore[attr-defined]
        known = self._handing.get(id(node))
        if known is not None:
            return known
        self._handing[id(node)] = False  # a recursive call adds nothing
        parts = [part for part in own_nodes(node) if isinstance(part, (ast.stmt, ast.NamedExpr, ast.Yield, ast.YieldFrom)) and not isinstance(part, _CHOOSING)]
        found = isinstance(node, ast.FunctionDef) and not node.decorator_list and all(isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) for part in parts)
        if found:
            tree = scope.module.file.tree  # type: ignore[attr-defined]
            inner = Carrying(scope.module.facts, [node, tree], tree)  # type: ignore[attr-defined]
            inner._active, inner._handing = self._active, self._handing
            given = dict.fromkeys(parameters(node), True)
            found = not any(inner.carries(part.value, given) for part in own_nodes(node) if isinstance(part, ast.Return))
        self._handing[id(node)] = not found
        return not found

    def active(self, scope: object) -> bool:
        """Whether a project function may make gradients of free arguments: it calls what may."""
        node = scope.node  # type: ignore[attr-defined]
        known = self._active.get(id(node))
        if known is not None:
            return known
        self._active[id(node)] = False  # a recursive call adds nothing
        around: list[ast.AST] = []
        outer: object = scope
        while outer is not None:
            around.append(outer.node)  # type: ignore[attr-defined]
            outer = outer.parent  # type: ignore[attr-defined]
        tree = scope.module.file.tree  # type: ignore[attr-defined]
        inner = Carrying(scope.module.facts, [*around, tree], tree)  # type: ignore[attr-defined]
        inner._active = self._active
        if any(cuts(d) for d in getattr(node, "decorator_list", ())):
            return False
        free = dict.fromkeys(parameters(node), False)
        result = any(
            inner.carries(part, free) for part in own_nodes(node)
            if isinstance(part, (ast.Call, ast.Attribute)) and isinstance(getattr(part, "ctx", ast.Load()), ast.Load)
        )  # fmt: skip
        self._active[id(node)] = result
        return result

    # -- names -------------------------------------------------------------------------------

    def origin(self, name: str, ignored: frozenset[int] = frozenset()) -> ast.AST | None:
        """A binding of `name`, anywhere in the scope but at `ignored` nodes, of something that may carry a gradient."""
        mark = (1, name)
        if mark in self._running:
            return None
        self._running.add(mark)
        try:
            for scope in self.scopes:
                places = bindings(scope, name)
                if places:
                    sources = (p for p, value in places if id(p) not in ignored and value is not None and self.carries(value, {}))
                    return next(sources, None)
            return None
        finally:
            self._running.discard(mark)


def _is_module_class(cls: str) -> bool:
    return cls == MODULE or MODULE in torchfacts.ancestors(cls)


def is_plain_loss(cls: str) -> bool:
    """Whether a torch class is a loss without parameters of its own."""
    return cls.endswith("Loss") and cls.rpartition(".")[2] not in _WITH_PARAMETERS


def _hands_on(cls: str) -> bool:
    """Whether a call of an instance of an outside class computes with what it gets alone."""
    if MODULE in torchfacts.ancestors(cls):
        return cls.endswith(_WITHOUT_PARAMETERS) and cls.rpartition(".")[2] not in _WITH_PARAMETERS
    return cls != MODULE and (cls.startswith(("torchvision.transforms", "timm.data.")) or not is_torch_based(cls))


def _is_of_numpy(value: v.Value) -> bool:
    made_by = value.cls if isinstance(value, v.Instance) else value.origin if isinstance(value, v.Unknown) else ""
    return made_by.split(".")[0] == "numpy"


def _is_project_function(value: v.Value) -> bool:
    return isinstance(value, v.ProjectFunction) or (isinstance(value, v.Bound) and isinstance(value.function, v.ProjectFunction))


Binding = tuple[ast.AST, ast.expr | None]


def bindings(scope: ast.AST, name: str) -> list[Binding]:
    """Where a scope binds a name, with the expression whose value or parts it gets (None: nothing that carries)."""
    return _all_bindings(scope).get(name, [])


@lru_cache(maxsize=4096)
def _all_bindings(scope: ast.AST) -> dict[str, list[Binding]]:
    """Every name that a scope binds: one walk answers for all of them."""
    found: dict[str, list[Binding]] = {}
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        found = {name: [(scope, None)] for name in parameters(scope)}
    free = {id(inner) for part in own_nodes(scope) if isinstance(part, (ast.With, ast.AsyncWith)) and cut_off(part) for inner in walk(part)}
    for part in own_nodes(scope):
        for name, value in _bound(part):
            found.setdefault(name, []).append((part, None if id(part) in free else value))
    return found


def _bound(part: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that one node binds itself."""
    match part:
        case ast.Assign(targets=targets):
            yield from ((name, _matching(part, name)) for name in names(targets).stores)
        case ast.AnnAssign(target=ast.Name(id=name), value=value) | ast.AugAssign(target=ast.Name(id=name), value=value) | ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, value
        case ast.For() | ast.AsyncFor():
            yield from ((name, part.iter) for name in names(part.target).stores)
        case ast.With() | ast.AsyncWith():
            yield from ((name, None) for i in part.items if i.optional_vars is not None for name in names(i.optional_vars).stores)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, None
        case ast.alias():
            yield (part.asname or part.name).partition(".")[0], None


def _matching(part: ast.Assign, name: str) -> ast.expr:
    """The value that a name gets, where tuples stand on both sides."""
    for target in part.targets:
        if isinstance(target, ast.Tuple) and isinstance(part.value, ast.Tuple) and len(target.elts) == len(part.value.elts):
            for item, value in zip(target.elts, part.value.elts, strict=True):
                if isinstance(item, ast.Name) and item.id == name:
                    return value
    return part.value


def cut_off(statement: ast.With | ast.AsyncWith) -> bool:
    """Whether nothing inside the with statement is differentiated."""
    return any(cuts(item.context_expr) for item in statement.items)


def cuts(node: ast.expr) -> bool:
    """Whether a context or decorator is ``torch.no_grad()`` or says the same."""
    func = node.func if isinstance(node, ast.Call) else node
    name = last_name(func)
    if name == "set_grad_enabled" and isinstance(node, ast.Call) and node.args:
        return isinstance(node.args[0], ast.Constant) and node.args[0].value is False
    return name in ("no_grad", "inference_mode")


def _without_parameters(scope: object) -> bool:
    """Whether a project module constructs nothing that could hold parameters."""
    for cls in scope.mro:  # type: ignore[attr-defined]
        facts = cls.module.facts
        for node in walk(cls.node):
            if isinstance(node, ast.Call) and not isinstance(node.func, ast.Attribute | ast.Name):
                return False
            if isinstance(node, ast.Call):
                for option in v.options(facts.value(node)):
                    if isinstance(option, (v.ProjectInstance, v.Unknown)):
                        return False
                    if isinstance(option, v.Instance) and MODULE in torchfacts.ancestors(option.cls) and not _hands_on(option.cls):
                        return False
                    if isinstance(option, v.TensorValue) and option.parameter:
                        return False
    return True
