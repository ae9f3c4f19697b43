"""Attributes: what ``value.name`` is, and what a store of it does."""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mindport.inference import torchfacts
from mindport.inference.annotations import returned
from mindport.inference.certainty import likely
from mindport.inference.overlays import named_results
from mindport.inference.overlays.command_line import NAMESPACES, held
from mindport.inference.overlays.layers import WRAPPERS
from mindport.inference.overlays.libraries import root
from mindport.inference.overlays.optimizer_groups import HELD
from mindport.inference.overlays.registered import is_parameter
from mindport.inference.overlays.tensors import ATTRIBUTES
from mindport.inference.scopes import ClassScope, FunctionScope
from mindport.inference.values import (
    NONE,
    Api,
    Bound,
    Builtin,
    Const,
    Instance,
    Mapping,
    Partial,
    ProjectClass,
    ProjectFunction,
    ProjectInstance,
    ProjectModule,
    Returning,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
    options,
)

if TYPE_CHECKING:
    from mindport.inference.frame import Frame
    from mindport.inference.project import Project

#: Containers whose modules have names: what torch does not document of them is one of these.
_HOLDING = frozenset(("torch.nn.Sequential", "torch.nn.ModuleDict", "torch.nn.ModuleList"))
#: What the named tuples of torch's functions begin with.
_NAMED = "torch.return_types."
#: More overriding methods than this in subclasses are not followed.
MOST_OVERRIDES = 6


def attribute(project: Project, value: Value, name: str) -> Value:
    """What ``value.name`` is."""
    kinds = options(value)
    if len(kinds) == 1:
        return _one(project, value, name)
    found = [_one(project, option, name) for option in holding(kinds, name) if option != NONE]
    return join(*found) if found else Unknown("None has no attributes")


def _one(project: Project, value: Value, name: str) -> Value:
    reader = _READERS.get(type(value))
    return reader(project, value, name) if reader is not None else Unknown(f"its attribute {name} is not known")


def _tensor(project: Project, value: TensorValue, name: str) -> Value:
    special = ATTRIBUTES.get(name)
    if special is not None:
        result: Value = special(value)
        return likely(result) if value.likely else result
    api = torchfacts.lookup(f"torch.Tensor.{name}")
    if api is None:
        return Unknown(f"torch.Tensor has no attribute {name}")
    if api.kind == "function":
        return Bound(value, Api(api.name))
    result = returned(api.type) if api.type else Unknown(f"torch does not type {api.name}")
    if is_parameter(api.name):
        result = join(*(replace(o, parameter=True) if isinstance(o, TensorValue) else o for o in options(result)))
    return likely(result) if value.likely else result


def _api(project: Project, value: Api, name: str) -> Value:
    full = torchfacts.canonical(f"{value.name}.{name}")
    known = torchfacts.lookup(full)
    if known is not None and known.kind == "attribute" and known.type == value.name:
        return Instance(value.name)  # a member of an enumeration
    if full.startswith(("torch.", "torchvision.")) and known is None:
        owner = torchfacts.lookup(value.name)
        if owner is not None and owner.kind == "class":
            inherited = torchfacts.member(value.name, name)
            if inherited is not None:
                return Api(inherited.name)
        if owner is not None and owner.kind == "constant":
            return Unknown(f"an attribute of {value.name}")
    return Api(full)


#: Parameters that recurrent layers set by computed names: ``weight_ih_l0``, ``bias_hh_l1_reverse``.
_OF_RECURRENT = re.compile(r"(weight|bias)_(ih|hh|hr)_l\d+(_reverse)?")


def _instance(project: Project, value: Instance, name: str) -> Value:
    if value.cls in NAMESPACES:
        return held(value, name, project.options)
    if not torchfacts.is_known(value.cls):
        if value.cls == "numpy.ndarray" and name in ("T", "real", "imag"):
            return value
        return Bound(value, Api(f"{value.cls}.{name}"))
    if value.cls in WRAPPERS and name == "module" and value.element is not None:
        return value.element
    api = torchfacts.member(value.cls, name)
    if api is None and _HOLDING.intersection(torchfacts.ancestors(value.cls)):  # ``blocks.conv1``: a module that it holds
        return value.element if value.element is not None else Instance("torch.nn.Module", likely=True)
    if api is None and _OF_RECURRENT.fullmatch(name) and "torch.nn.RNNBase" in torchfacts.ancestors(value.cls):
        return TensorValue(parameter=True, likely=value.likely)
    if api is None:
        return Unknown(f"{value.cls} has no documented attribute {name}")
    if api.kind == "function":
        return Bound(value, Api(api.name))
    result = _documented(api)
    if is_parameter(api.name) and not project.computes_weights:
        result = join(*(replace(o, parameter=True) if isinstance(o, TensorValue) else o for o in options(result)))
    return likely(result) if value.likely else result


