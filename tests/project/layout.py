"""Where the project's own files are, for the tests about the project."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

Item = TypeVar("Item")

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "mindport"
#: Input of tests, which is as it is on purpose.
DATA = ("corpus", "cases", "data", "programs")

#: The rooms from the faces to the ground; a room may import only those after it (docs/architecture.md).
ROOMS = (
    "cli", "report", "verify", "weights", "convert", "analysis", "trace", "evidence",
    "catalog", "targets", "inference", "source", "findings", "declare", "forms",
)  # fmt: skip
#: Reachable from scan, api, explain and convert: no framework, and not numpy either.
STATIC = frozenset(("cli", "report", "convert", "analysis", "catalog", "targets", "inference", "source", "findings", "declare", "forms"))
KNOWLEDGE = frozenset(("equivalents", "layers"))


def room(path: Path) -> str:
    """The room that a file of the package belongs to; "" for the package's own __init__."""
    parts = path.relative_to(PACKAGE).parts
    if len(parts) > 1:
        return parts[0]
    return "" if path.stem in ("__init__", "__main__") else path.stem


def package_files() -> list[Path]:
    """The Python files of src/mindport."""
    return sorted(PACKAGE.rglob("*.py"))


def python_files() -> list[Path]:
    """Every Python file that people write here; tests' input data aside."""
    found = package_files()
    for folder in ("tests", "examples", "benchmarks"):
        found += (
            path for path in sorted((ROOT / folder).rglob("*.py")) if not set(path.relative_to(ROOT).parts) & set(DATA)
        )
    return found


def pages() -> list[Path]:
    """The pages that people read."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def name(path: Path) -> str:
    """A test id: the path from the repository's top."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    """The file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """The absolute dotted names that a file imports, anywhere in it, with their lines."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            prefix = node.module or ""
            if node.level:
                package = path.relative_to(PACKAGE.parent).parts[: -node.level]
                prefix = ".".join((*package, prefix)).rstrip(".")
            for alias in node.names:
                yield f"{prefix}.{alias.name}", node.lineno


def each(items: Iterable[Item], said: Callable[[Item], str]) -> Callable[[Callable[[Item], None]], Callable[[], None]]:
    """One test of a rule that thousands of things keep: a test for each of them would take longer than the rule. It names all that do not."""

    def over(rule: Callable[[Item], None]) -> Callable[[], None]:
        def test() -> None:
            wrong = []
            for item in items:
                try:
                    rule(item)
                except AssertionError as error:
                    wrong.append(f"{said(item)}: {error}")
            assert not wrong, "\n".join(wrong)

        test.__name__, test.__doc__ = rule.__name__, rule.__doc__
        return test

    return over
