"""Seeds the streams that both sides share, before the user's program draws from them.

A script that sets no seed has other first values, batches and noise in every run, and nothing could be compared.
What the script seeds itself afterwards holds.
"""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np


def shared(number: int) -> None:
    """Seed Python's and NumPy's global generators."""
    random.seed(number)
    np.random.seed(number)


def watched(torch: Any, number: int) -> dict[str, bool]:
    """Seed torch; the result tells under ``own`` whether the program has called `torch.manual_seed` since."""
    shared(number)
    plain = torch.manual_seed
    plain(number)
    seen = {"own": False}

    @functools.wraps(plain)
    def manual_seed(seed: Any) -> Any:
        seen["own"] = True
        return plain(seed)

    torch.manual_seed = torch.random.manual_seed = manual_seed
    return seen
