"""The knowledge as converted projects hold it: refusals raise NotImplementedError itself.

MindSpore's compiler parses every ``raise`` of a function, also those that are not reached, and knows Python's own
exceptions only; a subclass stops the compilation. The vendored module writes the built-in name, and so does this
copy, from which graph mode runs.
"""

from __future__ import annotations

import importlib
import re
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = "mindport_as_vendored"
_IMPORT = re.compile(r"^((?:from|import) )mindport\.(?=declare|equivalents|layers)", re.MULTILINE)
_REFUSAL = re.compile(r"\braise Refused\b")


@cache
def _root() -> Path:
    """Write the copy; the folder is on the import path from then on."""
    source = Path(__file__).parents[1]
    root = Path(tempfile.mkdtemp(prefix="mindport-vendored-"))
    package = root / PACKAGE
    package.mkdir()
    (package / "__init__.py").write_text("")
    shutil.copy(source / "declare.py", package)
    for room in ("equivalents", "layers"):
        for path in (source / room).rglob("*.py"):
            target = package / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = _REFUSAL.sub("raise NotImplementedError", path.read_text(encoding="utf-8"))
            target.write_text(_IMPORT.sub(rf"\1{PACKAGE}.", text), encoding="utf-8")
    sys.path.insert(0, str(root))
    return root


def as_vendored(target: Any) -> Any:
    """The same function or class in the copy; the target itself where it comes from elsewhere."""
    module = target.__module__
    if not module.startswith(("mindport.equivalents.", "mindport.layers.")):
        return target
    _root()
    copied = importlib.import_module(PACKAGE + module.removeprefix("mindport"))
    return getattr(copied, target.__name__)
