"""A program and its conversion, both imported in one process."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from mindport.convert import convert, write
from mindport.convert.vendor import MODULE
from mindport.source.discover import discover


def both_sides(folder: Path, text: str) -> tuple[ModuleType, ModuleType]:
    """(the program as it is, the program converted); nothing of it may stay unconverted."""
    (folder / "before").mkdir()
    (folder / "before" / "program.py").write_text(text, encoding="utf-8")
    conversion = convert(discover(folder / "before"))
    left = [record for record in conversion.log if record.strategy == "unconverted"]
    assert not left, left
    write(conversion, folder / "after")
    return _load(folder / "before"), _load(folder / "after")


def converted_script(folder: Path, text: str) -> str:
    """A script's text after conversion."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    return {path.name: text for path, text in convert(discover(folder)).files.items()}["script.py"]


def _load(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("program", folder / "program.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop(MODULE, None)
    return module
