"""All nodes of a tree at once: `ast.walk` without its three generators, which take longer than most questions about a node."""

from __future__ import annotations

import ast

#: Fields that hold no nodes, whatever class they belong to.
_PLAIN = frozenset(("id", "attr", "asname", "module", "level", "conversion", "kind", "type_comment", "simple", "is_async", "rest", "kwd_attrs", "tag", "lineno"))


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each class that may hold nodes; a constant and ``global x`` have none."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        without = issubclass(kind, ast.Constant | ast.MatchSingleton | ast.Global | ast.Nonlocal)
        self[kind] = () if without else tuple(name for name in kind._fields if name not in _PLAIN)
        return self[kind]


_FIELDS = _Fields()


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right inside, in the order of `ast.iter_child_nodes`."""
    found: list[ast.AST] = []
    for name in _FIELDS[node.__class__]:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += value if None not in value else [part for part in value if part is not None]  # ``{**more}`` has no key
        elif value is not None and value.__class__ is not str:
            found.append(value)
    return found


def walk(tree: ast.AST) -> list[ast.AST]:
    """The tree and all nodes inside it, in the order of `ast.walk`; trees that change meanwhile are for `ast.walk`."""
    found = [tree]
    for node in found:  # what is appended is reached as well
        found += children(node)
    return found
