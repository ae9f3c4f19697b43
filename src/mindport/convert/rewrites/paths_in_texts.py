"""``_target_: str = "torch.optim.RMSprop"`` becomes ``"torch_equivalents.RMSprop"``: a class that a program imports by what a text says.

So do configurations in Hydra's manner. Only in projects that import by computed names (``importlib.import_module(path)``, ``hydra.utils.instantiate``): elsewhere such a text is a text.
Settings as texts in the code (YAML, JSON) name them, too. Configuration files: `named_in_settings`; a text in a project whose root is itself a package is told (MP107): how it is imported shows only when it runs.
"""

from __future__ import annotations

import ast
import re

from mindport.catalog import Catalog, Entry
from mindport.convert.context import Context, Files
from mindport.convert.module_values import is_settings
from mindport.inference import torchfacts
from mindport.inference.facts import Use

#: The full name of something of the library's.
NAME = r"torch(?:\.[A-Za-z_]\w*)+"
_PATH = re.compile(NAME)
#: A whole value in settings: behind a colon, an equals sign, a bracket, a comma or a dash, and nothing but its end after it.
BEFORE = r"""(?P<before>(?:[:=\[,{]|^[ \t]*-)[ \t]*(?P<quote>["']?))"""
IN_SETTINGS = re.compile(BEFORE + rf"""(?P<path>{NAME})(?=(?P=quote)[ \t]*(?:[,\]}}#\r\n]|\Z))""", re.MULTILINE)
#: Functions that import what a text names.
_IMPORTERS = frozenset(("import_module", "__import__", "locate", "instantiate", "get_class", "get_method", "import_string"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored name in place of every text that is a class's or function's full name."""
    if not context.once(imports_by_texts):
        return
    for node in context.file.nodes:
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)) or isinstance(context.parents.get(id(node)), ast.Expr | ast.JoinedStr):
            continue
        if _PATH.fullmatch(node.value):
            found = called_by(context.shared.catalog, node.value)
            if len(found) == 1:
                context.plan(node, lambda n=node, e=found[0], a=node.value: _write(context, n, e, a, *_inside(context, n)))  # type: ignore[misc]
        elif is_settings(node.value):
            start = context.editing.span(node)[0]
            for match in IN_SETTINGS.finditer(context.file.segment(node)):
                found = called_by(context.shared.catalog, match["path"])
                if len(found) == 1:
                    context.plan(node, lambda n=node, e=found[0], a=match["path"], b=start + match.start("path"), c=start + match.end("path"): _write(context, n, e, a, b, c))  # type: ignore[misc]


def called_by(catalog: Catalog, name: str) -> list[Entry]:
    """The equivalents of what is called by a full name."""
    return [entry for entry in catalog.find(torchfacts.canonical(name)) if entry.kind in ("layer", "function")]


def imports_by_texts(project: Files) -> bool:
    """Whether a project imports what a text names that is not written at the call."""
    return any(imports_by_text(node) for file, _ in project for node in file.nodes)


def imports_by_text(node: ast.AST) -> bool:
    """Whether a call imports what a value names."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]) if name in _IMPORTERS:
            return not isinstance(first, ast.Constant)
    return False


def _inside(context: Context, node: ast.Constant) -> tuple[int, int]:
    """Where the text stands between its quotes."""
    start, end = context.editing.span(node)
    length = len(str(node.value))
    at = context.file.segment(node).find(str(node.value))
    return (start + at, start + at + length) if at >= 0 else (start, end)


def _write(context: Context, node: ast.Constant, entry: Entry, named: str, start: int, end: int) -> None:
    name = torchfacts.canonical(named)
    if context.vendored_module.startswith("."):
        context.report("MP107", f"the text names {name}, which the program may import", node, api=name, mark=True)
        return
    text = f"{context.vendored_module}.{context.shared.vendored.need(entry)}"
    context.editing.replace(start, end, text)
    context.record(Use(node, name, "value"), "vendored", context.file.segment(node), text, entry)
