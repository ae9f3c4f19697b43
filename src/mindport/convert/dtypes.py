"""The dtypes of whole numbers, under all of torch's names that MindSpore has."""

from __future__ import annotations

TRUTH = "torch.bool"
INTEGERS = frozenset(f"torch.{name}" for name in ("int8", "int16", "int32", "int64", "uint8", "short", "int", "long"))
#: Whole numbers and truth values: no gradient flows through them.
WHOLE = INTEGERS | {TRUTH}
