"""timm beside torchvision's Python part, which it imports: from a wheel that make unpacks into ``build/timm``, or from the folder MINDPORT_TIMM."""

from __future__ import annotations

import importlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from mindport.evidence.torchvision_source import torchvision


def folder() -> Path:
    """Where the package stands; it need not exist."""
    named = os.environ.get("MINDPORT_TIMM")
    return Path(named) if named else Path(__file__).parents[3] / "build" / "timm"


@cache
def timm() -> Any:
    """The package. AttributeError where there is none, as for a name that torch does not have."""
    if not (folder() / "timm").is_dir():
        raise AttributeError(f"timm is not unpacked in {folder()}: make build/timm/installed")
    torchvision()
    sys.path.append(str(folder()))
    return importlib.import_module("timm")
