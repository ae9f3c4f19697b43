"""The dtypes of whole numbers and of floats, under all of torch's names that MindSpore has."""

from __future__ import annotations

import ast
from collections.abc import Iterable

TRUTH = "torch.bool"
INTEGERS = frozenset(f"torch.{name}" for name in ("int8", "int16", "int32", "int64", "uint8", "short", "int", "long"))
#: Whole numbers and truth values: no gradient flows through them.
WHOLE = INTEGERS | {TRUTH}
COMPLEX = frozenset(("torch.complex64", "torch.complex128", "torch.cfloat", "torch.cdouble"))
SHORT_FLOATS = frozenset(("torch.float16", "torch.half", "torch.bfloat16"))
USUAL_FLOATS = frozenset(("torch.float32", "torch.float"))
WIDE_FLOATS = frozenset(("torch.float64", "torch.double"))


def names_short_floats(trees: Iterable[ast.Module]) -> bool:
    """Whether a project names one of the short floats: ``x.half()``, ``dtype=torch.bfloat16``."""
    return _names(trees, {name.removeprefix("torch.") for name in SHORT_FLOATS})


def names_wide_floats(trees: Iterable[ast.Module]) -> bool:
    """Whether a project names double numbers: ``x.double()``, ``torch.float64``, ``np.float64``."""
    return _names(trees, {"double", "float64", "DoubleTensor"})


def _names(trees: Iterable[ast.Module], words: set[str]) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in words for tree in trees for node in ast.walk(tree))
