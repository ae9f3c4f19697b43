"""What, beside an entry's own source, decides its outcome: our running code and the installed versions."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib import metadata
from pathlib import Path

#: Files of this folder that only store, print or find; a change of them changes no outcome.
_NOT_RUNNING = frozenset(("store.py", "check.py", "page.py", "run.py", "runner.py", "fingerprint.py", "record.py", "parity.py", "processes.py", "attempt.py", "silence.py"))


@cache
def installed() -> dict[str, str]:
    """Versions of Python and both frameworks."""
    versions = {name: metadata.version(name) for name in ("torch", "mindspore", "numpy")}
    return {"python": platform.python_version(), **versions}


@cache
def runner_hash() -> str:
    """Sixteen hexadecimal digits for the code that runs samples and the installed versions."""
    here = Path(__file__).parent
    paths = [path for path in sorted(here.rglob("*.py")) if path.name not in _NOT_RUNNING]
    found = hashlib.sha256(repr(sorted(installed().items())).encode())
    for path in (*paths, here.parent / "declare.py"):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