def _documented(api: torchfacts.TorchApi) -> Value:
    """What a documented attribute holds."""
    if api.name in HELD:
        return HELD[api.name]
    return returned(api.type) if api.type else Unknown(f"torch does not type {api.name}")


def _module(project: Project, value: ProjectModule, name: str) -> Value:
    return project.module_attribute(value.scope.name, name)


def _class(project: Project, value: ProjectClass, name: str) -> Value:
    cls = value.scope
    for scope in cls.mro:
        found = scope.names.get(name)
        if found is not None:
            if isinstance(found, ProjectFunction) and found.scope.kind == "class":
                return Bound(value, found)
            if _is_enum(cls) and not isinstance(found, ProjectFunction) and not name.startswith("_"):
                return ProjectInstance(value)
            return found
        if name in scope.annotations:
            return scope.annotations[name]
    if name == "__name__" or name == "__qualname__":
        return Builtin("str")
    for ancestor in cls.ancestors:
        api = torchfacts.lookup(f"{ancestor}.{name}")
        if api is not None:
            return Bound(value, Api(api.name)) if ancestor == "torch.autograd.Function" else Api(api.name)
    if name == "_make" and _is_named_tuple(cls):
        return Returning(ProjectInstance(value))
    return Unknown(f"class {cls.name} has no attribute {name}")


def _is_named_tuple(cls: ClassScope) -> bool:
    return "typing.NamedTuple" in cls.ancestors


def _is_enum(cls: ClassScope) -> bool:
    return any(name.startswith("enum.") for name in cls.ancestors)


def _project_instance(project: Project, value: ProjectInstance, name: str) -> Value:
    result = instance_attribute(project, value, name)
    return likely(result) if value.likely else result


def instance_attribute(project: Project, value: ProjectInstance, name: str) -> Value:
    """What methods set, what the class body binds, what outside ancestors offer, in this order."""
    cls = value.cls.scope
    found = project.stored(cls, name)
    for scope in cls.mro:
        bound = scope.names.get(name)
        if bound is not None:
            if isinstance(bound, ProjectFunction):
                found += _methods(project, value, cls, name, bound)
            elif isinstance(bound, Api) and torchfacts.lookup(bound.name) is not None and torchfacts.lookup(bound.name).kind == "function":  # type: ignore[union-attr]
                found.append(Bound(value, bound))
            elif _is_enum(cls):
                found.append(ProjectInstance(value.cls))
            else:  # a field's default says less than its annotation
                declared = scope.annotations.get(name, bound)
                found.append(bound if isinstance(declared, Unknown) else declared)
            break
        if not found and name in scope.annotations:
            found.append(scope.annotations[name])
            break
    if found:
        return join(*found)
    if name == "__class__":
        return value.cls
    if name == "__dict__":
        return Mapping()
    if name in ("_replace", "_make") and _is_named_tuple(cls):
        return Returning(value)
    for ancestor in cls.ancestors:
        api = torchfacts.lookup(f"{ancestor}.{name}")
        if api is not None:
            if api.kind == "function":
                return Bound(value, Api(api.name))
            return _documented(api)
    outside = [n for n in cls.ancestors if not torchfacts.is_known(n) and not n.startswith(("builtins.", "abc.", "typing."))]
    if outside:
        return Bound(value, Api(f"{outside[0]}.{name}"))
    if cls.has_unknown_base():
        return Unknown(f"a base class of {cls.name} is not known")
    below = [sub.names[name] for sub in list(cls.all_subclasses())[:MOST_OVERRIDES] if name in sub.names]
    if below:
        return join(*(Bound(value, b) if isinstance(b, ProjectFunction) else b for b in below), Unknown("subclasses differ"))
    mixed = [] if cls.ancestors else [sub for sub in list(cls.all_subclasses())[:MOST_OVERRIDES] if sub.ancestors]
    if mixed:  # a mixin: what it finds on self comes from the classes that it is mixed into
        return join(*(instance_attribute(project, ProjectInstance(ProjectClass(sub), value.likely), name) for sub in mixed))
    return Unknown(f"class {cls.name} sets no attribute {name}")


def _methods(project: Project, value: ProjectInstance, cls: ClassScope, name: str, first: ProjectFunction) -> list[Value]:
    """The method itself, and those of subclasses that override it."""
    methods = [first.scope]
    for sub in cls.all_subclasses():
        own = sub.methods.get(name)
        if own is not None and own not in methods:
            methods.append(own)
    if len(methods) > MOST_OVERRIDES:
        methods = methods[:1]
    return [_bind(project, value, method) for method in methods]


