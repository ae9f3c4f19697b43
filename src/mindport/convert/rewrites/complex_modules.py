"""``net.float()`` in a project with complex tensors: PyTorch leaves complex parameters and buffers as they are, MindSpore makes them real."""

from __future__ import annotations

import re

from mindport.convert.context import Context, Files
from mindport.inference.facts import Use

_CASTS = frozenset(f"torch.nn.Module.{name}" for name in ("float", "double", "half", "bfloat16", "type"))
_NAMES_COMPLEX = re.compile(r"\b(cfloat|cdouble|chalf|complex32|complex64|complex128)\b")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Say it where complex dtypes are named anywhere in the project."""
    casts = [use for same_place in uses.values() for use in same_place if use.name in _CASTS and use.kind == "method"]
    if not casts or not context.once(_names_complex):
        return
    for use in casts:
        context.report(
            "MP103", f"{use.name}: complex parameters and buffers become real here, and PyTorch leaves them: cast the others one by one where the module has some",
            use.node, api=use.name, risk="silent", mark=True,
        )  # fmt: skip


def _names_complex(files: Files) -> bool:
    return any(_NAMES_COMPLEX.search(file.text) for file, _ in files)
