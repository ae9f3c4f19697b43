"""JSON Schemas of the reports' models."""

from __future__ import annotations

import inspect
from typing import Any

import msgspec


def schema_of(model: type) -> dict[str, Any]:
    """What msgspec makes of a model (JSON Schema 2020-12); its releases leave the indentation of docstrings in descriptions, or take it out: here it is out."""
    made: dict[str, Any] = msgspec.json.schema(model)
    _clean(made)
    return made


def _clean(part: Any) -> None:
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "description" and isinstance(value, str):
                part[name] = inspect.cleandoc(value)
            else:
                _clean(value)
    elif isinstance(part, list):
        for one in part:
            _clean(one)
