"""What iterating a value gives, and what unpacking gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.inference import torchfacts
from mindport.inference.values import (
    NONE,
    Builtin,
    Const,
    Instance,
    Mapping,
    ProjectClass,
    ProjectInstance,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    element_of,
    join,
    options,
)

if TYPE_CHECKING:
    from mindport.inference.project import Project

_MODULE = Instance("torch.nn.Module", likely=True)
#: Lists of modules: iterated, joined and repeated by operators, indexed by numbers.
CONTAINERS = frozenset(("torch.nn.ModuleList", "torch.nn.Sequential"))


def iterate(project: Project, value: Value) -> Value:
    """What the elements of a value can be."""
    found = [_iterate(project, option) for option in options(value) if option != NONE]
    return join(*found) if found else Unknown("None has no elements")


def _iterate(project: Project, value: Value) -> Value:
    if isinstance(value, Sequence):
        return element_of(value)
    if isinstance(value, TensorValue):
        return TensorValue(value.dtype, value.shape[1:] if value.shape else None, likely=value.likely)
    if isinstance(value, Mapping):
        if value.items is not None and value.items:
            return join(*(Const.of(key) for key, _ in value.items))
        return Builtin("str") if value.items else Unknown("the keys of the dict are not known")
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        return Builtin("str" if isinstance(value.value, str) else "int")
    if isinstance(value, Builtin) and value.type in ("str", "bytes"):
        return Builtin("str" if value.type == "str" else "int")
    if isinstance(value, Instance):
        return _library(value.cls, value.element)
    if isinstance(value, ProjectInstance):
        return _project_instance(project, value)
    if isinstance(value, ProjectClass):
        return ProjectInstance(value, likely=True)  # an enum's members
    if isinstance(value, Unknown):
        return value
    return Unknown("its elements are not known")


def _library(cls: str, element: Value | None) -> Value:
    if cls == "numpy.ndarray":
        return Instance(cls, likely=True, element=element)  # rows, or NumPy's numbers: what indexing it gives
    if element is not None:
        return element
    found = torchfacts.ancestors(cls)
    if CONTAINERS.intersection(found):
        return _MODULE
    if "torch.nn.ModuleDict" in found or "torch.nn.ParameterDict" in found:
        return Builtin("str")
    if "torch.nn.ParameterList" in found:
        return TensorValue(parameter=True)
    return Unknown(f"what {cls} yields is not known")


def _project_instance(project: Project, value: ProjectInstance) -> Value:
    for name in ("__iter__", "__getitem__"):
        method = project.method(value.cls.scope, name)
        if method is not None:
            result = project.result(method)
            return _iterated(project, result) if name == "__iter__" else result
    held = project.held(value.cls.scope)
    for ancestor in value.cls.scope.ancestors:
        if ancestor in CONTAINERS:
            return held if held is not None else _MODULE
        if ancestor == "torch.utils.data.DataLoader":
            return Unknown("what a data loader yields is not known")
    return Unknown(f"what {value.cls.scope.name} yields is not known")


def _iterated(project: Project, iterator: Value) -> Value:
    """What the result of ``__iter__`` yields: an iterator of the project's own (often ``self``) what its ``__next__`` gives."""
    found = []
    for option in options(iterator):
        step = project.method(option.cls.scope, "__next__") if isinstance(option, ProjectInstance) else None
        if step is not None:
            found.append(project.result(step))
        elif isinstance(option, ProjectInstance):
            found.append(Unknown(f"{option.cls.scope.name} is no iterator"))
        else:
            found.append(_iterate(project, option))
    return join(*found) if found else Unknown("__iter__ gives nothing")


def unpack(project: Project, value: Value, count: int) -> list[Value]:
    """The values of `count` targets that a value is unpacked to."""
    exact: list[tuple[Value, ...]] = []
    others: list[Value] = []
    for option in options(value):
        if isinstance(option, Sequence) and option.items is not None and len(option.items) == count:
            exact.append(option.items)
        elif option != NONE:
            others.append(option)
    if not exact:
        element = iterate(project, value)
        return [element] * count
    # A literal of another length cannot be unpacked to these targets, so it is not what stands here.
    rest = [iterate(project, o) for o in others if not (isinstance(o, Sequence) and o.items is not None)]
    return [join(*(items[i] for items in exact), *rest) for i in range(count)]
