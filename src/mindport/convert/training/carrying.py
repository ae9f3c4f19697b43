"""Whether a value may carry a gradient: computed from trainable parameters, by anything that is not known to be free.

Unknown carries. Known to be free are constants, data (what loaders, NumPy, builtins and torch's functions
make of free values), results that torch cuts off (``detach``, ``item``, comparisons, shapes), and what
project functions make that call nothing but such things.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from mindport.convert.context import MODULE
from mindport.convert.training.bindings import bindings, cuts, stores
from mindport.convert.training.fixpoint import Fixpoint
from mindport.convert.training.holding import (
    computes_of_given,
    holds_what_it_is_given,
    is_called,
    is_module_class,
    is_of_numpy,
    is_of_parameters,
    is_project_function,
    may_close_over,
    without_parameters,
)
from mindport.convert.training.names import key, names, own_nodes, parameters, reads
from mindport.convert.training.second_order import DERIVATIVES, GRAD
from mindport.convert.training.without_call import run_without_call
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import FunctionScope


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
#: Of these, what they call decides about places alone.
_CHOOSING_BY = _words("min max filter sorted")
#: Methods and attributes of modules that give their parameters.
_GIVING = _words("parameters named_parameters get_parameter _parameters")
#: torch functions that make values without gradients of anything.
_FREE_NAMES = _words(
    """argmax argmin argsort nonzero eq ne lt le gt ge isnan isfinite zeros_like ones_like rand_like randn_like empty_like
    full_like equal allclose bincount tensor from_numpy zeros ones empty rand randn randint randperm eye arange"""
)
#: torch classes whose instances hold no tensors that a loss is computed from.
_TOOLS = ("torch.optim.", "torch.utils.", "torch.amp.", "torch.cuda.", "torch.device", "torch.dtype", "torch.Generator", "torch.Size")

Env = dict[str, bool]
#: Statements of a function that only chooses what it gives back.
_CHOOSING = (ast.If, ast.Return, ast.Pass, ast.Raise, ast.Assert)


def cuts_by_name(facts: Facts, node: ast.Attribute) -> bool:
    """Whether an attribute's name says that it gives no gradient: a tensor's `data`, and not the field of an object of the project's."""
    owners = v.options(facts.value(node.value))
    return node.attr in CUTTING - _GIVING and not (owners and all(isinstance(owner, v.ProjectInstance) for owner in owners))


