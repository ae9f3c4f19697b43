"""Types that docstrings state: Google's ``x (Tensor): …``, NumPy's ``x : Tensor``, Sphinx's ``:type x:``."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mindport.inference.certainty import likely
from mindport.inference.scopes import FunctionScope
from mindport.inference.values import (
    NONE,
    Builtin,
    Instance,
    Sequence,
    TensorValue,
    Value,
    join,
)

if TYPE_CHECKING:
    from mindport.inference.frame import Frame

_GOOGLE = re.compile(r"^\s*[-*]?\s*(?P<name>\*{0,2}\w+)\s*\(\s*(?P<type>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*:", re.MULTILINE)
_NUMPY = re.compile(r"^\s*(?P<name>\w+)\s*:\s*(?P<type>[^\n:]+)$", re.MULTILINE)
_SPHINX = re.compile(r":(?:type\s+(?P<name>\w+)|param\s+(?P<type2>[\w.\[\]]+)\s+(?P<name2>\w+))\s*:\s*(?P<type>[^\n]*)")

_TENSOR = re.compile(r"(?:torch\.)?(?:autograd\.)?(?P<kind>Long|Float|Bool|Byte|Half|Int|Double)?(?:Tensor|Variable)\b", re.IGNORECASE)
_DTYPES = {
    "long": "torch.int64", "float": "torch.float32", "bool": "torch.bool", "byte": "torch.uint8", "half": "torch.float16",
    "int": "torch.int32", "double": "torch.float64",
}  # fmt: skip
_LISTS = re.compile(r"^(list|tuple|sequence|iterable)\b", re.IGNORECASE)
_WORDS: tuple[tuple[str, Value], ...] = (
    ("nn.Module", Instance("torch.nn.Module", True)),
    ("bool", Builtin("bool")), ("int", Builtin("int")), ("float", Builtin("float")), ("str", Builtin("str")),
)  # fmt: skip


def documented(scope: FunctionScope, frame: Frame) -> dict[str, Value]:
    """Types of parameters as the docstring of a function, or of its class for ``__init__``, states them."""
    texts = []
    if not isinstance(scope.node, ast.Lambda):
        texts.append(ast.get_docstring(scope.node, clean=False) or "")
        if scope.name in ("__init__", "forward") and scope.cls is not None:
            texts.append(ast.get_docstring(scope.cls.node, clean=False) or "")
    found: dict[str, Value] = {}
    for text in texts:
        if not text:
            continue
        for pattern in (_SPHINX, _GOOGLE, _NUMPY):
            for match in pattern.finditer(text):
                groups = match.groupdict()
                name = groups["name"] or groups.get("name2") or ""
                written = groups.get("type2") or groups["type"]
                value = stated(written) if name in scope.parameters and name not in found else None
                if value is not None:
                    found[name] = value
    return found


def stated(text: str) -> Value | None:
    """The value of a type in words; None where it says nothing that is known."""
    text = text.strip().strip("`").replace(":class:", "").replace("`", "")
    optional = "optional" in text.lower() or "none" in text.lower()
    value = _stated(text)
    if value is None:
        return None
    return join(likely(value), NONE) if optional and "None" in text else likely(value)


def _stated(text: str) -> Value | None:
    if _LISTS.match(text):
        kind = "tuple" if text.lower().startswith("tuple") else "list"
        if _TENSOR.search(text):
            return Sequence(kind, None, TensorValue())
        return Sequence(kind)
    if text.lower().startswith("dict"):
        return None
    match = _TENSOR.match(text.lstrip("~"))
    if match is not None:
        return TensorValue(_DTYPES.get((match["kind"] or "").lower()))
    first = re.split(r"[,|/]|\bor\b", text)
    values: list[Value] = []
    for part in first:
        word = part.strip()
        if word.lower() in ("optional", "none", "") or word.lower().startswith(("default", "shape")):
            continue
        value = next((v for w, v in _WORDS if word == w or word.endswith("." + w)), None)
        if value is None and _TENSOR.fullmatch(word):
            value = TensorValue()
        if value is None:
            return join(*values) if values else None
        values.append(value)
    return join(*values) if values else None
