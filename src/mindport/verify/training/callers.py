"""Which line of the user's program is running."""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any

#: The module that a converted project carries along (`convert.vendor.MODULE`).
VENDORED = "torch_equivalents"
_OURS = ("mindspore", "mindport")


def is_vendored(value: Any, *kinds: str) -> bool:
    """Whether an object's class is one of these names, or below it, of the module that the project carries along: a project may have a `Dropout` of its own."""
    cls = type(value)
    return cls.__module__.rpartition(".")[2] == VENDORED and any(base.__name__ in kinds for base in cls.__mro__)


def users_line() -> str:
    """The innermost running line that is neither MindSpore's nor mindport's, as ``train.py:57``; empty where there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        parts = frame.f_globals.get("__name__", "").split(".")
        if parts[0] not in _OURS and parts[-1] != VENDORED and not frame.f_code.co_filename.startswith("<"):
            return f"{os.path.relpath(frame.f_code.co_filename)}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
