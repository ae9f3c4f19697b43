"""Functions and classes of libraries taken along that knowledge has: its tested form stands in the place of their definition.

``torchvision/ops/boxes.py`` defines `nms`, which calls a compiled operator; knowledge has `torchvision.ops.nms`. All that the library's other
files import from there is the tested form then, as it is in the project's own files without ``--with``.
"""

from __future__ import annotations

import ast

from mindport.catalog import Catalog, Entry
from mindport.convert.log import LogRecord
from mindport.convert.vendor import Vendored
from mindport.findings import Finding
from mindport.inference import Project
from mindport.inference import values as v
from mindport.source.file import SourceFile

Definition = ast.FunctionDef | ast.ClassDef


def known_definitions(catalog: Catalog, project: Project, files: list[SourceFile]) -> dict[int, Entry]:
    """The entry of each such definition, by id(node). A name that a file binds more than once at its top level is left out."""
    libraries = {file.library for file in files} - {""}
    if not libraries:
        return {}
    once = {id(node) for file in files if file.library for node in _defined_once(file.tree)}
    found = {}
    for entry in catalog.entries:
        for name in entry.names if entry.kind != "absent" and entry.node is not None else ():
            if name.partition(".")[0] in libraries:
                node = _definition(project, name)
                if node is not None and id(node) in once:
                    found[id(node)] = entry
    return found


def _definition(project: Project, name: str) -> ast.AST | None:
    module, _, last = name.rpartition(".")
    scope = project.modules.modules.get(module)
    value = scope.env.get(last) if scope is not None else None
    return value.scope.node if isinstance(value, v.ProjectFunction | v.ProjectClass) else None


def _defined_once(tree: ast.Module) -> list[Definition]:
    defined = [statement for statement in tree.body if isinstance(statement, Definition)]
    names = [statement.name for statement in defined]
    return [statement for statement in defined if names.count(statement.name) == 1]


def with_known(file: SourceFile, text: str, known: dict[int, Entry], vendored: Vendored, module: str) -> str:
    """A converted file with imports from the vendored `module` in the place of what is known."""
    entries = {statement.name: known[id(statement)] for statement in file.tree.body if isinstance(statement, Definition) and id(statement) in known}
    lines = text.splitlines(keepends=True)
    for statement in reversed(ast.parse(text).body):
        if isinstance(statement, Definition) and statement.name in entries:
            name = vendored.need(entries[statement.name])
            first = min([statement.lineno, *(decorator.lineno for decorator in statement.decorator_list)])
            lines[first - 1 : statement.end_lineno] = [f"from {module} import {name}{'' if name == statement.name else f' as {statement.name}'}\n"]
    return "".join(lines)


def outside(file: SourceFile, known: dict[int, Entry], told: list[Finding], log: list[LogRecord]) -> tuple[list[Finding], list[LogRecord]]:
    """What was said of a file but for the definitions that are no longer in it."""
    gone = [(file.number(statement.lineno), file.number(statement.end_lineno or statement.lineno)) for statement in file.tree.body if id(statement) in known]
    if not gone:
        return told, log
    return (
        [f for f in told if f.span is None or not any(first <= f.span.line <= last for first, last in gone)],
        [r for r in log if not any(first <= r.line <= last for first, last in gone)],
    )
