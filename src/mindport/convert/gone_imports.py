"""``try: from torch.nn.modules.linear import _LinearWithBias``, ``except ImportError: _LinearWithBias = None``: names of other versions of PyTorch.

Where neither torch 2.13 has the name nor anything is known of it, the import fails as it does there, and the program goes on as it says itself. Lines keep their numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from mindport import catalog
from mindport.inference import torchfacts
from mindport.source.edits import Edit, apply
from mindport.source.file import SourceFile, parse

#: What catches an import that fails.
_CATCHING = frozenset(("ImportError", "Exception", "BaseException"))


def without_gone(file: SourceFile) -> SourceFile:
    """The file with such imports as errors; itself where there is none."""
    gone = list(_gone(file))
    if not gone:
        return file
    text = apply(file.text, [_failing(file, statement, name) for statement, name in gone])
    return replace(file, text=text, tree=parse(text))


def _gone(file: SourceFile) -> Iterator[tuple[ast.ImportFrom, str]]:
    for node in file.nodes:
        if not isinstance(node, ast.Try) or not any(map(_catches, node.handlers)):
            continue
        for statement in node.body:
            if not isinstance(statement, ast.ImportFrom) or statement.level or (statement.module or "").partition(".")[0] != "torch":
                continue
            names = [f"{statement.module}.{alias.name}" for alias in statement.names]
            missing = next((name for name in names if not name.endswith(".*") and _is_gone(name)), None)
            if missing is not None and _binds_instead(node, statement):
                yield statement, missing


def _catches(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(one is None or isinstance(one, ast.Name) and one.id in _CATCHING for one in caught)


def _is_gone(name: str) -> bool:
    canonical = torchfacts.canonical(name)
    return torchfacts.lookup(canonical) is None and torchfacts.lookup(name) is None and not catalog.load().find(canonical) and not catalog.load().find(name)


def _binds_instead(node: ast.Try, statement: ast.ImportFrom) -> bool:
    """Whether a handler binds all that the import would."""
    wanted = {alias.asname or alias.name for alias in statement.names}
    return any(_catches(handler) and wanted <= _bound(handler) for handler in node.handlers)


def _bound(handler: ast.ExceptHandler) -> set[str]:
    found: set[str] = set()
    for part in ast.walk(handler):
        match part:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name.partition(".")[0] for alias in names}
    return found


def _failing(file: SourceFile, statement: ast.ImportFrom, name: str) -> Edit:
    start, end = file.offsets(statement)
    old = file.text[start:end]
    return Edit(start, end, old, f'raise ImportError("{name}")' + "\n" * old.count("\n"))
