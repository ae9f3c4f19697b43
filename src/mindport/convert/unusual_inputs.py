"""Differences that take an input which ordinary programs, or this one, do not have: they are said once an API, in one line for all.

NaN, infinity, nothing, fewer axes, losses of two shapes, whole numbers beyond 2**53, numbers that are nearly 1 or too small for float32 are met by few programs. A dtype of which a place does not tell may be any:
complex, double and short numbers count as met where the project names such a dtype, or what makes it; truth values, bytes and whole
numbers, where floating ones are usual, only where inference sees them. A module holds the layers that the project names, or a library's network that it names.
"""

from __future__ import annotations

import ast
import re
from functools import cache

from mindport import catalog
from mindport.convert.dtypes import COMPLEX, names_short_floats, names_wide_floats
from mindport.declare import Difference
from mindport.evidence.fingerprint import reached
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile
from mindport.source.walking import walk

#: Words of conditions that ordinary data do not meet.
_RARE = ("isnan(", "isinf(", "isfinite(", "numel() == 0", ".size == 0", "> 2**53", "< 1.2e-38", "- 1).abs() < 1e-3", ".ndim ==", "% 1 !=", "numel() < mask", "numel() < batch", ".requires_grad", ".shape != target.shape", ".shape != inputs[1].shape")
_RARE_DTYPES = ("not input.is_floating_point()", "not input1.is_floating_point()", "not self.is_floating_point()", "not inputs[0].is_floating_point()", "ms.bool", "ms.uint8")

COMPLEX_MAKERS = frozenset(
    [f"torch.fft.{name}" for name in ("fft", "fft2", "fftn", "ifft", "ifft2", "ifftn", "rfft", "rfft2", "rfftn", "ihfft", "ihfft2", "ihfftn")]
    + ["torch.complex", "torch.polar", "torch.view_as_complex", "torch.stft", "torch.Tensor.stft", "torch.linalg.eig", "torch.linalg.eigvals"]
)
#: What a project must have for a condition with these words to be met where nothing tells the dtype.
_BY_KIND = {"complex": ("is_complex()",), "double": ("ms.float64", "!= ms.float32"), "short": ("ms.float16", "ms.bfloat16", "!= ms.float32")}
#: In a condition: a word in the names of layers.
_LAYER = re.compile(r"'(\w+)' in str\(\w+\)")


def kinds_made(files: tuple[tuple[SourceFile, Facts], ...]) -> frozenset[str]:
    """The unusual kinds of numbers that a project's text names ("complex", "double", "short"), and the layers."""
    named = {use.name for _, facts in files for use in facts.uses}
    found = set()
    if named & (COMPLEX_MAKERS | COMPLEX) or any(holds_complex_number(file.tree) for file, _ in files):
        found.add("complex")
    if names_wide_floats(file.tree for file, _ in files):
        found.add("double")
    if names_short_floats(file.tree for file, _ in files):
        found.add("short")
    return frozenset(found | {word for name in named for word in _layers(name)})


@cache
def _layers(name: str) -> frozenset[str]:
    """The layer that an API is, by its last name; of a library's network the names that it is made with."""
    entries = [] if name.startswith("torch.") else catalog.load().find(name)
    if not entries:
        return frozenset((name.rpartition(".")[2],)) if name.startswith("torch.nn.") else frozenset()
    made = [part for entry in entries for definition in (entry.node, *reached(entry, catalog.load()).values()) if definition is not None for part in walk(definition)]
    words = (part.attr if isinstance(part, ast.Attribute) else part.id for part in made if isinstance(part, (ast.Attribute, ast.Name)))
    return frozenset(word for word in words if word[:1].isupper())  # ``complex`` in the text of such an entry is no layer


def holds_complex_number(node: ast.AST) -> bool:
    """Whether a complex number is written out in the text."""
    return any(isinstance(part, ast.Constant) and isinstance(part.value, complex) for part in walk(node))


def is_rare(difference: Difference, made: frozenset[str]) -> bool:
    """Whether a difference takes an unusual input, where nothing tells what the input is; `made`: the kinds that the project has."""
    if difference.when is None:
        return False
    condition = ast.parse(difference.when, mode="eval").body
    parts = condition.values if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.Or) else [condition]
    return all(_takes_unusual(ast.get_source_segment(difference.when, part) or "", made) for part in parts)


def _takes_unusual(condition: str, made: frozenset[str]) -> bool:
    if word := _LAYER.search(condition):
        return not any(word.group(1) in layer for layer in made)
    if any(word in condition for word in (*_RARE, *_RARE_DTYPES)):
        return True
    kinds = {kind for kind, words in _BY_KIND.items() if any(word in condition for word in words)}
    return bool(kinds) and not kinds & made
