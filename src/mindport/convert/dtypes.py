"""The dtypes of whole numbers and of floats, under all of torch's names that MindSpore has."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.source.walking import walk

TRUTH = "torch.bool"
INTEGERS = frozenset(f"torch.{name}" for name in ("int8", "int16", "int32", "int64", "uint8", "short", "int", "long"))
#: Whole numbers and truth values: no gradient flows through them.
WHOLE = INTEGERS | {TRUTH}
COMPLEX = frozenset(("torch.complex64", "torch.complex128", "torch.cfloat", "torch.cdouble"))
SHORT_FLOATS = frozenset(("torch.float16", "torch.half", "torch.bfloat16"))
USUAL_FLOATS = frozenset(("torch.float32", "torch.float"))
WIDE_FLOATS = frozenset(("torch.float64", "torch.double"))

DTYPES = WHOLE | COMPLEX | SHORT_FLOATS | USUAL_FLOATS | WIDE_FLOATS
#: Methods that give a tensor in whole numbers or truth values, and torch's old classes of such tensors.
WHOLE_CASTS = frozenset(("long", "int", "short", "char", "byte", "bool"))
WHOLE_CLASSES = frozenset(f"torch.{name}Tensor" for name in ("Long", "Int", "Short", "Char", "Byte", "Bool"))
#: torch's second names, and those of MindSpore that differ.
_PLAIN = {
    "short": "int16", "int": "int32", "long": "int64", "half": "float16", "float": "float32", "double": "float64",
    "cfloat": "complex64", "cdouble": "complex128", "bool_": "bool",
}  # fmt: skip


def plain(name: str) -> str | None:
    """A dtype's first name in torch: ``torch.double`` → ``torch.float64``; None of what is no dtype."""
    if name not in DTYPES:
        return None
    short = name.removeprefix("torch.")
    return f"torch.{_PLAIN.get(short, short)}"


def of_mindspore(attribute: str) -> str | None:
    """torch's name of ``ms.float32`` and its like."""
    return plain(f"torch.{_PLAIN.get(attribute, attribute)}")


def names_short_floats(trees: Iterable[ast.Module]) -> bool:
    """Whether a project names one of the short floats: ``x.half()``, ``dtype=torch.bfloat16``."""
    return _names(trees, {name.removeprefix("torch.") for name in SHORT_FLOATS})


def names_wide_floats(trees: Iterable[ast.Module]) -> bool:
    """Whether a project names double numbers: ``x.double()``, ``torch.float64``, ``np.float64``."""
    return _names(trees, {"double", "float64", "DoubleTensor"})


def _names(trees: Iterable[ast.Module], words: set[str]) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in words for tree in trees for node in walk(tree))
