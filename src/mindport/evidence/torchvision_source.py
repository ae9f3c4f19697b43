"""torchvision beside a torch that its compiled part was not made for: its Python part, from an unpacked wheel.

The folder is named by MINDPORT_TORCHVISION, or is ``build/torchvision`` of the repository, where make puts it.
"""

from __future__ import annotations

import importlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import torch

#: On import torchvision describes two of its compiled operators, which fails where they do not exist (torchvision 0.28,
#: _meta_registrations.py). Declaring them without a kernel is enough for everything that is written in Python.
_LIBRARY = torch.library.Library("torchvision", "FRAGMENT")
_OPERATORS = ("nms", "qnms")


def folder() -> Path:
    """Where the package stands; it need not exist."""
    named = os.environ.get("MINDPORT_TORCHVISION")
    return Path(named) if named else Path(__file__).parents[3] / "build" / "torchvision"


@cache
def torchvision() -> Any:
    """The package. AttributeError where there is none, as for a name that torch does not have."""
    if not (folder() / "torchvision").is_dir():
        raise AttributeError(f"torchvision is not unpacked in {folder()}: make build/torchvision/installed")
    for name in _OPERATORS:
        if not hasattr(torch.ops.torchvision, name):
            _LIBRARY.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    sys.path.append(str(folder()))
    return importlib.import_module("torchvision")


def resolve(name: str) -> Any:
    """The object that a canonical torchvision name stands for; AttributeError where there is none."""
    found = torchvision()
    path = "torchvision"
    for part in name.split(".")[1:]:
        if not hasattr(found, part) and path in sys.modules:
            found = sys.modules[path]  # ``torchvision.models.googlenet`` is a function, too
        path = f"{path}.{part}"
        if not hasattr(found, part):
            try:
                importlib.import_module(path)
            except ImportError as error:
                raise AttributeError(f"torchvision has no {path}") from error
        found = getattr(found, part)
    return found
