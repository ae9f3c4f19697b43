"""A program and its conversion, both imported in one process."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mindport.convert import convert, write
from mindport.convert.vendor import MODULE
from mindport.source.discover import discover
from tests.forks import printed


def both_sides(folder: Path, text: str) -> tuple[ModuleType, ModuleType]:
    """(the program as it is, the program converted); nothing of it may stay unconverted."""
    (folder / "before").mkdir()
    (folder / "before" / "program.py").write_text(text, encoding="utf-8")
    conversion = convert(discover(folder / "before"))
    left = [record for record in conversion.log if record.strategy == "unconverted"]
    assert not left, left
    write(conversion, folder / "after")
    return _load(folder / "before"), _load(folder / "after")


def printed_by_both(folder: Path, text: str) -> tuple[str, str]:
    """What a program and its conversion print, each in a process of its own; ``# ==== lib/net.py`` begins a file beside ``program.py``."""
    first, *others = re.split(r"^# ==== (\S+)\n", text, flags=re.MULTILINE)
    for name, content in (("program.py", first), *zip(others[::2], others[1::2], strict=True)):
        place = folder / "before" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")
    write(convert(discover(folder / "before")), folder / "after")
    return printed("torch", folder / "before"), printed("mindspore", folder / "after")


def converted_script(folder: Path, text: str) -> str:
    """A script's text after conversion."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    return {path.name: text for path, text in convert(discover(folder)).files.items()}["script.py"]


def equal_tensors(theirs: Sequence[Any], ours: Sequence[Any]) -> None:
    """The two sides' tensors have the same dtypes and values, each."""
    for expected, made in zip(theirs, ours, strict=True):
        assert str(expected.dtype).removeprefix("torch.") == str(made.dtype).lower()
        assert expected.tolist() == made.tolist()


def _load(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("program", folder / "program.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(folder))
    sys.modules["program"] = module  # as an import does: a program may ask for itself
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
        module.__dict__["__vendored__"] = sys.modules.pop(MODULE, None)
        sys.modules.pop("program", None)
    return module


def seen_by_graphs(side: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """MindSpore imports the modules of the functions that it compiles, by their names."""
    monkeypatch.setitem(sys.modules, "program", side)
    if side.__dict__["__vendored__"] is not None:
        monkeypatch.setitem(sys.modules, MODULE, side.__dict__["__vendored__"])
    monkeypatch.setitem(sys.modules, MODULE, side.__dict__["__vendored__"])