def _bind(project: Project, value: ProjectInstance, method: FunctionScope) -> Value:
    if method.kind == "property":
        return project.result(method)
    if method.kind == "static":
        return method.value
    if method.kind == "setter":
        return Unknown("a property with a setter")
    return Bound(value.cls if method.kind == "class" else value, method.value)


def _function(project: Project, value: ProjectFunction, name: str) -> Value:
    if name in ("__name__", "__doc__", "__qualname__", "__module__"):
        return Builtin("str")
    return Unknown("an attribute of a function")


def holding(kinds: tuple[Value, ...], name: str) -> tuple[Value, ...]:
    """The options that a member may be one of, where torch's named tuples are among them: ``torch.max(a, b)`` is a tensor and
    ``torch.max(a, 1)`` values and indices, so ``.abs()`` stands on the tensor, and ``.values`` on the tuple."""
    named = {id(option): _fields(option.type) for option in kinds if isinstance(option, Sequence) and option.type.startswith(_NAMED)}
    if any(name in fields for fields in named.values()):
        return tuple(option for option in kinds if not isinstance(option, TensorValue))
    return tuple(option for option in kinds if name in dir(tuple) or not named.get(id(option))) or kinds


def _fields(type_: str) -> list[str]:
    api = torchfacts.lookup(type_)
    return list(named_results.fields(type_)) or ([p.name for p in api.signatures[0].parameters] if api is not None and api.signatures else [])


def _sequence(project: Project, value: Sequence, name: str) -> Value:
    if value.type.startswith(_NAMED):
        fields = _fields(value.type)
        if name in fields and value.items is not None:
            return value.items[fields.index(name)]
    if value.type == "torch.Size" and name == "numel":
        return Bound(value, Api("torch.Size.numel"))
    kind = {"list": "list", "deque": "list", "set": "set"}.get(value.type, "tuple")
    if value.type == "tuple" and not hasattr(tuple, name):  # a named tuple, whose fields nobody listed: one of what it holds
        return functools.reduce(join, value.items) if value.items else Unknown("a field of a named tuple")
    return Bound(value, Api(f"builtins.{kind}.{name}"))


def _builtin(project: Project, value: Builtin | Const, name: str) -> Value:
    if value == NONE:
        return Unknown("None has no attributes")
    kind = value.type if isinstance(value, Builtin) else value.kind.__name__
    return Bound(value, Api(f"builtins.{kind}.{name}"))


def _mapping(project: Project, value: Mapping, name: str) -> Value:
    return Bound(value, Api(f"builtins.dict.{name}"))


def _bound(project: Project, value: Bound, name: str) -> Value:
    if value.function == _SUPER and isinstance(value.receiver, ProjectInstance):
        return _super(project, value.receiver, name)
    if isinstance(value.function, Api) and root(value.function.name) not in ("torch", "builtins"):
        return Unknown(f"an attribute of {value.function.name}", value.function.name)
    return Unknown("an attribute of a method")


_SUPER = Api("builtins.super")


def _super(project: Project, value: ProjectInstance, name: str) -> Value:
    cls = value.cls.scope
    for scope in cls.mro[1:]:
        bound = scope.names.get(name)
        if isinstance(bound, ProjectFunction):
            return _bind(project, value, bound.scope)
        if bound is not None:
            return bound
    for ancestor in cls.ancestors:
        api = torchfacts.lookup(f"{ancestor}.{name}")
        if api is not None:
            return Bound(value, Api(api.name))
    if cls.ancestors:
        return Bound(value, Api(f"{cls.ancestors[0]}.{name}"))
    return Unknown(f"no base of {cls.name} is known to have {name}")


def _partial(project: Project, value: Partial, name: str) -> Value:
    return value.function if name == "func" else Unknown("an attribute of a partial")


def _unknown(project: Project, value: Unknown, name: str) -> Value:
    return value


_READERS: dict[type, Any] = {
    TensorValue: _tensor, Api: _api, Instance: _instance, ProjectModule: _module, ProjectClass: _class,
    ProjectInstance: _project_instance, ProjectFunction: _function, Sequence: _sequence, Builtin: _builtin, Const: _builtin,
    Mapping: _mapping, Bound: _bound, Partial: _partial, Unknown: _unknown,
}  # fmt: skip


def store(frame: Frame, base: Value, target: ast.Attribute, value: Value) -> None:
    """``base.name = value``."""
    for option in options(base):
        if isinstance(option, ProjectInstance):
            frame.project.store(option.cls.scope, target.attr, id(target), value)
        elif isinstance(option, ProjectClass):
            known = option.scope.names.get(target.attr)
            option.scope.names[target.attr] = value if known is None else join(known, value)
