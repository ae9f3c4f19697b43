"""What a file does when it is run, and not when it is imported: ``if __name__ == "__main__":``."""

from __future__ import annotations

import ast


def is_main_block(statement: ast.stmt) -> bool:
    """Whether a statement at a file's top level asks for the file's own name."""
    return isinstance(statement, ast.If) and any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test))
