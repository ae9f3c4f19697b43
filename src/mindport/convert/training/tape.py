"""Which files use MindSpore's tape: those with a step that is no function, and all that run in one process with them.

``mindspore.value_and_grad`` ends the recording that the tape needs, so the two forms do not mix: files share a
form if they may run in one process (`one_process`).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import PurePosixPath

from mindport.convert.one_process import together
from mindport.source.file import SourceFile

_WORDS = frozenset({"backward", "grad", "requires_grad", "requires_grad_"})


def available(version: str) -> bool:
    """Whether a MindSpore version has a tape that can be gone back through from any tensor."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return (major, minor) >= (2, 10)


def reason(text: str, obstacle: str) -> str:
    """The message of a step that is no function."""
    return f"`{text}` goes back through MindSpore's tape: {obstacle}"


def sharing(files: Sequence[SourceFile], wanting: frozenset[PurePosixPath]) -> frozenset[PurePosixPath]:
    """All files that compute gradients and may run in one process with one of `wanting`."""
    return together(files, wanting, frozenset(file.relative for file in files if _is_concerned(file)))


def _is_concerned(file: SourceFile) -> bool:
    """Whether a file computes gradients, or says of tensors that they want one: all others read the same in both forms."""
    return any(isinstance(n, ast.Attribute) and n.attr in _WORDS for n in file.nodes) or any(
        isinstance(n, (ast.keyword, ast.alias)) and (n.arg if isinstance(n, ast.keyword) else n.name) in _WORDS for n in file.nodes
    )
