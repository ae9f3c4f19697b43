"""Reads the knowledge as source: what is known about each torch name, without either framework."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Entry:
    """One declaration in `equivalents/` or `layers/`, as parsed.

    `name` is the first torch name; `names` all of them. `node` is the function or class
    statement (None for constants and absent names); `text` its source.
    """

    names: tuple[str, ...]
    kind: Literal["function", "attribute", "constant", "layer", "absent"]
    module: str                     # "equivalents/activation.py"
    line: int
    node: ast.FunctionDef | ast.ClassDef | None = None
    expression: ast.expr | None = None   # a constant's replacement
    drops: dict[str, str] = field(default_factory=dict)
    differs: tuple[dict, ...] = ()
    view: bool = False
    random: bool = False
    opinfo: str | None = None
    state: dict = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    why: str = ""
    rung: str | None = None

    @property
    def name(self) -> str:
        return self.names[0]
