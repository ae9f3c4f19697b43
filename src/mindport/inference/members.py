"""Which API an attribute of an instance is, and when that cannot be said.

Unresolved places: the receiver is unknown and the name is a member of ``torch.Tensor`` or
``torch.nn.Module``. Names that builtin types have too (``.copy``, ``.items``, ``.split``) are listed
only where one alternative is a tensor; names that numpy's arrays have too (``.view``, ``.shape``)
only in files that do not import numpy, or inside module classes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mindport.findings import Certainty
from mindport.inference import torchfacts
from mindport.inference.attributes import holding
from mindport.inference.operators import own_operator
from mindport.inference.overlays.libraries import (
    BY_NAME,
    BY_PLACES,
    HELD_BY_ARRAYS,
    OF_ARRAYS,
    OF_BUILTINS,
    OF_MANY,
    OF_ONE_CLASS,
    OF_TRUTH,
    SPREAD,
    is_torch_based,
)
from mindport.inference.scopes import ClassScope, ModuleScope
from mindport.inference.values import (
    NONE,
    Api,
    Bound,
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
    options,
)

if TYPE_CHECKING:
    from mindport.inference.project import Project

MODULE = "torch.nn.Module"
#: A class's own protocol: covered by the use of the base.
_PROTOCOL = frozenset(("__init__", "forward", "__call__", "__class__", "__name__", "__dict__", "__doc__", "__module__"))
_BUILTIN_TYPES = {"int": int, "float": float, "str": str, "bool": bool, "bytes": bytes, "complex": complex}
_SUPER = Api("builtins.super")

Names = list[tuple[str, Certainty]]


def member_uses(
    project: Project, module: ModuleScope, receiver: Value, node: ast.Attribute, kind: str, in_module_class: bool, place: ast.expr | None = None
) -> tuple[Names, tuple[tuple[str, ...], str] | None]:
    """The names that ``receiver.attr`` is a use of (`place`: the call of it), and (candidates, why) where that is not known."""
    attr = node.attr
    if attr in _PROTOCOL:
        return [], None
    names: dict[str, bool] = {}
    unknown: Unknown | None = None
    others = False
    held = holding(options(receiver), attr)
    if held and all(option == NONE for option in held):  # None has no members: what is here was set in a way that is not followed (``setattr(self, key, …)``)
        unknown = Unknown("only None is known to be here, which has no members")
    for option in held:
        if option == NONE:
            continue
        if isinstance(option, Unknown):
            unknown = option
            continue
        if isinstance(option, ProjectInstance) and _differs_below(option.cls.scope, attr):
            unknown = Unknown("subclasses differ")
            continue
        if isinstance(option, ProjectInstance) and option.cls.scope.has_unknown_base() and not _binds(option.cls.scope, attr):
            unknown = Unknown("the base of its class is not known")
            continue
        name, known = _one(project, option, attr, kind)
        if name is not None:
            names[name] = names.get(name, True) and known
        elif known:
            others = True
    if names and kind != "store" and any(_has_own(option, attr, names) for option in held):
        names, unknown = {}, Unknown("a class of the project's has one of its own")
    sure = unknown is None and not others
    found: Names = [(name, "certain" if known and sure else "likely") for name, known in sorted(names.items())]
    if found or unknown is None:
        return found, None
    if kind == "store" or (unknown.origin and not is_torch_based(unknown.origin)):
        return [], None
    if attr in OF_ONE_CLASS and attr not in project.own_names:
        return [(f"{OF_ONE_CLASS[attr]}.{attr}", "likely")], None
    if kind != "store" and (must_be_tensor(project, module, unknown, node) or module.uses_torch and _takes_names_of_torch(attr, place)):
        return [(f"torch.Tensor.{attr}", "likely")], None
    of_array = isinstance(place, ast.Call) and (attr in HELD_BY_ARRAYS or module.uses_torch and len(place.args) >= BY_PLACES.get(attr, len(place.args) + 1))
    of_numbers = (module.uses_torch or module.gets_tensors) and attr in OF_TRUTH and not _is_truth(node.value)
    handed = module.gets_tensors and attr in SPREAD and isinstance(place, ast.Call)
    candidates = _candidates(project, module, attr, in_module_class or of_array or of_numbers or handed)
    return [], (candidates, unknown.why) if candidates else None


def _takes_names_of_torch(attr: str, place: ast.expr | None) -> bool:
    """Whether a call of what arrays and lists have too gives an argument by a name that torch's method alone has."""
    if not isinstance(place, ast.Call) or attr not in OF_ARRAYS | OF_BUILTINS:
        return False
    given = {keyword.arg for keyword in place.keywords} - BY_NAME - {None}
    method = torchfacts.lookup(f"torch.Tensor.{attr}") if given else None
    return method is not None and any(parameter.name in given for overload in method.signatures for parameter in overload.parameters)


