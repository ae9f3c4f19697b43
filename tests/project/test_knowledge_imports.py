"""How knowledge imports: what is vendored takes its import lines along, by the names that its bodies use."""

from __future__ import annotations

import ast
from pathlib import Path

import mindport

ROOMS = ("equivalents", "layers")


def test_no_dotted_module_is_imported_without_a_name() -> None:
    """``import urllib.parse`` binds ``urllib``: the line would not be found for the body's name."""
    found = []
    for room in ROOMS:
        for path in sorted((Path(mindport.__file__).parent / room).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.Import):
                    found += [f"{path.name}: {a.name}" for a in node.names if "." in a.name and a.asname is None]
    assert found == []
