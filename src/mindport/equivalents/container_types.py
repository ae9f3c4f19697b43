"""TorchScript's checks of containers against types that name what they hold."""

import types
from typing import Union, get_args, get_origin

from mindport.declare import Refused, equivalent


def _holds(value, wanted):
    """Whether a container holds what a type with arguments says; another value's class against a plain type."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is None:
        return isinstance(value, wanted)
    if origin is list:
        return isinstance(value, list) and all(_holds(v, inner[0]) for v in value)
    if origin is dict:
        return isinstance(value, dict) and all(isinstance(k, inner[0]) and _holds(v, inner[1]) for k, v in value.items())
    if origin is tuple:
        return isinstance(value, tuple) and len(value) == len(inner) and all(_holds(v, t) for v, t in zip(value, inner))
    if origin is Union or origin is types.UnionType:
        return value is None or any(_holds(value, t) for t in inner)
    return False


@equivalent("torch.jit.isinstance")
def jit_isinstance(obj, target_type):
    """Whether `obj` is a ``list[int]``, ``dict[str, Tensor]``, … or one of a tuple of such types.

    https://docs.pytorch.org/docs/2.13/generated/torch.jit.isinstance.html. An empty container holds whatever is asked,
    a tuple has as many members as its type, and None is in every union: as torch's check. Of a union that names containers
    torch looks at the first one only: then this refuses.
    """
    wanted = target_type if isinstance(target_type, tuple) else (target_type,)
    for one in wanted:
        unions = get_origin(one) in (Union, types.UnionType)
        if unions and sum(get_origin(t) is not None for t in get_args(one)) > 0 and len([t for t in get_args(one) if t is not type(None)]) > 1:
            raise Refused("torch.jit.isinstance with a union of containers looks at the first of them only: ask for each")
    return any(_holds(obj, one) for one in wanted)


@equivalent("torch.jit.annotate", drops={"the_type": "tells TorchScript's compiler a type"})
def annotate(the_type, the_value):
    """The value; the type is for TorchScript. https://docs.pytorch.org/docs/2.13/generated/torch.jit.annotate.html"""
    return the_value
