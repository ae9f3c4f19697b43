"""What is this? Each file in `cases/` says above an expression, in the words of `describe`, what it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.inference import Project
from mindport.inference.describe import describe
from mindport.source.file import SourceFile

CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))
FEWEST = 250


def expectations(text: str) -> dict[int, str]:
    """Line of an expression statement → what the ``#?`` comment above it says."""
    lines = text.split("\n")
    return {i + 2: line.split("#?", 1)[1].strip() for i, line in enumerate(lines) if line.strip().startswith("#?")}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_marked_expression_is_what_its_comment_says(path: Path) -> None:
    file = SourceFile.of(path.read_text(encoding="utf-8"), path.name)
    facts = Project([file]).facts(file)
    expressions = {node.lineno: node.value for node in ast.walk(file.tree) if isinstance(node, ast.Expr)}
    wrong = []
    for line, expected in expectations(file.text).items():
        found = describe(facts.value(expressions[line]))
        if found != expected:
            wrong.append(f"{path.name}:{line}: {file.line(line).strip()} is {found}, not {expected}")
    assert not wrong, "\n".join(wrong)


def test_the_cases_are_many() -> None:
    assert sum(len(expectations(path.read_text(encoding="utf-8"))) for path in CASES) >= FEWEST
