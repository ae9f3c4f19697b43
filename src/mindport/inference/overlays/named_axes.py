"""What einops's functions and layers give: they take tensors and arrays alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindport.inference.certainty import likely
from mindport.inference.values import Builtin, Instance, Mapping, Sequence, TensorValue, Value, options

_SHAPES = Sequence("list", None, Sequence("tuple", None, Builtin("int")))


def _given(arguments: Any) -> Value:
    """A tensor for a tensor, an array for an array; a tensor, probably, for what is not known."""
    value = arguments.positional[0] if arguments.positional else None
    if isinstance(value, Sequence) and value.items:
        value = value.items[0]
    elif isinstance(value, Sequence) and value.items is None:
        value = value.element
    kinds = list(options(value)) if value is not None else []
    if kinds and all(isinstance(kind, Instance) and kind.cls == "numpy.ndarray" for kind in kinds):
        return Instance("numpy.ndarray", likely=True)
    if len(kinds) == 1 and isinstance(kinds[0], TensorValue):
        return TensorValue(kinds[0].dtype, likely=kinds[0].likely)
    return likely(TensorValue())


#: Results of functions by their names.
FUNCTIONS: dict[str, Callable[[Any], Value]] = {
    **dict.fromkeys(("einops.rearrange", "einops.reduce", "einops.repeat", "einops.einsum"), _given),
    "einops.pack": lambda arguments: Sequence("tuple", (_given(arguments), _SHAPES)),
    "einops.unpack": lambda arguments: Sequence("list", None, _given(arguments)),
    "einops.parse_shape": lambda arguments: Mapping(None, Builtin("int")),
}

#: Layers that give one tensor.
LAYERS = frozenset(("einops.layers.torch.Rearrange", "einops.layers.torch.Reduce", "einops.layers.torch.EinMix"))
