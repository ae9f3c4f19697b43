"""Files that .gitignore leaves out and the project imports.

A repository may track ``src/models/`` under a pattern ``models/`` that means weights; a copy of it without ``.git`` does not say so, but who imports them does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from mindport.source.file import SourceFile

#: Stands for the last part of a name that only a run shows.
EVERY = "*"


def imported(files: Iterable[SourceFile], root: Path, left: list[Path]) -> list[Path]:
    """The Python files at or below `left` (ignored folders and files) that `files` import by name, and the ``__init__.py`` on the way to them."""
    words = {path.stem for path in left}
    found: dict[Path, None] = {}
    for file in files:
        home = (root / file.relative).parent
        bases = [folder for folder in (home, *home.parents) if folder == root or root in folder.parents]
        for level, parts in _names(file.tree):
            if not words.intersection((*parts, *home.parts)):
                continue
            for base in [home, *home.parents][level - 1 : level] if level else bases:
                found |= dict.fromkeys(place for place in _places(base, parts) if any(place == out or out in place.parents for out in left))
    return [place for place in found if place.is_file()]


def _names(tree: ast.Module) -> Iterator[tuple[int, tuple[str, ...]]]:
    """How many dots stand before a module's name, and its parts; what is taken out of a module may be one, too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, tuple(alias.name.split("."))) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = tuple(node.module.split(".")) if node.module else ()
            yield from ((node.level, (*start, alias.name)) for alias in node.names if alias.name != "*")
            yield node.level, start
        elif isinstance(node, ast.Call) and _imports(node.func) and node.args and (name := _beginning(node.args[0]).lstrip(".")):
            *parts, last = name.split(".")  # of ``import_module(f"models.{name}")`` what stands before the choice is known: any file of the folder may be it
            if all(part.isidentifier() for part in (*parts, last or "_")):
                yield 0, (*parts, last or EVERY)


def _imports(function: ast.expr) -> bool:
    """Whether a call is ``importlib.import_module``, ``import_module`` or ``__import__``."""
    return isinstance(function, ast.Attribute) and function.attr == "import_module" or isinstance(function, ast.Name) and function.id in ("import_module", "__import__")


def _beginning(text: ast.expr) -> str:
    """The text that an expression begins with for certain: of names that are put together, up to their last point."""
    match text:
        case ast.Constant(value=str(name)):
            return name
        case ast.JoinedStr(values=[ast.Constant(value=str(name)), *_]) | ast.BinOp(left=ast.Constant(value=str(name)), op=ast.Add()):
            pass
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod()):
            name = form.partition("%")[0]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(form)), attr="format")):
            name = form.partition("{")[0]
        case _:
            return ""
    return name[: name.rfind(".") + 1]


def _places(base: Path, parts: tuple[str, ...]) -> Iterator[Path]:
    """Where a module may stand, and the packages above it."""
    for part in parts:
        if part == EVERY:
            yield from base.glob("*.py")
            return
        base = base / part
        yield base.with_name(f"{part}.py")
        yield base / "__init__.py"
