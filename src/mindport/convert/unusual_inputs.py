"""Differences that take an input which ordinary programs, or this one, do not have: they are said once an API, in one line for all.

NaN, infinity, nothing, fewer axes, losses of two shapes, whole numbers beyond 2**53, numbers that are nearly 1 or too small for float32 are met by few programs. A dtype of which a place does not tell may be any:
complex, double and short numbers count as met where the project names such a dtype, or what makes it; truth values, bytes and whole
numbers, where floating ones are usual, only where inference sees them. A module is one with running statistics where the project names such a layer, or a library's network that has one.
"""

from __future__ import annotations

import ast

from mindport import catalog
from mindport.catalog import Entry
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
_BY_KIND = {"complex": ("is_complex()",), "double": ("ms.float64", "!= ms.float32"), "short": ("ms.float16", "ms.bfloat16", "!= ms.float32"), "statistics": ("running_mean",)}
#: The key of a layer's state, and a word in the name of MindSpore's layer, that tell of running statistics.
_COUNTER, _NORMALISATION = "num_batches_tracked", "BatchNorm"


def kinds_made(files: tuple[tuple[SourceFile, Facts], ...]) -> frozenset[str]:
    """The unusual kinds of numbers that a project's text names, and of layers: "complex", "double", "short", "statistics"."""
    named = {use.name for _, facts in files for use in facts.uses}
    found = set()
    if named & (COMPLEX_MAKERS | COMPLEX) or any(holds_complex_number(file.tree) for file, _ in files):
        found.add("complex")
    if names_wide_floats(file.tree for file, _ in files):
        found.add("double")
    if names_short_floats(file.tree for file, _ in files):
        found.add("short")
    if any(_keeps_statistics(entry) for name in named for entry in catalog.load().find(name)):
        found.add("statistics")
    return frozenset(found)


def _keeps_statistics(entry: Entry) -> bool:
    """Whether an entry is a layer with running statistics, or of a library and made of such layers."""
    if entry.names[0].startswith("torch."):
        return _COUNTER in entry.state
    used = (part for definition in (entry.node, *reached(entry, catalog.load()).values()) if definition is not None for part in walk(definition))
    return any(_NORMALISATION in (part.attr if isinstance(part, ast.Attribute) else part.id) for part in used if isinstance(part, (ast.Attribute, ast.Name)))


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
    if any(word in condition for word in (*_RARE, *_RARE_DTYPES)):
        return True
    kinds = {kind for kind, words in _BY_KIND.items() if any(word in condition for word in words)}
    return bool(kinds) and not kinds & made
