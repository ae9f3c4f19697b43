"""Containers that get more elements after they were made: ``layers.append(block)``, ``d[k] = v``."""

from __future__ import annotations

import ast

from mindport.inference.attributes import store
from mindport.inference.frame import Frame
from mindport.inference.values import (
    NOTHING,
    Instance,
    Mapping,
    Sequence,
    Unknown,
    Value,
    element_of,
    join,
    options,
    values_of,
)

_MODULES = ("torch.nn.ModuleList", "torch.nn.Sequential", "torch.nn.ModuleDict")


def grow(frame: Frame, node: ast.expr, path: str, base: Value, value: Value, key: Value | None = None) -> None:
    """A container that a name holds gets one more element."""
    grown: list[Value] = []
    for option in options(base):
        if isinstance(option, Sequence) and option.type in ("list", "set", "deque"):
            element = element_of(option)
            grown.append(Sequence(option.type, None, value if element is NOTHING else join(element, value)))
        elif isinstance(option, Mapping):
            element = values_of(option)
            grown.append(Mapping(None, value if element is NOTHING else join(element, value)))
        elif isinstance(option, Instance) and option.cls in ("torch.nn.ModuleList", "torch.nn.Sequential", "torch.nn.ModuleDict"):
            grown.append(Instance(option.cls, option.likely, value if option.element is None else join(option.element, value)))
        else:
            return
    if grown:
        new = join(*grown)
        if isinstance(node, ast.Attribute):
            store(frame, frame.values.get(id(node.value), Unknown()), node, new)
        frame.env[path] = new


