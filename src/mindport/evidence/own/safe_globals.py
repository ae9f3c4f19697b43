"""Scenarios of the classes that a checkpoint may hold."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario


class Settings:
    """What a checkpoint holds beside tensors."""

    def __init__(self, rate: float) -> None:
        self.rate = rate


def opened(side: Side, path: Path) -> Any:
    """The stored rate, or that the class may not be made."""
    try:
        return side.make("torch.load", str(path), weights_only=True)["settings"].rate
    except Exception as error:  # both sides raise pickle's error, or one of their own
        return "UnpicklingError" if "Unpickling" in type(error).__name__ else type(error).__name__


@scenario("torch.serialization.safe_globals")
def allowed_inside(side: Side) -> Any:
    """a class of one's own inside the region, and outside of it"""
    path = Path(tempfile.mkdtemp()) / "checkpoint.pt"
    torch.save({"settings": Settings(0.1)}, path)
    found = [opened(side, path)]
    with side.call([Settings]):
        found.append(opened(side, path))
    return [*found, opened(side, path)]
