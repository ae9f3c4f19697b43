"""Torch's names are knowledge: the analysis holds them in tables, never in the middle of logic."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mindport.inference import public
from tests.project.layout import package_files, room

_FILES = [path for path in package_files() if room(path) == "analysis"]
_QUALIFIED = re.compile(r"\b(torch|torchvision|torchaudio)\.\w*")
#: Names of layers as they are looked up without their module; "Module" is a word of its own.
_LAYERS = {name.removeprefix("torch.nn.") for name in public.public_callables() if re.fullmatch(r"torch\.nn\.[A-Z]\w+", name)} - {"Module"}


def _in_logic(tree: ast.Module) -> list[tuple[int, str]]:
    """(line, text) of strings inside functions that name something of torch's; docstrings apart."""
    found = []
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for function in functions:
        documents = {id(s.value) for f in ast.walk(function) if isinstance(f, ast.FunctionDef) for s in f.body[:1] if isinstance(s, ast.Expr)}
        for node in ast.walk(function):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in documents:
                continue
            if _QUALIFIED.search(node.value) or node.value in _LAYERS:
                found.append((node.lineno, node.value))
    return found


@pytest.mark.parametrize("path", _FILES, ids=lambda path: "/".join(path.parts[-2:]))
def test_no_function_of_the_analysis_names_an_api(path: Path) -> None:
    assert _in_logic(ast.parse(path.read_text("utf-8"))) == []


def test_a_name_inside_a_function_is_seen() -> None:
    tree = ast.parse('TABLE = ("torch.relu",)\ndef f(name):\n    """Of torch.relu."""\n    return name == "torch.relu" or name in ("ReLU",)\n')
    assert _in_logic(tree) == [(4, "torch.relu"), (4, "ReLU")]
