"""How knowledge imports: what is vendored takes its import lines along, by the names that its bodies use."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.frameworks
def test_no_module_is_imported_that_mindspore_calls_deprecated() -> None:
    """MindSpore warns of such a module in every run of a converted project."""
    asked = "import importlib, pkgutil\nimport mindport.equivalents as room\nfor m in pkgutil.walk_packages(room.__path__, room.__name__ + '.'):\n    importlib.import_module(m.name)"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, env={**os.environ, "GLOG_v": "2"}, check=True)
    said = [line for line in (ran.stdout + ran.stderr).splitlines() if "Module" in line and "deprecated" in line]
    assert said == []
