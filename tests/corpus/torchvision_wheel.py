"""Where torchvision's Python sources are: as ``make`` fetched them, in a cache, or from the registry."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

VERSION = "0.28.0"
ROOT = Path(__file__).parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "mindport" / f"torchvision-{VERSION}"


def folder(download: bool = True) -> Path | None:
    """The folder that holds ``torchvision/``; None where it cannot be had."""
    for place in (os.environ.get("MINDPORT_TORCHVISION"), ROOT / "build" / "torchvision", CACHE):
        if place and (Path(place) / "torchvision" / "models").is_dir():
            return Path(place)
    if not download:
        return None
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(CACHE), f"torchvision=={VERSION}"]
    if subprocess.run(command, capture_output=True, text=True).returncode:
        return None
    wheel = next(CACHE.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(CACHE)
    return CACHE
