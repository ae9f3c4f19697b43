"""What other libraries make of data: of no known type, another thing in every step, with as many parts as the data say.

``scene = reader.parse(path)`` of one sample's path, ``blobs = lib.find(x.numpy())``: a number that is read out of it, and the number of what it holds, differ.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level, Origin, of_unknown_parts
from mindport.analysis.dynamic_shape.given_objects import of_unknown_call
from mindport.analysis.dynamic_shape.object_words import READING_PACKAGES, SELDOM
from mindport.inference import values as v

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.calls import Given
    from mindport.analysis.dynamic_shape.statements import Frame

#: Packages whose arrays, numbers and texts are followed by tables of their own, or that say nothing of what they are given.
_KNOWN = (apis.HOST_PACKAGES - READING_PACKAGES) | {"einops", "tensorboardX"}


def of_data(frame: Frame, node: ast.Call, given: Given, receiver: Abstract | None) -> Abstract | None:
    """The result of a call that nothing is known of, where what it is given, or what it is a method of, is data; None for any other."""
    if not frame.untyped(node) or frame.routine.name.endswith("__init__"):
        return None
    if not frame.loops and frame.routine.name in SELDOM and not (receiver is not None and receiver.opaque):
        return None  # what a program makes once, before it trains
    held = receiver is not None and receiver.opaque
    if held and isinstance(node.func, ast.Attribute) and apis.FUNCTION + node.func.attr in apis.SHAPE_READS:
        return Abstract(Level.SHAPE, element=Abstract(Level.SHAPE))
    if receiver is not None and not held and is_plain(receiver):
        return Abstract(Level.DATA, origin=receiver.origin)
    if not held and not (_of_a_library(frame, node.func) and any(_is_data(frame, value) for value in given.all)):
        return of_unknown_call(frame, node, receiver, given.all)
    return Abstract(Level.DATA, origin=Origin(frame.routine.file, node), opaque=True)


def is_plain(value: Abstract) -> bool:
    """A value of data of which nothing else is known: what a method of it gives is data, too."""
    return value.level >= Level.DATA and value.items is None and value.element is None and value.keyed is None and not (value.tensor or value.array or value.sample or value.text or value.loader or value.shape or value.draws)


def _is_data(frame: Frame, value: Abstract) -> bool:
    of_a_sample = value.element is not None and value.element.text and frame.routine.yields_batches  # the sample's own file
    return (value.level >= Level.DATA or of_a_sample) and not value.loader and not value.fixed


def _of_a_library(frame: Frame, func: ast.expr) -> bool:
    """Whether a call is of what an import brings, or of an object that a library's class has made: nobody's method of a parameter."""
    for option in v.options(frame.fact(func)):
        name = option.name if isinstance(option, v.Api) else option.origin if isinstance(option, v.Unknown) else ""
        if "." in name and not name.startswith(torch_names.TENSOR_LIBRARIES) and name.partition(".")[0] not in _KNOWN:
            return True
    return False


def parts(value: Abstract) -> Level:
    """How the number of parts differs of what is gone over, counted or made a tensor."""
    return Level.DATA if of_unknown_parts(value) else Level.CONSTANT


def part_of(value: Abstract, name: str) -> Abstract:
    """An attribute, an entry or one part of such an object; its shape, if it is an array, says nothing of values."""
    if apis.FUNCTION + name in apis.SHAPE_READS:
        return Abstract(Level.SHAPE, element=Abstract(Level.SHAPE))
    return Abstract(Level.DATA, origin=value.origin, opaque=True)
