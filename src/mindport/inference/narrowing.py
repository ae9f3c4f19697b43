"""What a test says about the names in it, where it holds and where it does not.

Known unsoundness, as in mypy's binder: what is known about ``self.x`` stays after a call that may
change it through another name::

    if self.x is not None:
        other.reset()      # other is self, and sets self.x = None
        self.x.view(-1)
"""

from __future__ import annotations

import ast

from mindport.inference import torchfacts
from mindport.inference.annotations import INSTANCES, instance_of, typing_name
from mindport.inference.frame import Frame, path_of
from mindport.inference.operators import only
from mindport.inference.values import (
    NONE,
    Api,
    Builtin,
    Const,
    Instance,
    Mapping,
    ProjectClass,
    ProjectInstance,
    Returning,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
    options,
)


def narrow(frame: Frame, test: ast.expr, truth: bool) -> bool:
    """Change the frame's environment to what holds where `test` is `truth`; False where that cannot be."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return narrow(frame, test.operand, not truth)
    if isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) == truth:
            return all([narrow(frame, part, truth) for part in test.values])
        return True
    if isinstance(test, ast.Constant):
        return bool(test.value) == truth
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _comparison(frame, test, truth)
    if isinstance(test, ast.Call):
        return _check(frame, test, truth)
    if isinstance(test, ast.NamedExpr):
        return narrow(frame, test.target, truth)
    path = path_of(test)
    if path is not None:
        kept = only(_current(frame, test, path), truth)
        if kept is None:
            return False
        frame.env[path] = kept
    return True


def _current(frame: Frame, node: ast.expr, path: str) -> Value:
    found = frame.env.get(path)
    if found is not None:
        return found
    found = frame.values.get(id(node))
    if found is not None:
        return found
    return frame.lookup(path) if "." not in path else Unknown("not evaluated yet")


def _comparison(frame: Frame, test: ast.Compare, truth: bool) -> bool:
    op, right = test.ops[0], test.comparators[0]
    left: ast.expr = test.left
    if isinstance(op, (ast.NotEq, ast.IsNot)):
        truth = not truth
    elif not isinstance(op, (ast.Eq, ast.Is)):
        return True
    if isinstance(left, ast.NamedExpr):
        left = left.target
    if isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "type" and len(left.args) == 1:
        path = path_of(left.args[0])
        if path is not None and truth:
            frame.env[path] = instances(_current(frame, left.args[0], path), frame.values.get(id(right), Unknown()), True)
        return True
    path = path_of(left)
    if path is None:
        return True
    value = _current(frame, left, path)
    if isinstance(right, ast.Constant) and right.value is None:
        kept = [o for o in options(value) if (o == NONE or isinstance(o, Unknown)) == truth or isinstance(o, Unknown)]
        if truth:
            kept = [NONE for _ in kept]
        if not kept:
            return False
        frame.env[path] = join(*kept)
    elif isinstance(right, ast.Constant) and truth:
        kept = [o for o in options(value) if not isinstance(o, Const) or o.value == right.value]
        if kept:
            frame.env[path] = join(*kept)
    return True


def _check(frame: Frame, test: ast.Call, truth: bool) -> bool:
    function = frame.values.get(id(test.func))
    if not isinstance(function, Api) or not test.args:
        return True
    subject: ast.expr = test.args[0]
    if isinstance(subject, ast.NamedExpr):
        subject = subject.target
    path = path_of(subject)
    if path is None:
        return True
    if function.name in ("builtins.isinstance", "builtins.issubclass") and len(test.args) == 2:
        kinds = frame.values.get(id(test.args[1]), Unknown())
        if function.name == "builtins.isinstance":
            frame.env[path] = instances(_current(frame, subject, path), kinds, truth)
    elif function.name == "torch.is_tensor":
        frame.env[path] = instances(_current(frame, subject, path), Api("torch.Tensor"), truth)
    return True


def _classes(kinds: Value) -> list[Value]:
    found: list[Value] = []
    for option in options(kinds):
        if isinstance(option, Sequence) and option.items is not None:
            for item in option.items:
                found += _classes(item)
        else:
            found.append(option)
    return found


def instances(value: Value, kinds: Value, truth: bool) -> Value:
    """The alternatives of a value that are (or are not) instances of a class or tuple of classes."""
    classes = _classes(kinds)
    if any(not isinstance(cls, (Api, ProjectClass)) for cls in classes):
        return value if not truth else Unknown("isinstance of a class that is not known")
    kept: list[Value] = []
    for option in options(value):
        answers = [_is_instance(option, cls) for cls in classes]
        if truth:
            if True in answers:
                kept.append(_certain(option))
            else:
                kept += [option if _is_protocol(cls) and not isinstance(option, Unknown) else _refined(option, cls) for cls, answer in zip(classes, answers, strict=False) if answer is None]
        elif True not in answers:
            kept.append(option)
    if not kept:
        # The value was not seen whole, or the branch is not reached: the test is what is known.
        return join(*(instance_of(cls) for cls in classes)) if truth else Unknown("isinstance excludes all that is known")
    return join(*kept)


def _certain(option: Value) -> Value:
    if isinstance(option, TensorValue) and option.likely:
        return TensorValue(option.dtype, option.shape, option.parameter)
    if isinstance(option, Instance) and option.likely:
        return Instance(option.cls, False, option.element)
    return ProjectInstance(option.cls) if isinstance(option, ProjectInstance) and option.likely else option


def _refined(option: Value, cls: Value) -> Value:
    made = instance_of(cls)
    if isinstance(option, Instance) and isinstance(made, Instance):
        return Instance(made.cls, False, option.element or made.element)
    if isinstance(option, Sequence) and isinstance(made, Sequence):
        return Sequence(made.type, option.items, option.element)
    return made


def _is_protocol(cls: Value) -> bool:
    """Whether a class of the project asks for members alone: what has them stays what it is."""
    return isinstance(cls, ProjectClass) and any(name.endswith(".Protocol") for name in cls.scope.ancestors)


def _is_instance(option: Value, cls: Value) -> bool | None:
    """Whether an alternative is an instance of the class; None where it may be."""
    if isinstance(option, Unknown) or _is_protocol(cls):
        return None
    if isinstance(cls, ProjectClass):
        if isinstance(option, ProjectInstance):
            if cls.scope in option.cls.scope.mro:
                return True
            below = any(option.cls.scope in c.mro and cls.scope in c.mro for c in cls.scope.all_subclasses())
            return None if below or option.cls.scope in cls.scope.mro or option.cls.scope.has_unknown_base() else False
        if isinstance(option, Instance):
            return None if option.cls in cls.scope.ancestors or option.likely else False
        return False
    assert isinstance(cls, Api)
    name = cls.name
    if isinstance(option, TensorValue):
        if name in ("torch.Tensor", "builtins.object"):
            return True
        made = INSTANCES.get(name)
        if isinstance(made, TensorValue):
            return True if made.parameter and option.parameter else None
        return False
    if isinstance(option, Const):
        option = NONE if option.value is None else Builtin(option.kind.__name__)
    if isinstance(option, Builtin):
        short = name.removeprefix("builtins.")
        if short == option.type or (short == "int" and option.type == "bool") or name.startswith("numbers."):
            return True
        return None if typing_name(name) not in ("int", "float", "str", "bool", "list", "tuple", "dict", "bytes") and not name.startswith("torch.") else False
    if isinstance(option, Sequence):
        short = typing_name(name) or ""
        if short == option.type or short in ("Sequence", "Iterable", "Collection"):
            return True
        if option.type == "torch.Size" or option.type.startswith("torch.return_types"):
            return short == "tuple" or name == option.type
        return None if option.type in ("sequence", "iterator") and short in ("list", "tuple", "List", "Tuple") else False
    if isinstance(option, Mapping):
        short = typing_name(name) or ""
        return True if short in ("dict", "Mapping", "MutableMapping") else None if short in ("OrderedDict", "defaultdict") else False
    if isinstance(option, Instance):
        if name in torchfacts.ancestors(option.cls):
            return True
        if option.cls in torchfacts.ancestors(name):
            return None
        return None if not (option.cls.startswith("torch.") and name.startswith("torch.")) else False
    if isinstance(option, ProjectInstance):
        if name in option.cls.scope.ancestors:
            return True
        below = any(name in c.ancestors for c in option.cls.scope.all_subclasses())
        return None if option.cls.scope.has_unknown_base() or below else False
    if option == NONE:
        return False
    return None if isinstance(option, Returning) or not name.startswith("torch.") else False