class Carrying:
    """Answers for the names of one file's scopes: `scopes` are the functions around the place, innermost first, and the module."""

    def __init__(self, facts: Facts, scopes: Sequence[ast.AST], module: ast.Module) -> None:
        self.facts = facts
        self.scopes = scopes
        self.module = module
        self.later: Env = {}  # what the names of a block that hold functions' reads carry at its end: a function may read what is bound behind it
        self.leaves: set[str] = set()  # names of tensors that want a gradient themselves
        self.left: frozenset[str] = frozenset()  # names and .attributes in which forward passes and hooks leave what carries: `left_behind`
        self.wholes: Mapping[str, frozenset[str]] = {}  # what names may be parts of: `parts`
        self._names = Fixpoint()
        self._asked: dict[tuple[int, bool], dict[object, bool]] = {}  # functions that are being asked, with where their answers are kept
        self._doubt = True  # whether what is not known carries
        self._handing: dict[tuple[int, bool], bool] = {}
        self._read: dict[int, tuple[set[str], frozenset[str]]] = {}  # function → attributes and names that it reads

    # -- expressions -------------------------------------------------------------------------

    def carries(self, node: ast.AST | None, env: Env) -> bool:
        """Whether the expression's value may carry a gradient; `env` says it of names bound in the block."""
        if isinstance(node, ast.Lambda):
            return self.closes_over(node, env)
        if isinstance(node, ast.Name | ast.Attribute) and any(self.gives(kind) for kind in v.options(self.facts.value(node))):
            return True
        if isinstance(node, ast.expr) and self.is_no_tensor(value := self.facts.value(node)) and not may_close_over(value):
            return holds_what_it_is_given(value) and self._is_given(node, env)
        if isinstance(node, ast.Name | ast.Subscript | ast.Call) and self._holds(node):
            return True
        match node:
            case None | ast.Constant() | ast.JoinedStr() | ast.Compare():
                return False
            case ast.Name(id=name) if name in self.leaves or name in self.left:
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
            or (isinstance(kind, v.Instance) and (is_module_class(kind.cls) or kind.cls.startswith(_TOOLS)))
            or (isinstance(kind, v.ProjectInstance) and MODULE in kind.cls.scope.ancestors)
            for kind in kinds
        )

    def closes_over(self, definition: ast.Lambda | ast.FunctionDef | ast.ClassDef, env: Env) -> bool:
        """Whether a function or class that is made here reads from around it what carries, now or later in the block: who calls it goes through that, wherever the call stands."""
        around = names(definition).reads
        if isinstance(definition, ast.ClassDef):  # what is unknown is no reason to take all that a script's class makes for computed
            return self._surely(lambda: any(self.origin(name) is not None for name in around))
        told = [k for known in (env, self.later) for k, carries in known.items() if carries]
        if any(k.partition(".")[0] in around for k in told) or (not self._doubt and any(self.origin(name) is not None for name in around)):
            return True
        return any(self.carries(d, env) for d in (*definition.args.defaults, *definition.args.kw_defaults))

    def _is_given(self, node: ast.expr, env: Env) -> bool:
        """Whether a module without parameters is given what carries, for certain: ``Apply(lambda v: w * v)``, or its name."""
        if isinstance(node, ast.Call):
            return self._surely(lambda: self._arguments(node, {}))
        name = key(node)
        return name is not None and env.get(name, False)

    def is_own(self, value: v.Value) -> bool:
        """Whether nothing came to a value from elsewhere: it is no tensor, or a parameter, or several."""
        return self.is_no_tensor(value) or all(map(is_of_parameters, v.options(value)))

    def _holds(self, node: ast.expr) -> bool:
        """Whether a value is a parameter, a container of parameters, or an object that gives what a module computes to who goes through it, or adds to it."""
        return any(is_of_parameters(kind) or self.gives(kind) for kind in v.options(self.facts.value(node)))

    def gives(self, value: v.Value, method: str = "") -> bool:
        """Whether an object of the project's computes by modules or parameters in this method, no call of which stands there; in one that Python calls."""
        run = run_without_call(value.cls.scope, method) if isinstance(value, v.ProjectInstance) else ()
        return run is None or any(self.active(one, doubt=False) for one in run)

    def makes(self, value: v.Value, call: ast.Call) -> bool:
        """Whether a call of this value makes gradients of free arguments, for certain."""
        return self._surely(lambda: self._callee(value, call, {}) is True)

    def enters(self, node: ast.expr, env: Env) -> bool:
        """Whether what a with statement binds carries, for certain."""
        if any(self.gives(kind, "__enter__") for kind in v.options(self.facts.value(node))):
            return True
        return self._surely(lambda: isinstance(node, ast.Call) and self.carries(node, env))

    def _surely(self, question: Callable[[], bool]) -> bool:
        before, self._doubt = self._doubt, False
        try:
            return question()
        finally:
            self._doubt = before

    def _attribute(self, node: ast.Attribute, env: Env) -> bool:
        if cuts_by_name(self.facts, node):
            return False
        if f".{node.attr}" in self.left or env.get(f".{node.attr}", False) or node.attr in _GIVING:
            return True
        name = key(node)
        if name is not None and name in env:
            return env[name]
        value = self.facts.value(node)
        kinds = v.options(value)
        if all(isinstance(k, v.Bound) for k in kinds):
            return self.carries(node.value, env)
        if any(map(is_of_parameters, kinds)) or any(self.gives(o, node.attr) for o in v.options(self.facts.value(node.value))):
            return True
        if name is not None and name.split(".")[0] in ("self", "cls"):
            return env.get(name.partition(".")[0], False) or self._stored(node.attr) is not None
        return self.carries(node.value, env) or self._is_of_module(node.value, kinds)

    def _is_of_module(self, owner: ast.expr, kinds: Sequence[v.Value]) -> bool:
        """Whether an attribute that nobody knows is one of a module whose class nobody knows: it may be a parameter."""
        owners = v.options(self.facts.value(owner))
        return all(isinstance(k, v.Unknown) for k in kinds) and any(isinstance(o, v.Instance) and o.cls == MODULE for o in owners)

    def _stored(self, attribute: str) -> ast.AST | None:
        """A store to this attribute, anywhere in the file, of something that may carry a gradient."""
        return self._names.ask((".", attribute, self._doubt), lambda: next((node for node in stores(self.module, attribute) if self.carries(node.value, {})), None))

    def _arguments(self, node: ast.Call, env: Env) -> bool:
        return any(self.carries(a, env) for a in (*node.args, *(k.value for k in node.keywords)))

    def _call(self, node: ast.Call, env: Env) -> bool:
        func = node.func
        if isinstance(func, ast.Name) and func.id in PLAIN:
            return False
        meant = v.options(self.facts.value(func))
        if isinstance(func, ast.Attribute) and func.attr in CUTTING_CALLS and not any(is_project_function(m) for m in meant):
            return func.attr in _GIVING
        given = self._arguments(node, env) or self._by_what_it_calls(node, meant, env)
        if isinstance(func, ast.Name) and func.id in PASSING:
            return given
        answers = {self._callee(option, node, env) for option in meant}
        if True in answers or not isinstance(func, ast.Attribute) and self.carries(func, env):
            return True
        if answers == {False}:
            return False
        return given

    def _by_what_it_calls(self, node: ast.Call, meant: Sequence[v.Value], env: Env) -> bool:
        """Whether a function of the library or of Python is handed one that makes gradients: ``map(net, images)``, ``reduce(lambda a, x: a + net(x), images)``."""
        if isinstance(node.func, ast.Name) and node.func.id in _CHOOSING_BY or not all(isinstance(m, (v.Api, v.Unknown)) for m in meant):
            return False
        mapping = isinstance(node.func, ast.Name) and node.func.id == "map"
        if not mapping and not any(isinstance(m, v.Api) for m in meant):
            return False
        for place, function in enumerate([*node.args, *(k.value for k in node.keywords)]):
            call = ast.Call(func=function, args=[], keywords=[])
            kinds = [k for k in v.options(self.facts.value(function)) if (mapping and place == 0) or is_called(k)]
            if any(self._callee(kind, call, env) for kind in kinds):
                return True
        return False

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
                return self._of_function(scope, env)
            case v.Instance(cls=cls):
                return None if computes_of_given(cls) else True
            case v.ProjectInstance(cls=cls):
                if MODULE in cls.scope.ancestors and not without_parameters(cls.scope):
                    return True
                called = ("forward", "__call__") if MODULE in cls.scope.ancestors else ("__call__",)
                call = next((c.methods[name] for name in called for c in cls.scope.mro if name in c.methods), None)
                return True if call is None or self.active(call, self._doubt) else None
        return self._unknown(node, env)

    def _method(self, receiver: v.Value, function: v.Value, node: ast.Call, env: Env) -> bool | None:
        if isinstance(function, v.ProjectFunction):
            found = self._of_function(function.scope, env)
            return True if isinstance(node.func, ast.Attribute) and self.carries(node.func.value, env) and self.hands_on(function.scope, receiver=True) else found
        if not isinstance(node.func, (ast.Attribute, ast.Name)):  # getattr(x, "inverse")()
            return True if self.carries(node.func, env) else None
        if isinstance(receiver, v.TensorValue) and isinstance(node.func, ast.Attribute):
            return True if self.carries(node.func.value, env) else None
        if isinstance(receiver, v.Instance) and is_module_class(receiver.cls):
            return True
        if isinstance(receiver, v.ProjectInstance) and MODULE in receiver.cls.scope.ancestors:
            return True
        return True if isinstance(node.func, ast.Attribute) and self.carries(node.func.value, env) else None

    def _unknown(self, node: ast.Call, env: Env) -> bool | None:
        """A method of a value that is not known: a tensor's, if its name says so; NumPy's arrays and generators hand on."""
        func = node.func
        if isinstance(func, ast.Attribute):
            kinds = v.options(self.facts.value(func.value))
            if torchfacts.member("torch.Tensor", func.attr) is not None or (kinds and all(is_of_numpy(k) for k in kinds)):
                return True if self.carries(func.value, env) else None
        return True if self._doubt else None

    # -- functions ---------------------------------------------------------------------------

    def _of_function(self, scope: FunctionScope, env: Env) -> bool | None:
        if any(carries and self._is_seen_by(scope, name) for name, carries in env.items()):
            return True
        return True if self.active(scope, self._doubt) else None if self.hands_on(scope) else False

    def _is_seen_by(self, scope: FunctionScope, name: str) -> bool:
        """Whether a function reads what carries from around it: an attribute (``.h``) that another one has left, a name that both see."""
        node = scope.node
        known = self._read.get(id(node))
        if known is None:
            known = self._read[id(node)] = reads([node]), frozenset(names(node).reads)
        if name.startswith("."):
            return name in known[0]
        if "." in name or name not in known[1]:
            return False
        inside = any(part is node for part in own_nodes(self.scopes[0])) if self.scopes else False
        return inside or not bindings(self.scopes[0], name) or isinstance(self.scopes[0], ast.Module)

    def hands_on(self, scope: FunctionScope, receiver: bool = False) -> bool:
        """Whether what a project function gives back may carry what its arguments do, or its `receiver`.

        False where it only chooses among results that are cut off: ``return h.detach()``, ``return tuple(repackage(v) for v in h)``. Whether it stores anything is not asked.
        """
        node = scope.node
        known = self._handing.get((id(node), receiver))
        if known is not None:
            return known
        self._handing[id(node), receiver] = False  # a recursive call adds nothing
        parts = [part for part in own_nodes(node) if isinstance(part, (ast.stmt, ast.NamedExpr, ast.Yield, ast.YieldFrom)) and not isinstance(part, _CHOOSING)]
        found = isinstance(node, ast.FunctionDef) and not node.decorator_list and all(isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) for part in parts)
        if found:
            tree = scope.module.file.tree
            inner = Carrying(scope.module.facts, [node, tree], tree)
            inner._asked, inner._handing, inner._read = self._asked, self._handing, self._read
            given = {name: receiver or name != "self" for name in parameters(node)}
            found = not any(inner.carries(part.value, given) for part in own_nodes(node) if isinstance(part, ast.Return))
        self._handing[id(node), receiver] = not found
        return not found

    def active(self, scope: FunctionScope, doubt: bool = True) -> bool:
        """Whether a project function may make gradients of free arguments: it calls what may. Without `doubt`: what does, for certain."""
        node, kept = scope.node, scope.module.facts.answers
        if (id(node), doubt) in kept:
            return kept[id(node), doubt]
        if (id(node), doubt) in self._asked:
            return False  # a recursive call adds nothing
        outermost = not self._asked
        self._asked[id(node), doubt] = kept
        found = kept[id(node), doubt] = self._calls_what_may(scope, doubt)
        if not found and not outermost:
            del kept[id(node), doubt]  # one that is still being asked may be reached by it
        elif outermost:
            for function, answers in self._asked.items() if not found else ():
                answers.setdefault(function, False)
            self._asked.clear()
        return found

    def _calls_what_may(self, scope: FunctionScope, doubt: bool) -> bool:
        node, tree = scope.node, scope.module.file.tree
        if any(cuts(d) for d in getattr(node, "decorator_list", ())):
            return False
        around: list[ast.AST] = []
        outer: FunctionScope | None = scope
        while outer is not None:
            around.append(outer.node)
            outer = outer.parent
        inner = Carrying(scope.module.facts, [*around, tree], tree)
        inner._asked, inner._doubt = self._asked, doubt
        free = dict.fromkeys(parameters(node), False)
        return any(
            inner.carries(part, free) for part in own_nodes(node)
            if isinstance(part, (ast.Call, ast.Attribute)) and isinstance(getattr(part, "ctx", ast.Load()), ast.Load)
        )  # fmt: skip

    # -- names -------------------------------------------------------------------------------

    def origin(self, name: str, ignored: frozenset[int] = frozenset()) -> ast.AST | None:
        """A binding of `name`, anywhere in the scope but at `ignored` nodes, of something that may carry a gradient."""
        return self._names.ask(("", name, self._doubt), lambda: self._binding_of(name, ignored))

    def _binding_of(self, name: str, ignored: frozenset[int]) -> ast.AST | None:
        for scope in self.scopes:
            places = bindings(scope, name)
            if places:
                sources = (p for p, value in places if id(p) not in ignored and value is not None and self.carries(value, {}))
                return next(sources, None)
        return None
