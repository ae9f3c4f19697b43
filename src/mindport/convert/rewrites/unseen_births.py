"""Modules that are made out of sight: by a registry, a name, a choice between classes.

``Net()`` gets ``.set_train()`` (`training_mode`). ``MODELS[name]()``, ``getattr(models, name)()``, ``globals()[name]()``, ``eval(name)`` and
``kind()`` of one of two classes do not show what they make, and no more does ``import_module(path)``: where a class of the project goes into a value, or something is made
by a name that only the run knows, the vendored module has all cells born in training mode.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.rewrites.paths_in_texts import imports_by_text
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays.libraries import is_torch_based
from mindport.source.called import last_name

KNOWLEDGE, SETTING = "mindport.layers.training_at_birth", "BORN_IN_TRAINING"
_ASKING = ("isinstance", "issubclass", "super", "type", "cast", "hasattr")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the setting where a class of the project leaves sight, or is made by a name."""
    if KNOWLEDGE in context.shared.catalog.modules and any(_leaves_sight(context, node) or _by_name(context, node) or _by_path(context, node) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _is_module_class(value: object) -> bool:
    return isinstance(value, v.ProjectClass) and MODULE in value.scope.ancestors


def _leaves_sight(context: Context, node: ast.AST) -> bool:
    """Whether a module class of the project is put where its calls do not show: kept in a container, registered, chosen from."""
    if isinstance(node, ast.ClassDef):
        is_module = MODULE in context.facts.ancestors.get(node, ())
        return _sees_subclasses(context, node) or is_module and any(_registers(context, decorator) for decorator in node.decorator_list)
    if isinstance(node, ast.Attribute) and node.attr == "__subclasses__":
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute | ast.IfExp):
        options = v.options(context.facts.value(node.func))
        return len(options) > 1 and any(map(_is_module_class, options))
    if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load) or not _is_module_class(context.facts.value(node)):
        return False
    parent = context.parents.get(id(node))
    if isinstance(parent, ast.keyword):
        parent = context.parents.get(id(parent))
    if isinstance(parent, ast.Call) and parent.func is not node:
        return _is_foreign(context, parent) or _is_lost(context, parent, context.facts.value(node))
    return isinstance(parent, ast.Dict | ast.List | ast.Tuple | ast.Set) and not _is_asked(context, node)


def _is_foreign(context: Context, call: ast.Call) -> bool:
    """Whether a call hands what it gets to code that is not the project's, which may call it: ``map(Net, sizes)``. The project's own functions are read."""
    called = context.facts.value(call.func)
    return not isinstance(called, v.Api | v.ProjectFunction | v.ProjectClass | v.Bound) and not _asks(call)


def _is_lost(context: Context, call: ast.Call, cls: v.Value) -> bool:
    """Whether the project's function or class that gets a class makes nothing of it where calls are followed: kept by ``setattr``, called out of a dictionary of options."""
    called = context.facts.value(call.func)
    if not isinstance(called, v.ProjectFunction | v.ProjectClass | v.Bound) or _asks(call):
        return False
    is_module = isinstance(called, v.ProjectClass) and MODULE in called.scope.ancestors  # what it makes is set with it
    return not is_module and isinstance(cls, v.ProjectClass) and id(cls.scope) not in context.once(_made_by_other_names)


def _made_by_other_names(project: Files) -> frozenset[int]:
    """The classes that some call makes which does not say their name: ``kind(8)``."""
    return frozenset(
        id(option.scope) for file, facts in project for node in file.nodes if isinstance(node, ast.Call)
        for option in v.options(facts.value(node.func)) if isinstance(option, v.ProjectClass) and last_name(node.func) != option.scope.name
    )  # fmt: skip


def _asks(call: ast.Call) -> bool:
    """Whether a call only asks about classes: `isinstance` and its like."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _ASKING
    return False


def _sees_subclasses(context: Context, cls: ast.ClassDef) -> bool:
    """Whether a class is told of its subclasses, and may keep them: ``__init_subclass__``, a metaclass of the project."""
    told = any(isinstance(part, ast.FunctionDef) and part.name == "__init_subclass__" for part in cls.body)
    return told or any(k.arg == "metaclass" and isinstance(context.facts.value(k.value), v.ProjectClass) for k in cls.keywords)


def _is_asked(context: Context, node: ast.AST) -> bool:
    """Whether the container is an argument of `isinstance` and its like, or part of an annotation."""
    current = context.parents.get(id(node))
    while isinstance(current, ast.Dict | ast.List | ast.Tuple | ast.Set | ast.BinOp):
        current = context.parents.get(id(current))
    if isinstance(current, ast.Call):
        return _asks(current)
    return isinstance(current, ast.Subscript | ast.Compare | ast.arg | ast.AnnAssign)


def _registers(context: Context, decorator: ast.expr) -> bool:
    """Whether a decorator may keep the class: one of the project's, or of another library than torch's."""
    value = context.facts.value(decorator.func if isinstance(decorator, ast.Call) else decorator)
    return not isinstance(value, v.Api) or not is_torch_based(value.name)


def _by_name(context: Context, node: ast.AST) -> bool:
    """Whether something of the project's is called by a name that is a value: ``getattr(nets, name)()``, ``vars(nets)[name]()``."""
    match node:
        case ast.Call(func=ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Name() | ast.Attribute() | ast.JoinedStr() | ast.Subscript(), *_])):
            return isinstance(context.facts.value(owner), v.ProjectModule)
        case ast.Call(func=ast.Subscript(value=ast.Attribute(value=owner, attr="__dict__"))) | ast.Call(func=ast.Subscript(value=ast.Call(func=ast.Name(id="vars"), args=[owner]))):
            return isinstance(context.facts.value(owner), v.ProjectModule)
        case ast.Call(func=ast.Subscript(value=ast.Call(func=ast.Name(id="globals" | "locals"), args=[]))) | ast.Call(func=ast.Call(func=ast.Name(id="eval"))):
            return True
        case ast.Subscript(value=ast.Call(func=ast.Name(id="globals" | "locals"), args=[]), slice=name, ctx=ast.Load()):  # ``m = globals()[m]``, called further down
            return not isinstance(name, ast.Constant) and any(use.name.startswith("torch.nn") for use in context.facts.uses)
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Name() | ast.Attribute() | ast.JoinedStr() | ast.Subscript(), *_]):
            return isinstance(context.facts.value(owner), v.ProjectModule)
        case ast.Call(func=ast.Name(id="eval"), args=[text]):  # ``m = eval(m)``, called further down
            return not isinstance(text, ast.Constant) and any(use.name.startswith("torch.nn") for use in context.facts.uses)
        case ast.Call(func=ast.Attribute(value=owner) as func):
            return isinstance(context.facts.value(owner), v.ProjectModule) and func.attr[:1].isupper() and isinstance(context.facts.value(func), v.Unknown)
    return False


def _by_path(context: Context, node: ast.AST) -> bool:
    """Whether something is imported by what a value names, and kept: ``getattr(import_module(module), name)``; alone in its line it runs a file, whose classes register themselves."""
    if not isinstance(node, ast.Call) or not imports_by_text(node) or isinstance(context.parents.get(id(node)), ast.Expr):
        return False
    return not isinstance(context.facts.value(node.func), v.ProjectFunction | v.Bound)  # the project's own has such a call inside