def must_be_tensor(project: Project, module: ModuleScope, unknown: Unknown, node: ast.Attribute) -> bool:
    """Whether something unknown is a tensor by where it comes from: ``criterion(logits, labels).mean()``, ``(x > 0).float()``,
    ``x[:, :4].float()``, ``x.unsqueeze(0).half()``, ``x.pow(2).mean()``.

    What is made of a tensor can be a tuple or a number as well, but these have no such member; no module comes
    out of an operator, a slice of several axes or a tensor's method, and arrays have no ``float``. What only tensors' methods give is no array either,
    but where that is what they are for (``x.numpy().all()``).
    """
    if node.attr.startswith("_") or node.attr in OF_BUILTINS or torchfacts.lookup(f"torch.Tensor.{node.attr}") is None:
        return False
    if unknown.of_tensors:
        return torchfacts.lookup(f"{MODULE}.{node.attr}") is None and node.attr not in OF_MANY
    if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute) and project.is_tensor_only(module, node.value.func.attr):
        return torchfacts.may_give_tensor(node.value.func.attr)
    if node.attr in OF_ARRAYS:
        return False
    if isinstance(node.value, (ast.BinOp, ast.UnaryOp)) and node.attr in project.own_names and own_operator(node.value) in project.own_names:
        return False
    match node.value:
        case ast.Compare() | ast.BinOp() | ast.UnaryOp() | ast.Subscript(slice=ast.Tuple()):
            return True
        case _:
            return False


def _is_truth(node: ast.expr) -> bool:
    """Whether an expression is made of comparisons: ``a == b``, ``~(a > 0) & mask``."""
    match node:
        case ast.Compare():
            return True
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return _is_truth(operand)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), left=left, right=right):
            return _is_truth(left) or _is_truth(right)
        case _:
            return False


def _candidates(project: Project, module: ModuleScope, attr: str, in_module_class: bool) -> tuple[str, ...]:
    if attr.startswith("_") or attr in OF_BUILTINS:
        return ()
    if attr in OF_ARRAYS - SPREAD and module.uses_numpy and not in_module_class:
        return ()
    if not module.uses_torch and not in_module_class:
        return ()
    found = [f"{cls}.{attr}" for cls in ("torch.Tensor", MODULE) if torchfacts.lookup(f"{cls}.{attr}") is not None]
    if attr in OF_MANY and not in_module_class and len(found) < 2 and found != [f"{MODULE}.{attr}"]:
        return ()
    return tuple(found)


def _one(project: Project, option: Value, attr: str, kind: str) -> tuple[str | None, bool]:
    """The name, and whether it is sure; without a name: whether the receiver has the attribute all the same."""
    if isinstance(option, TensorValue):
        name = f"torch.Tensor.{attr}"
        return (name, not option.likely) if torchfacts.lookup(name) is not None else (None, False)
    if isinstance(option, Instance):
        return _library(option.cls, attr, option.likely)
    if isinstance(option, (ProjectInstance, ProjectClass)):
        return _project(project, option, attr, kind)
    if isinstance(option, Bound) and option.function == _SUPER and isinstance(option.receiver, ProjectInstance):
        cls = option.receiver.cls.scope
        if any(attr in scope.names for scope in cls.mro[1:]):
            return None, True
        return _inherited(_beside(cls, attr), attr, False)
    if isinstance(option, Sequence):
        if option.type.startswith("torch.return_types.") and attr not in dir(tuple):
            return f"{option.type}.{attr}", True
        if option.type == "torch.Size" and attr == "numel":
            return "torch.Size.numel", True
        return None, attr in OF_BUILTINS
    if isinstance(option, (Const, Builtin)):
        python = option.kind if isinstance(option, Const) else _BUILTIN_TYPES.get(option.type, object)
        return None, hasattr(python, attr)
    if isinstance(option, Mapping):
        return None, hasattr(dict, attr)
    return None, True


