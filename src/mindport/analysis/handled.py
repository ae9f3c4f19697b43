"""Places that a program can do without: what raises there is caught at once, and the program goes on.

``try: mp.set_start_method("spawn")`` with ``except Exception: pass`` does not stop a project that has no equivalent of it; it goes on without, which it
says to nobody. A handler around more than a few plain statements is another thing: it ends the work, whatever it catches.
"""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from mindport.source.file import SourceFile

#: The kinds that what is not converted raises (`unconverted`), and their base classes.
_CATCHING = frozenset(("Exception", "BaseException", "ImportError", "NotImplementedError", "RuntimeError"))
#: More statements than this are the work itself.
_MOST = 3
_PLAIN = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Import, ast.ImportFrom, ast.Pass, ast.Return)
_ENDING = frozenset(("exit", "_exit", "abort"))
_SPANS: WeakKeyDictionary[SourceFile, list[tuple[int, int, int]]] = WeakKeyDictionary()


def handler_line(file: SourceFile, node: ast.expr) -> int | None:
    """The line of the handler with which the program goes on if the expression raises; None where nothing catches that."""
    if file not in _SPANS:
        _SPANS[file] = [span for each in file.nodes if (span := _span(each)) is not None]
    return next((line for first, last, line in _SPANS[file] if first <= node.lineno <= last), None)


def _span(node: ast.AST) -> tuple[int, int, int] | None:
    if isinstance(node, (ast.With, ast.AsyncWith)):
        caught = [i.context_expr for i in node.items if isinstance(i.context_expr, ast.Call) and ast.unparse(i.context_expr.func).rpartition(".")[2] == "suppress"]
        if not _is_short(node.body) or not any(_catches(kind) for call in caught for kind in call.args):
            return None
        return node.body[0].lineno, node.body[-1].end_lineno or 0, node.lineno
    if not isinstance(node, ast.Try) or not _is_short(node.body):
        return None
    handler = next((h for h in node.handlers if h.type is None or any(_catches(kind) for kind in (h.type.elts if isinstance(h.type, ast.Tuple) else [h.type]))), None)
    if handler is None or any(_ends(inner) for statement in handler.body for inner in ast.walk(statement)):
        return None
    return node.body[0].lineno, node.body[-1].end_lineno or 0, handler.lineno


def _is_short(body: list[ast.stmt]) -> bool:
    return len(body) <= _MOST and all(isinstance(statement, _PLAIN) for statement in body)


def _catches(kind: ast.expr) -> bool:
    return ast.unparse(kind).rpartition(".")[2] in _CATCHING


def _ends(node: ast.AST) -> bool:
    return isinstance(node, ast.Raise) or isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _ENDING
