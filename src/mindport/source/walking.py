"""All nodes of a tree at once: `ast.walk` without its three generators, which take longer than most questions about a node."""

from __future__ import annotations

import ast


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right inside, in the order of `ast.iter_child_nodes`."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [part for part in value if isinstance(part, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(tree: ast.AST) -> list[ast.AST]:
    """The tree and all nodes inside it, in the order of `ast.walk`; trees that change meanwhile are for `ast.walk`."""
    found = [tree]
    for node in found:  # what is appended is reached as well
        found += children(node)
    return found
