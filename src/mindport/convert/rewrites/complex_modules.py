"""``net.float()`` in a project with complex tensors: PyTorch leaves complex parameters and buffers as they are, MindSpore makes them real.

Where complex dtypes are named anywhere in the project, the form that leaves them is written (`layers/complex_casts.py`).
"""

from __future__ import annotations

import re

from mindport.convert.context import Context, Files
from mindport.convert.other_forms import take_form
from mindport.forms import OF_COMPLEX
from mindport.inference.facts import Use

CASTS = frozenset(f"torch.nn.Module.{name}" for name in ("float", "double", "half", "bfloat16"))
_NAMES_COMPLEX = re.compile(r"\b(cfloat|cdouble|chalf|complex32|complex64|complex128)\b")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give the casts of modules this form."""
    if any(use.name in CASTS for same_place in uses.values() for use in same_place) and context.once(names_complex):
        places = {place: same_place for place, same_place in uses.items() if any(use.name in CASTS and use.kind == "method" for use in same_place)}
        take_form(context, places, OF_COMPLEX, lambda call: True)


def names_complex(files: Files) -> bool:
    """Whether complex dtypes are named anywhere in the project."""
    return any(_NAMES_COMPLEX.search(file.text) for file, _ in files)
