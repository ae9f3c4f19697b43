"""Loads what is to be recorded, and describes what went wrong in a user's words."""

from __future__ import annotations

import importlib
import importlib.util
import runpy
import sys
import sysconfig
import traceback
from pathlib import Path
from typing import Any

_KEPT: list[dict[str, Any]] = []
_HERE = str(Path(__file__).resolve().parents[2])


def load(job: dict[str, Any]) -> Any:
    """The target of the job, after its paths and its prelude."""
    for folder in reversed(job["path"]):
        sys.path.insert(0, folder)
    if job["prelude"]:
        # Kept alive: what a prelude registers may end with its objects.
        _KEPT.append(runpy.run_path(job["prelude"]))
    module_name, _, name = job["target"].rpartition(":")
    if module_name.endswith(".py"):
        path = Path(module_name)
        sys.path.insert(0, str(path.parent))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} cannot be imported")
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(module_name)
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part)
    return found


def describe(error: BaseException) -> dict[str, str]:
    """The exception's type, the first lines of its message, and the deepest line of the user's code."""
    lines = []
    for line in str(error).splitlines():
        # MindSpore appends its C++ stack under a ruled heading.
        if line.startswith("---") or line.startswith("- "):
            break
        if line.strip():
            lines.append(line.strip())
    message = " ".join(lines)
    foreign = (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), _HERE)
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if not frame.filename.startswith(("<", *foreign)):
            place = f"{Path(frame.filename).name}:{frame.lineno}"
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{Path(error.filename).name}:{error.lineno}"
    return {"type": type(error).__name__, "message": message[:600], "place": place}
