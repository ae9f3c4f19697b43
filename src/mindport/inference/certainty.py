"""Values that were assumed, not derived, are marked so."""

from __future__ import annotations

from mindport.inference.values import Instance, OneOf, ProjectInstance, Sequence, TensorValue, Value, join


def likely(value: Value) -> Value:
    """The value, as an assumption."""
    if isinstance(value, TensorValue):
        return value if value.likely else TensorValue(value.dtype, value.shape, value.parameter, True)
    if isinstance(value, Instance):
        return value if value.likely else Instance(value.cls, True, value.element)
    if isinstance(value, ProjectInstance):
        return value if value.likely else ProjectInstance(value.cls, True)
    if isinstance(value, Sequence) and value.type != "torch.Size":
        if value.items is not None:
            return Sequence(value.type, tuple(likely(item) for item in value.items))
        return Sequence(value.type, None, likely(value.element))
    if isinstance(value, OneOf):
        return join(*(likely(option) for option in value.options))
    return value


def is_likely(value: Value) -> bool:
    """Whether the value was assumed."""
    return isinstance(value, (TensorValue, Instance, ProjectInstance)) and value.likely
