"""The dtypes of whole numbers, under all of torch's names that MindSpore has."""

from __future__ import annotations

INTEGERS = frozenset(f"torch.{name}" for name in ("int8", "int16", "int32", "int64", "uint8", "short", "int", "long"))
