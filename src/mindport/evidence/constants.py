"""Compares a torch constant with the value that replaces it."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence import compare
from mindport.evidence.run_sample import Result
from mindport.evidence.samples import resolve


def compare_constant(name: str, target: Any) -> Result | None:
    """Numbers, dtypes and text must be equal; of a type or other object only its presence can be told: None.

    A version's local label ("+cpu") belongs to the build, not to the API; that it compares as torch's is tested in tests/.
    """
    value = resolve(name)
    if isinstance(value, torch.torch_version.TorchVersion) and isinstance(target, str):
        value, target = str(value).partition("+")[0], str(target)
    if isinstance(value, (torch.dtype, int, float, str, bool, type(None))):
        found = compare.difference(value, target)
        return Result("differs" if found else "pass", name, found)
    return None
