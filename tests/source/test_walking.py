"""The quick walks give what the standard library's give, in its order."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.source.walking import children, walk
from tests.project.layout import package_files, tree

FILES = package_files()[::40]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nodes_come_as_from_the_standard_library(path: Path) -> None:
    nodes = list(ast.walk(tree(path)))
    assert walk(tree(path)) == nodes
    assert all(children(node) == list(ast.iter_child_nodes(node)) for node in nodes)
