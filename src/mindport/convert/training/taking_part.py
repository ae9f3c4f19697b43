"""Whether every parameter that an optimizer holds takes part in the loss: only then the tidy form computes what torch does.

torch leaves `grad` None where the loss was not computed from a parameter, and optimizers pass it by.
``mindspore.value_and_grad`` gives zeros for it, and decay, momentum and Adam move it. So the tidy form needs a proof:
the model's class is known, its forward pass reads each of its modules on every way, nothing is cut off, and the results are used.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.convert.context import MODULE, Context
from mindport.convert.training.bindings import cut_off
from mindport.convert.training.holding import is_plain_loss
from mindport.convert.training.names import key, names, own_nodes
from mindport.convert.training.reading import Method, surely_read
from mindport.convert.training.replaced_forward import is_replaced
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import ClassScope

if TYPE_CHECKING:
    from mindport.convert.training.optimizers import Optimizer
    from mindport.convert.training.region import Region

#: What takes parameters out of the gradient's way, and ways to hold or reach modules that are not followed.
_CUTS = frozenset(
    ["detach", "detach_", "data", "no_grad", "inference_mode", "set_grad_enabled", "requires_grad", "requires_grad_", "item", "tolist", "numpy"]
)
_HIDDEN = frozenset(
    ["getattr", "setattr", "add_module", "register_module", "register_parameter", "children", "modules", "named_children", "named_modules",
     "parameters", "named_parameters", "_modules", "_parameters", "__dict__", "get_submodule", "get_parameter"]
)  # fmt: skip


def all_take_part(context: Context, region: Region, one: Optimizer) -> bool:
    """Whether it is sure that every parameter of the optimizer has a gradient after this backward call."""
    if is_replaced(context):
        return False  # ``layer.forward = …``: what the class reads is not what is read
    moved = [s for s in region.moved if not (isinstance(s, ast.With) and cut_off(s))]
    parts = [n for s in [*moved, *region.losses] for n in ast.walk(s)]
    if any(isinstance(n, ast.Attribute) and n.attr in _CUTS - {"item", "tolist", "numpy"} for n in parts):
        return False
    called = {text: n.func for n in parts if isinstance(n, ast.Call) and is_model(context.facts.value(n.func)) and (text := key(n.func))}
    possible = _held(context, region, one)
    for held in possible:
        for text, value in (held or {}).items():
            # By its name where both stand in one function, else by its class, where one model of this class is called.
            same = [name for name, node in called.items() if name == text or (len(held or ()) == len(called) == 1 and _one_class(context.facts.value(node), value))]
            if not same or not all(whole(o) for o in v.options(value)):
                return False
    return bool(possible) and all(possible) and _results_are_used(context, region, moved)


def is_model(value: v.Value) -> bool:
    """Whether a value is a module that may hold parameters."""
    return any(_is_submodule(option) for option in v.options(value))


def _is_submodule(value: v.Value) -> bool:
    if isinstance(value, v.Instance):
        return (value.cls == MODULE or MODULE in torchfacts.ancestors(value.cls)) and not is_plain_loss(value.cls)
    return isinstance(value, v.ProjectInstance) and MODULE in value.cls.scope.ancestors


def _one_class(first: v.Value, second: v.Value) -> bool:
    kinds = [{o.cls if isinstance(o, v.Instance) else o.cls.scope for o in v.options(k) if isinstance(o, (v.Instance, v.ProjectInstance))} for k in (first, second)]
    return len(kinds[0]) == 1 and kinds[0] == kinds[1]


def _held(context: Context, region: Region, one: Optimizer) -> list[dict[str, v.Value] | None]:
    """For each place where the optimizer may have been constructed: the models, by text, whose parameters it holds; None: not known."""
    local = [n for n in own_nodes(region.scope) if isinstance(n, ast.Assign) and any(key(t) == key(one.node) for t in n.targets)]
    if local:
        return [_of_models(context.facts, assignment.value) for assignment in local]
    return [
        _of_models(facts, node) for file, facts in context.files
        for node in file.nodes if isinstance(node, ast.Call) and _makes_optimizer(facts, node)
    ]  # fmt: skip


def _makes_optimizer(facts: Facts, call: ast.Call) -> bool:
    from mindport.convert.training.optimizers import is_optimizer

    return any(is_optimizer(o) for o in v.options(facts.value(call))) and bool(call.args or call.keywords)


def _of_models(facts: Facts, made: ast.expr) -> dict[str, v.Value] | None:
    """The models of ``SGD(a.parameters())`` and ``SGD(list(a.parameters()) + list(b.parameters()))``, and of no other form."""
    if not isinstance(made, ast.Call) or not made.args:
        return None
    found: dict[str, v.Value] = {}
    pending: list[ast.expr] = [made.args[0]]
    while pending:
        match pending.pop():
            case ast.Call(func=ast.Attribute(value=owner, attr="parameters"), args=[], keywords=[]):
                text = key(owner)
                if text is None or not is_model(facts.value(owner)):
                    return None
                found[text] = facts.value(owner)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                pending += [left, right]
            case ast.Call(func=ast.Name(id="list"), args=[inner]):
                pending.append(inner)
            case ast.Call(func=ast.Attribute(attr="chain"), args=inner):
                pending += inner
            case ast.List(elts=elements):
                if not all(isinstance(e, ast.Starred) for e in elements):
                    return None
                pending += [e.value for e in elements if isinstance(e, ast.Starred)]
            case _:
                return None
    return found


def _results_are_used(context: Context, region: Region, moved: list[ast.stmt]) -> bool:
    """Whether all that models return flows into the loss: a head whose result is left out has no gradient."""
    needed = {n for loss in region.losses for n in names(loss).reads} | ({region.loss_name} if region.loss_name else set())
    for statement in reversed(moved):
        own = names(statement)
        if needed & set(own.stores) or any(w.split(".")[0] in needed for w in own.weak):
            needed |= set(own.reads)
    results: set[str] = set()
    for statement in moved:
        for node in ast.walk(statement):
            if isinstance(node, (ast.Subscript, ast.Attribute)) and _is_result(context, node.value, results):
                return False  # one part of a result
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and is_model(context.facts.value(node.value.func)):
                stored = {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
                if stored - needed:
                    return False
                results |= stored
    return True


def _is_result(context: Context, node: ast.expr, results: set[str]) -> bool:
    """Whether an expression is what a model returned, and may hold several things."""
    is_one = (isinstance(node, ast.Call) and is_model(context.facts.value(node.func))) or (isinstance(node, ast.Name) and node.id in results)
    return is_one and not all(isinstance(o, v.TensorValue) for o in v.options(context.facts.value(node)))


def whole(value: v.Value, seen: frozenset[ClassScope] = frozenset()) -> bool:
    """Whether every parameter of a module is read in each of its calls."""
    match value:
        case v.Instance(element=element) if _is_submodule(value):
            if value.cls == MODULE:
                return False
            return element is None or all(whole(o, seen) for o in v.options(element))
        case v.ProjectInstance(cls=cls) if _is_submodule(value):
            return cls.scope in seen or _class_is_whole(cls.scope, seen | {cls.scope})
        case v.Const() | v.Builtin() | v.TensorValue() | v.Api() | v.ProjectFunction() | v.ProjectClass() | v.Sequence() | v.Mapping():
            return True
    return False


def _class_is_whole(cls: ClassScope, seen: frozenset[ClassScope]) -> bool:
    methods: dict[str, Method] = {}
    for base in reversed(cls.mro):
        methods |= {name: f.node for name, f in base.methods.items() if isinstance(f.node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    held: set[str] = set()
    for base in cls.mro:
        for node in ast.walk(base.node):
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if name in _CUTS | _HIDDEN:
                return False
            if isinstance(node, ast.Call) and not all(whole(o, seen) for o in v.options(base.module.facts.value(node)) if _is_submodule(o)):
                return False
        for name, stores in base.attributes.items():
            values = [o for value in stores.values() for o in v.options(value)]
            if any(_is_submodule(o) or (isinstance(o, v.TensorValue) and o.parameter) for o in values):
                held.add(name)
            elif any(isinstance(o, v.Unknown) for o in values) and not _is_setting(base, name):
                return False
    if "forward" not in methods:
        return not held
    read = surely_read(methods["forward"], methods)
    if "super().forward" in read:
        return False  # which of the modules the base class's reads is not followed
    return held <= read


def _is_setting(cls: ClassScope, name: str) -> bool:
    """Whether an attribute that nothing is known of is a number or text: never called, never gone through."""
    for base in cls.mro:
        for node in ast.walk(base.node):
            used = [node.func] if isinstance(node, ast.Call) else [node.iter] if isinstance(node, (ast.For, ast.comprehension)) else []
            if any(key(n) == f"self.{name}" for part in used for n in ast.walk(part)):
                return False
    return True
