"""How deeply a tree is nested, without walking the trees that cannot be deep.

Every room walks trees recursively, so one limit, held here, keeps all of them from
RecursionError. An expression of n characters is at most n deep, hence only long ones are
walked: on ordinary code the check visits statements, and hardly any expression.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

#: Statements and expressions inside one another. Python's own limits are 100 indentations and
#: 200 parentheses; chains (a.b.c…, x + y + …, elif … elif) have none, and recursive visitors
#: take up to four frames a level of the default 1,000.
MOST_NESTED = 200


def too_deep(tree: ast.AST) -> ast.expr | ast.stmt | None:
    """The first statement or expression found whose nesting goes beyond `MOST_NESTED`, or None."""
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MOST_NESTED and isinstance(node, (ast.stmt, ast.expr)):
            return node
        for child in _children(node):
            if isinstance(child, ast.expr) and _is_short(child):
                continue
            waiting.append((child, depth + 1))
    return None


def _is_short(node: ast.expr) -> bool:
    # end_lineno and end_col_offset are always set by the parser
    return node.lineno == node.end_lineno and node.end_col_offset - node.col_offset < MOST_NESTED // 2  # type: ignore[operator]


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, ast.AST):
                    yield item
