"""Attributes and items of modules, layers, classes and Python's own objects."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any

from mindport.analysis import torch_names
from mindport.analysis.network_run.layer_rules import (
    HOLDERS,
    LOSSES,
    PLAIN,
    PREFIX,
    SAME,
    STACKS,
    WEIGHED,
    several,
)
from mindport.analysis.network_run.values import (
    Bound,
    Class,
    Function,
    Instance,
    Outside,
    Parameter,
    Scope,
    Super,
    Tensor,
    Undecided,
    Unknown,
)
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.scopes import ClassScope, FunctionScope

if TYPE_CHECKING:
    from mindport.analysis.network_run.interpreter import Interpreter

_OF_MODULE = torch_names.MODULE + "."
_CONSTANTS = {"math.pi": math.pi, "math.inf": math.inf, "math.e": math.e, "numpy.pi": math.pi}


def parameters_of(layer: Instance) -> dict[str, Parameter]:
    """A library layer's own parameters, made once. Raises Undecided where they are not known."""
    if layer.own is None:
        kind = layer.layer.removeprefix(PREFIX)
        known = WEIGHED.get(kind)
        if known is not None:
            layer.own = {name: Parameter(shape) for name, shape in known[1](layer.arguments).items()}
        elif kind in PLAIN or kind in STACKS or layer.layer in HOLDERS:
            layer.own = {}
        else:
            raise Undecided(f"the parameters of {kind} are not known")
    return layer.own


def listed(module: Instance) -> list[tuple[str, Parameter]] | None:
    """(path, parameter) of all, each once; None where they are not all known."""
    found: dict[int, tuple[str, Parameter]] = {}
    for path, each in module.walk():
        if each.unknown:
            return None
        try:
            own = dict(parameters_of(each)) if each.layer and each.layer not in HOLDERS else {}
        except Undecided:
            return None
        own |= {name: value for name, value in each.attributes.items() if isinstance(value, Parameter)}
        for name, parameter in own.items():
            found.setdefault(id(parameter), (f"{path}.{name}" if path else name, parameter))
    return list(found.values())


def read(run: Interpreter, base: Any, name: str) -> Any:
    """``base.name``."""
    if isinstance(base, Outside):
        full = f"{base.name}.{name}"
        return _CONSTANTS[full] if full in _CONSTANTS else Outside(torchfacts.canonical(full))
    if isinstance(base, Instance):
        return _of_instance(run, base, name)
    if isinstance(base, Super):
        return _of_super(base, name)
    if isinstance(base, Class):
        if name in ("__name__", "__qualname__"):
            return base.scope.name
        found = _in_classes(run, base.scope.mro, name)
        return found if found is not None else Unknown(f"{base.scope.name}.{name} is not known")
    if isinstance(base, v.ProjectModule):
        from mindport.analysis.network_run.interpreter import outside_value

        return outside_value(base.scope.env.get(name, v.Unknown()), f"{name} is not known")
    if isinstance(base, Tensor):
        return _of_tensor(base, name)
    if isinstance(base, Unknown):
        return Unknown(base.why, base.plain)
    return Bound(base, name)


def _of_tensor(base: Tensor, name: str) -> Any:
    shape = base.shape
    if name == "shape":
        return shape if shape is not None else Unknown("the tensor's shape is not known", True)
    if name == "ndim":
        return len(shape) if shape is not None else Unknown("the tensor's shape is not known", True)
    if name in ("T", "mT") and shape is not None and (name == "mT" or len(shape) == 2):
        return Tensor((*shape[:-2], shape[-1], shape[-2]))
    if name in ("device", "dtype", "is_cuda", "requires_grad"):
        return Unknown(f"the tensor's {name}", True)
    return Tensor(shape) if name in ("data", "grad", "real") else Bound(base, name)


def _of_instance(run: Interpreter, base: Instance, name: str) -> Any:
    if name in base.attributes:
        return base.attributes[name]
    if name == "training":
        return False
    if name == "__module__":
        return Unknown("a module's name", True)
    if base.layer and base.layer not in HOLDERS:
        own = parameters_of(base) if base.layer.removeprefix(PREFIX) in WEIGHED else {}
        if name in own:
            return own[name]
        if name in base.arguments:
            value = base.arguments[name]
            rank = int(base.layer[-2]) if base.layer.endswith("d") and base.layer[-2:-1].isdigit() else 0
            wide = rank and "Conv" in base.layer and name in ("kernel_size", "stride", "padding", "dilation") and isinstance(value, int)
            return several(value, rank) if wide else value
        if name == "bias":
            return None
    if base.cls is not None:
        found = _in_classes(run, base.cls.mro, name, base)
        if found is not None:
            return found
        if name == "__class__":
            return Class(base.cls)
        if base.cls.has_unknown_base():
            return Unknown(f"{base.kind}.{name} may come from a base class that is not known")
    if base.module and torchfacts.lookup(_OF_MODULE + name) is not None:
        return Bound(base, name)
    if base.layer in HOLDERS:
        return Bound(base, name)
    return Unknown(f"{base.kind}.{name} is not known")


