"""A value in words, the same words in tests, messages and hovers.

``Tensor``, ``Tensor[int64]``, ``Parameter``, ``torch.nn.Conv2d()`` (an instance), ``torch.relu`` (the API itself),
``class Net``, ``Net()``, ``def f``, ``list[int]``, ``tuple(int, str)``, ``dict[int]``, ``1``, ``None``, ``unknown``;
alternatives are joined by `` | ``; ``?`` after a value says that it is assumed.
"""

from __future__ import annotations

from mindport.inference.values import (
    Api,
    Bound,
    Builtin,
    Const,
    Instance,
    Mapping,
    OneOf,
    Partial,
    ProjectClass,
    ProjectFunction,
    ProjectInstance,
    ProjectModule,
    Returning,
    Sequence,
    TensorValue,
    Transformed,
    Value,
    values_of,
)


def describe(value: Value) -> str:
    """The value in words."""
    match value:
        case OneOf():
            return " | ".join(sorted(describe(option) for option in value.options))
        case TensorValue():
            dtype = f"[{value.dtype.removeprefix('torch.')}]" if value.dtype else ""
            return ("Parameter" if value.parameter else "Tensor") + dtype + "?" * value.likely
        case Const():
            return repr(value.value)
        case Builtin():
            return value.type
        case Api():
            return value.name.removeprefix("builtins.")
        case Instance():
            element = f" of {describe(value.element)}" if value.element is not None else ""
            return f"{value.cls}(){element}" + "?" * value.likely
        case ProjectModule():
            return f"module {value.scope.name}"
        case ProjectClass():
            return f"class {value.scope.qualname}"
        case ProjectInstance():
            return f"{value.cls.scope.qualname}()" + "?" * value.likely
        case ProjectFunction():
            return f"def {value.scope.qualname}"
        case Bound():
            return f"method {describe(value.function)}"
        case Sequence():
            if value.items is not None:
                return f"{value.type}({', '.join(describe(item) for item in value.items)})"
            return f"{value.type}[{describe(value.element)}]"
        case Mapping():
            if value.items is not None:
                return "dict(" + ", ".join(f"{key!r}: {describe(item)}" for key, item in value.items) + ")"
            return f"dict[{describe(values_of(value))}]"
        case Partial():
            return f"partial {describe(value.function)}"
        case Transformed():
            return f"{value.transform} of {describe(value.function)}"
        case Returning():
            return f"callable -> {describe(value.result)}"
    return "unknown"