def _library(cls: str, attr: str, likely: bool) -> tuple[str | None, bool]:
    if not is_torch_based(cls):
        return None, True
    if not torchfacts.is_known(cls):
        return f"{cls}.{attr}", False
    api = torchfacts.member(cls, attr)
    if api is None or not api.name.startswith("torch.") and MODULE in torchfacts.ancestors(cls):
        return None, True  # the parts of torchvision's networks keep their names
    if api.kind == "function" or api.name.startswith(f"{MODULE}.") or not api.name.startswith("torch."):
        return api.name, not likely
    return f"{cls}.{attr}", not likely


def _inherited(ancestors: tuple[str, ...], attr: str, likely: bool) -> tuple[str | None, bool]:
    for ancestor in ancestors:
        if torchfacts.is_known(ancestor):
            return _library(ancestor, attr, likely)
        if is_torch_based(ancestor):
            return f"{ancestor}.{attr}", False
    return None, True


def _project(project: Project, option: ProjectInstance | ProjectClass, attr: str, kind: str) -> tuple[str | None, bool]:
    cls = option.scope if isinstance(option, ProjectClass) else option.cls.scope
    if any(attr in scope.names for scope in cls.mro):
        return None, True
    name, sure = _inherited(_beside(cls, attr), attr, isinstance(option, ProjectInstance) and option.likely)
    if name is None:
        return None, True
    stored = _stores(cls, attr)
    if stored and kind == "attribute" and torchfacts.is_method(attr):
        return None, True  # ``self.cuda = cuda``, read: a method would be called
    if stored and not name.startswith(f"{MODULE}."):
        base = next((n for n in cls.ancestors if torchfacts.is_known(n)), MODULE)
        return (name, sure) if base != MODULE else (None, True)
    return name, sure and not cls.has_unknown_base()


def _beside(cls: ClassScope, attr: str) -> tuple[str, ...]:
    """Outside ancestors of a class; of a mixin, those that all classes have in common which it is mixed into, where none of them binds `attr`."""
    below = [] if cls.ancestors or cls.has_unknown_base() else [sub for sub in cls.all_subclasses() if sub.ancestors]
    if not below or any(attr in scope.names for sub in below for scope in sub.mro):
        return cls.ancestors
    return tuple(name for name in below[0].ancestors if all(name in sub.ancestors for sub in below))


def _stores(cls: ClassScope, attr: str) -> bool:
    return any(attr in scope.stores or attr in scope.attributes for scope in cls.mro)


def _binds(cls: ClassScope, attr: str) -> bool:
    """Whether a class of the project's, or one that it derives from, has such a member of its own, or what a library's class has that is known."""
    return _stores(cls, attr) or any(attr in scope.names for scope in cls.mro) or _inherited(_beside(cls, attr), attr, False)[0] is not None


def _has_own(option: Value, attr: str, names: Iterable[str]) -> bool:
    """Whether an option is an object of the project's with such a member that is nothing of a library's, an ensemble of networks with its `parameters` next to a network,
    or no module where these are modules' names: an optimizer that wraps one, with its `zero_grad`, next to a network. A class with a ``__getattr__`` may have any member."""
    scope = option.cls.scope if isinstance(option, ProjectInstance) else None
    if scope is None or scope.has_unknown_base() or not any(attr in one.names or "__getattr__" in one.methods for one in scope.mro):
        return False
    inherited = _inherited(_beside(scope, attr), attr, False)[0]
    if not any(attr in one.names for one in scope.mro):
        return inherited is None and not _stores(scope, attr)
    return inherited is None or not inherited.startswith(f"{MODULE}.") and any(name.startswith(f"{MODULE}.") for name in names)


def _differs_below(cls: ClassScope, attr: str) -> bool:
    """Whether a mixin is joined with a library's class that has a member, and with a class of the project's that has one of its own: a registry of models and of trainers."""
    if cls.ancestors or cls.has_unknown_base() or any(attr in scope.names for scope in cls.mro):
        return False
    below = list(cls.all_subclasses())
    own = any(attr in scope.names for sub in below if not sub.ancestors for scope in sub.mro)
    return own and any(_inherited(sub.ancestors, attr, False)[0] is not None for sub in below if not any(attr in scope.names for scope in sub.mro))
