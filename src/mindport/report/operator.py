"""Custom operators, the policy's third rung: a kernel, its Python side, a test and build lines, written into a folder.

What is known about each stands in ``equivalents/custom/``: `operators.json` (why, gradient, test cases), ``<stem>.cc`` (the
kernel behind MindSpore's aot interface), ``<stem>.py.txt`` (the Python side, copied as it is) and, where there is one,
``<stem>_aten.cc`` (the same over PyTorch's own kernels, for quick verification).
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from mindport.report.html import TEMPLATES

CUSTOM = Path(__file__).parents[1] / "equivalents" / "custom"
BUILD = """#!/bin/sh
set -e
cd "$(dirname "$0")"
{line}
"""
# lib….so: Python would take x.so beside x.py for the module x.
COMPILE = "${{CXX:-g++}} -std=c++17 -O2 -shared -fPIC {stem}.cc -o lib{stem}.so"
#: PyTorch's headers are C++20; MindSpore may load the library before torch is imported, hence the rpath.
COMPILE_ATEN = """TORCH=$(${{PYTHON:-python}} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])")
${{CXX:-g++}} -std=c++20 -shared -fPIC -D_GLIBCXX_USE_CXX11_ABI=1 -I"$TORCH/include" {stem}_aten.cc \\
  -L"$TORCH/lib" -ltorch_cpu -lc10 -Wl,-rpath,"$TORCH/lib" -o lib{stem}.so"""


class Operator(msgspec.Struct, frozen=True):
    """One custom operator. `gradient`: the inputs that have one; `cases`: (tensors, arguments) of the test, as source."""

    stem: str
    why: str
    gradient: list[int]
    aten: bool
    result: str
    cases: list[tuple[str, str]]


@cache
def operators() -> dict[str, Operator]:
    """All custom operators, by torch name."""
    return msgspec.json.decode((CUSTOM / "operators.json").read_bytes(), type=dict[str, Operator])


def generate(name: str, folder: Path) -> list[Path]:
    """Write the operator for a torch name into `folder`, which is made; the files written. Raises KeyError for an unknown name."""
    operator = operators()[name]
    stem = operator.stem
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ascend").mkdir(exist_ok=True)
    shutil.copy(CUSTOM / f"{stem}.cc", folder / f"{stem}.cc")
    shutil.copy(CUSTOM / f"{stem}.py.txt", folder / f"{stem}.py")
    texts = {
        f"test_{stem}.py": _render("operator_test.py.j2", name, operator), "README.md": _render("operator_readme.md.j2", name, operator),
        f"ascend/{stem}.cc": _render("operator_ascend.cc.j2", name, operator), "build.sh": BUILD.format(line=COMPILE.format(stem=stem)),
    }  # fmt: skip
    if operator.aten:
        shutil.copy(CUSTOM / f"{stem}_aten.cc", folder / f"{stem}_aten.cc")
        texts["build_aten.sh"] = BUILD.format(line=COMPILE_ATEN.format(stem=stem))
    for path, text in texts.items():
        (folder / path).write_text(text, encoding="utf-8")
    return sorted(path for path in folder.rglob("*") if path.suffix in (".cc", ".py", ".sh", ".md"))


def _render(template: str, name: str, operator: Operator) -> str:
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=False, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    values = msgspec.to_builtins(operator)
    text = environment.get_template(template).render(
        values, name=name, camel=operator.stem.title().replace("_", ""), names=_names, inputs=_names(operator.cases[0][1]).split(", ")
    )
    return re.sub(r"\n{4,}", "\n\n\n", text)


def _names(arguments: str) -> str:
    """The tensors among a case's arguments, which are called a, b, …"""
    return ", ".join(sorted(set(re.findall(r"\b[a-d]\b", arguments))))
