"""The arguments of a call, as values, and how they meet a signature's parameters."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from mindport.inference.containers import iterate
from mindport.inference.frame import Frame
from mindport.inference.values import Mapping, Sequence, Value, values_of


@dataclass
class Arguments:
    """`star`: what further positional arguments can be; `open`: there may be keywords not listed, `maybe` among them."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    star: Value | None = None
    open: Value | None = None
    maybe: dict[str, Value] = field(default_factory=dict)

    def get(self, position: int, name: str) -> Value | None:
        """The argument at a place or of a name."""
        if name in self.keywords:
            return self.keywords[name]
        if position < len(self.positional):
            return self.positional[position]
        return self.star

    def all(self) -> list[Value]:
        """Every argument's value."""
        rest = [value for value in (self.star, self.open) if value is not None]
        return [*self.positional, *self.keywords.values(), *rest]


def arguments_of(frame: Frame, node: ast.Call) -> Arguments:
    """Evaluate a call's arguments."""
    result = Arguments()
    for part in node.args:
        if isinstance(part, ast.Starred):
            value = frame.evaluate(part.value)
            frame.values[id(part)] = value
            if isinstance(value, Sequence) and value.items is not None and result.star is None:
                result.positional += value.items
            else:
                result.star = iterate(frame.project, value)
        elif result.star is not None:
            frame.evaluate(part)
        else:
            result.positional.append(frame.evaluate(part))
    for keyword in node.keywords:
        value = frame.evaluate(keyword.value)
        if keyword.arg is not None:
            result.keywords[keyword.arg] = value
        elif isinstance(value, Mapping) and value.items is not None:
            for name, item in value.items:
                if isinstance(name, str):
                    result.keywords.setdefault(name, item)
        else:
            result.open = values_of(value) if isinstance(value, Mapping) else value
            result.maybe |= dict(value.named) if isinstance(value, Mapping) else {}
    return result
