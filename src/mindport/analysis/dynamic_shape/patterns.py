"""What several names are bound to at once: by the patterns of `match`, by a tuple that one other is spread into."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import Abstract, container, element_of

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def matched(frame: Frame, pattern: ast.pattern, value: Abstract) -> None:
    """Bind the names of a pattern to the parts of what is matched."""
    match pattern:
        case ast.MatchAs(inner, name):
            if inner is not None:
                matched(frame, inner, value)
            _bind(frame, name, value)
        case ast.MatchStar(name):
            _bind(frame, name, replace(value, items=None, tensor=False, element=element_of(value)))
        case ast.MatchSequence(parts):
            held = value.items if value.items is not None and len(value.items) == len(parts) and not any(isinstance(p, ast.MatchStar) for p in parts) else None
            for place, part in enumerate(parts):
                matched(frame, part, value if isinstance(part, ast.MatchStar) else held[place] if held is not None else element_of(value))
        case ast.MatchMapping(keys, parts, rest):
            known = dict(value.keyed or ())
            for key, part in zip(keys, parts, strict=True):
                matched(frame, part, known.get(key.value, element_of(value)) if isinstance(key, ast.Constant) else element_of(value))
            _bind(frame, rest, value)
        case ast.MatchClass(_, parts, names, named):
            known = dict(value.keyed or ())
            for place, part in enumerate(parts):
                matched(frame, part, value.items[place] if value.items is not None and place < len(value.items) else element_of(value))
            for name, part in zip(names, named, strict=True):
                matched(frame, part, known.get(name, element_of(value)))
        case ast.MatchOr(parts):
            for part in parts:
                matched(frame, part, value)


def _bind(frame: Frame, name: str | None, value: Abstract) -> None:
    if name is not None:
        frame.env[name] = value
        frame.bound.add(name)


def spread_out(frame: Frame, node: ast.expr, target: ast.expr) -> Abstract | None:
    """``b, n, h, w = x, *x.shape``: what each name gets; None for any other assignment."""
    if not isinstance(node, ast.Tuple) or not isinstance(target, ast.Tuple) or any(isinstance(part, ast.Starred) for part in target.elts):
        return None
    stars = [place for place, part in enumerate(node.elts) if isinstance(part, ast.Starred)]
    if len(stars) != 1:
        return None
    from mindport.analysis.dynamic_shape.expressions import evaluate

    star = node.elts[stars[0]]
    one = element_of(evaluate(frame, star.value))  # type: ignore[attr-defined]
    before, after = node.elts[: stars[0]], node.elts[stars[0] + 1 :]
    middle = (one,) * (len(target.elts) - len(before) - len(after))
    return container((*(evaluate(frame, part) for part in before), *middle, *(evaluate(frame, part) for part in after)))
