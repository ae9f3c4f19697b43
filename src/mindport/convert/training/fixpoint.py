"""Questions that ask each other in circles: ``x = f(y); y = g(x)``. Each is answered once a pass, however many ways lead to it.

Answered way by way, names that hang on each other cost as many answers as there are ways between them: minutes for an optimizer of sixty lines.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable


class Fixpoint:
    """The least answers: None stands for "nothing found" until a node is found; a node that is found stays."""

    def __init__(self) -> None:
        self._found: dict[Hashable, ast.AST] = {}
        self._passed: set[Hashable] = set()  # asked in this pass, or being asked
        self._assumed: set[Hashable] = set()  # of these, who was read before its answer stood
        self._open: set[Hashable] = set()

    def ask(self, mark: Hashable, question: Callable[[], ast.AST | None]) -> ast.AST | None:
        """The answer for `mark`; `question` looks for it, and may ask others."""
        if self._open:
            return self._inside(mark, question)
        try:
            while True:
                answer = self._inside(mark, question)
                # what was taken for nothing and is something now may change what was answered with it
                if answer is not None or not self._assumed & self._found.keys():
                    return answer
                self._passed.clear()
                self._assumed.clear()
        finally:
            self._found.clear()  # what carries by itself may be set between two questions
            self._passed.clear()
            self._assumed.clear()

    def _inside(self, mark: Hashable, question: Callable[[], ast.AST | None]) -> ast.AST | None:
        if mark in self._found:
            return self._found[mark]
        if mark in self._passed:
            if mark in self._open:
                self._assumed.add(mark)
            return None
        self._passed.add(mark)
        self._open.add(mark)
        try:
            answer = question()
        finally:
            self._open.discard(mark)
        if answer is not None:
            self._found[mark] = answer
        return answer