def _of_super(base: Super, name: str) -> Any:
    mro = base.receiver.cls.mro if base.receiver.cls is not None else ()
    later = mro[mro.index(base.owner) + 1 :] if base.owner in mro else ()
    found = _in_classes(None, later, name, base.receiver)
    return found if found is not None else Bound(base.receiver, name)


def _in_classes(run: Interpreter | None, classes: tuple[ClassScope, ...], name: str, receiver: Instance | None = None) -> Any:
    for cls in classes:
        function = method_of(cls, name)
        if function is not None:
            kind = cls.module.scopes[id(function.node)].kind  # type: ignore[union-attr]
            if kind == "property" and receiver is not None and run is not None:
                return run.call(Bound(receiver, name, function), (), {}, Scope(cls.module.facts, function.path))
            if kind == "static":
                return function
            if kind == "class":
                return Bound(Class(receiver.cls if receiver is not None and receiver.cls is not None else cls), name, function)
            return Bound(receiver, name, function) if receiver is not None else function
        for statement in cls.node.body:
            if isinstance(statement, ast.Assign):
                targets, value = statement.targets, statement.value
            elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
                targets, value = [statement.target], statement.value
            else:
                continue
            if any(isinstance(target, ast.Name) and target.id == name for target in targets) and run is not None:
                return run.evaluate(value, Scope(cls.module.facts, str(cls.module.file.relative)))
    return None


def method_of(cls: ClassScope, name: str) -> Function | None:
    """The method that the class's body defines last under this name."""
    if name not in cls.methods:
        return None
    node = next((s for s in reversed(cls.node.body) if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef)) and s.name == name), None)
    scope = cls.module.scopes.get(id(node)) if node is not None else cls.methods[name]
    if not isinstance(scope, FunctionScope):
        return None
    changed = "" if scope.keeps or scope.kind in ("static", "class", "property") else "a decorator"
    return Function(scope.node, cls.module.facts, str(cls.module.file.relative), None, cls, changed)


def put(base: Any, name: str, value: Any) -> None:
    """``base.name = value``: modules and parameters are registered."""
    if isinstance(base, Tensor):
        if name == "data" and not (isinstance(value, Tensor) and value.shape is not None and value.shape == base.shape):
            raise Undecided("a tensor's data are replaced by something of unknown shape")
        return
    if not isinstance(base, Instance):
        raise Undecided(f"{name} is set on something that is not known")
    if base.layer and base.layer not in HOLDERS and base.layer.removeprefix(PREFIX) in WEIGHED:
        own = parameters_of(base)
        if name in own:
            if value is None:
                del own[name]
            elif isinstance(value, Parameter):
                own[name] = value  # tied weights
            else:
                raise Undecided(f"the parameter {name} of {base.kind} is replaced by something that is not known")
            return
    if base.module and isinstance(value, Unknown) and not value.plain:
        base.unknown.append(f"{base.kind}.{name}: {value.why}")
    if base.module and isinstance(value, (list, tuple, dict)):
        pass  # modules in plain containers are not registered, as in torch
    base.attributes[name] = value


def elements(run: Interpreter, base: Instance) -> list[Any]:
    """What iterating over a module gives."""
    if base.layer == PREFIX + torch_names.MODULE_DICT:
        return [name for name, _ in base.children()]
    if base.layer in HOLDERS:
        if any(isinstance(value, Unknown) for value in base.attributes.values()):
            raise Undecided(f"an element of {base.kind} is not known")
        return [child for _, child in base.children()]
    if base.cls is not None and base.cls.name and "__iter__" in base.cls.methods:
        raise Undecided("an iterator of the project is not followed")
    raise Undecided(f"{base.kind} is iterated over")


def item(run: Interpreter, base: Instance, index: Any) -> Any:
    """``module[index]``."""
    if base.layer == PREFIX + torch_names.MODULE_DICT and isinstance(index, str):
        return base.attributes.get(index, Unknown(f"{index} is not in the ModuleDict"))
    if base.layer in HOLDERS and isinstance(index, (int, slice)):
        inside = elements(run, base)
        if isinstance(index, int):
            return inside[index]
        part = Instance(None, base.layer)
        for number, child in enumerate(inside[index]):
            part.attributes[str(number)] = child
        return part
    return Unknown(f"an item of {base.kind} is not known")


def plain(value: Any) -> bool:
    """Whether a value is certainly no module and holds none."""
    if isinstance(value, Unknown):
        return value.plain
    if isinstance(value, (list, tuple, set)):
        return all(plain(item) for item in value)
    if isinstance(value, dict):
        return all(plain(item) for item in value.values())
    return value is None or isinstance(value, (int, float, str, Tensor)) and not isinstance(value, Parameter)


def alike(one: Any, two: Any) -> bool:
    """Whether two modules are the same to counts and shapes: both without parameters, and keep the shape."""
    return all(isinstance(x, Instance) and _harmless(x) for x in (one, two))


def _harmless(module: Instance) -> bool:
    if module.unknown or any(True for _ in module.children()) or any(isinstance(x, Parameter) for x in module.attributes.values()):
        return False
    kind = module.layer.removeprefix(PREFIX)
    return module.cls is None and kind in SAME - LOSSES


