"""Which values hold parameters, run what holds them, or compute with what they are given alone."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.overlays.libraries import is_torch_based
from mindport.inference.scopes import ClassScope
from mindport.source.walking import walk

#: torch layers that hold no parameters: a call of an instance hands on what it gets.
_WITHOUT_PARAMETERS = ("Loss", "ReLU", "Sigmoid", "Tanh", "Softmax", "Dropout", "Pool1d", "Pool2d", "Pool3d", "Flatten", "Upsample", "Identity")
_WITH_PARAMETERS = ("PReLU", "AdaptiveLogSoftmaxWithLoss", "LinearCrossEntropyLoss")


def is_module_class(cls: str) -> bool:
    return cls == MODULE or MODULE in torchfacts.ancestors(cls)


def is_plain_loss(cls: str) -> bool:
    """Whether a torch class is a loss without parameters of its own."""
    return cls.endswith("Loss") and cls.rpartition(".")[2] not in _WITH_PARAMETERS


def computes_of_given(cls: str) -> bool:
    """Whether a call of an instance of an outside class computes with what it gets alone."""
    if MODULE in torchfacts.ancestors(cls):
        return cls.endswith(_WITHOUT_PARAMETERS) and cls.rpartition(".")[2] not in _WITH_PARAMETERS
    return cls != MODULE and (cls.startswith(("torchvision.transforms", "timm.data.")) or not is_torch_based(cls))


def is_of_numpy(value: v.Value) -> bool:
    made_by = value.cls if isinstance(value, v.Instance) else value.origin if isinstance(value, v.Unknown) else ""
    return made_by.split(".")[0] == "numpy"


def is_of_parameters(value: v.Value) -> bool:
    match value:
        case v.TensorValue(parameter=parameter):
            return parameter
        case v.Sequence(items=items, element=element):
            return any(map(is_of_parameters, (*(items or ()), *v.options(element))))
        case v.Mapping(items=items, element=element):
            return any(map(is_of_parameters, (*(value for _, value in items or ()), *v.options(element))))
    return False


def is_called(value: v.Value) -> bool:
    """Whether a value is a function or a module, for certain."""
    if isinstance(value, v.ProjectInstance):
        return MODULE in value.cls.scope.ancestors or any("__call__" in c.methods for c in value.cls.scope.mro)
    return isinstance(value, (v.ProjectFunction, v.Bound, v.Partial)) or (isinstance(value, v.Instance) and is_module_class(value.cls))


def may_close_over(value: v.Value) -> bool:
    """Whether a value may be a function or class of the project's, or hold one: it may read from around it what carries."""
    for kind in v.options(value):
        if isinstance(kind, (v.ProjectFunction, v.ProjectClass)) or (isinstance(kind, v.Bound) and isinstance(kind.receiver, v.ProjectInstance)):
            return True
        if isinstance(kind, v.Sequence) and any(map(may_close_over, kind.items if kind.items else (kind.element,))):
            return True
    return False


def holds_what_it_is_given(value: v.Value) -> bool:
    """Whether a value may be a module that makes no parameters, or a container of such: what it is given flows through its calls."""
    for kind in v.options(value):
        if isinstance(kind, v.ProjectInstance) and MODULE in kind.cls.scope.ancestors and makes_no_parameters(kind.cls.scope):
            return True
        if isinstance(kind, v.Instance) and kind.element is not None and is_module_class(kind.cls):
            return all(holds_what_it_is_given(one) or (isinstance(one, v.Instance) and computes_of_given(one.cls)) for one in v.options(kind.element))
    return False


def is_project_function(value: v.Value) -> bool:
    return isinstance(value, v.ProjectFunction) or (isinstance(value, v.Bound) and isinstance(value.function, v.ProjectFunction))


def makes_no_parameters(scope: ClassScope) -> bool:
    """Whether a project module constructs nothing that could hold parameters, and derives from no layer that has some. What it is given may."""
    if any(cls != MODULE and MODULE in torchfacts.ancestors(cls) and not computes_of_given(cls) for cls in scope.ancestors):
        return False
    for cls in scope.mro:
        facts, making = cls.module.facts, cls.methods.get("__init__")
        at_birth = {id(node) for node in walk(making.node)} if making is not None else set()
        for node in walk(cls.node):
            if isinstance(node, ast.Call) and not _is_of_base(node):
                kinds = v.options(facts.value(node))
                if any(map(_may_run, kinds)) or (id(node) in at_birth and any(isinstance(kind, (v.Unknown, v.ProjectInstance)) for kind in kinds)):
                    return False
    return True


def without_parameters(scope: ClassScope) -> bool:
    """Whether a project module makes no parameters, is given nothing, and runs nothing that nobody knows."""
    if not makes_no_parameters(scope) or any(cls.attributes for cls in scope.mro):
        return False
    for cls in scope.mro:
        facts = cls.module.facts
        for node in walk(cls.node):
            if isinstance(node, ast.Call) and not _is_of_base(node):
                if not isinstance(node.func, ast.Attribute | ast.Name):
                    return False
                if any(isinstance(option, (v.ProjectInstance, v.Unknown)) for option in v.options(facts.value(node))):
                    return False
    return True


def _is_of_base(call: ast.Call) -> bool:
    """``super()`` and ``super().__init__()``."""
    func = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "__init__" else call
    return isinstance(func, ast.Call) and isinstance(func.func, ast.Name) and func.func.id == "super"


def _may_run(value: v.Value) -> bool:
    if isinstance(value, v.ProjectInstance):
        return MODULE in value.cls.scope.ancestors
    if isinstance(value, v.Instance):
        return is_module_class(value.cls) and not computes_of_given(value.cls)
    return isinstance(value, v.TensorValue) and value.parameter
