"""Imports point only downward, and the static part needs no framework."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.project.layout import KNOWLEDGE, PACKAGE, ROOMS, STATIC, each, imports, name, package_files, room

FRAMEWORKS = frozenset(("torch", "mindspore"))


def _is_room(dotted: str) -> str | None:
    parts = dotted.split(".")
    return parts[1] if parts[0] == "mindport" and len(parts) > 1 and parts[1] in {*ROOMS, *KNOWLEDGE} else None


def test_every_folder_and_file_of_the_package_is_a_room() -> None:
    rooms = {room(path) for path in package_files()} - {""}
    assert rooms <= {*ROOMS, *KNOWLEDGE, "editor"}


@each(package_files(), name)
def test_a_room_imports_only_rooms_further_right(path: Path) -> None:
    here = room(path)
    if here in KNOWLEDGE or not here:
        return  # the next test's subject; the package itself only names its version
    for dotted, line in imports(path):
        there = _is_room(dotted)
        if there is None or there == here:
            continue
        if there in KNOWLEDGE:
            assert here == "evidence", f"line {line}: only evidence imports the knowledge; others read it as source"
        else:
            assert ROOMS.index(there) > ROOMS.index(here), f"line {line}: {here} may not import {there}"


@each([path for path in package_files() if room(path) in KNOWLEDGE], name)
def test_the_knowledge_imports_mindspore_and_declare_only(path: Path) -> None:
    for dotted, line in imports(path):
        top = dotted.split(".")[0]
        if top == "mindport":
            assert dotted.split(".")[1] in {*KNOWLEDGE, "declare"}, f"line {line}: {dotted}"
        else:
            assert top in {"mindspore", "numpy", "scipy", "PIL", "pycocotools"} or top in sys.stdlib_module_names, f"line {line}: {dotted}"


@each([path for path in package_files() if room(path) in {"findings", "declare"}], name)
def test_the_ground_imports_the_standard_library_only(path: Path) -> None:
    assert {dotted.split(".")[0] for dotted, _ in imports(path)} <= sys.stdlib_module_names


@each([path for path in package_files() if room(path) in {"verify", "weights"}], name)
def test_no_file_of_verify_and_weights_needs_both_frameworks(path: Path) -> None:
    assert len({dotted.split(".")[0] for dotted, _ in imports(path)} & FRAMEWORKS) <= 1


#: Importing every static module, in a process where a framework cannot be imported.
_IMPORT_ALL = """
import importlib, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "mindspore", "numpy"):
            raise ImportError(f"{name} is not allowed in the static part")

sys.meta_path.insert(0, Refuse())
for name in sys.argv[1:]:
    importlib.import_module(name)
print("imported", len(sys.argv) - 1)
"""


def test_the_static_part_imports_without_any_framework() -> None:
    modules = []
    for path in package_files():
        if room(path) in STATIC:
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            modules.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    assert "mindport.source.discover" in modules
    ran = subprocess.run([sys.executable, "-c", _IMPORT_ALL, *modules], capture_output=True, text=True)
    assert ran.stdout.strip() == f"imported {len(modules)}", ran.stderr
