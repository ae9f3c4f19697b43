"""Numbers repeated for every axis."""

from __future__ import annotations

from typing import Any

from mindport.evidence.scenarios import Side, scenario


@scenario(*(f"torch.nn.modules.utils.{name}" for name in ("_single", "_pair", "_triple", "_quadruple")))
def repeated(side: Side) -> Any:
    """numbers, tuples, lists and ranges"""
    return [side.call(3), side.call((1, 2)), side.call([4, 5, 6]), side.call(range(2)), side.call(0.5)]
