"""APIs that a forward pass reaches and that raised when ``ms.jit`` compiled them, by the evidence of each."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.subject import Function, Subject
from mindport.inference import values as v
from mindport.source.file import SourceFile

_CHECK = "graph"


class GraphApis:
    """What the evidence says of a project's APIs in graph mode."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._verdicts: dict[str, bool] = {}

    def stops(self, file: SourceFile, function: Function) -> Iterator[tuple[str, ast.AST]]:
        """(name, place) of the APIs in a function that no measured sample compiled."""
        for node in ast.walk(function):
            use = self.subject.use_at.get(id(node))
            if use is not None and use.kind in ("call", "method", "value") and self.raises(use.name):
                yield use.name, node
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "apply":
                for option in v.options(self.subject.facts[file].value(node.func.value)):
                    if isinstance(option, v.ProjectClass) and torch_names.OWN_BACKWARD in option.scope.ancestors:
                        yield f"{option.scope.name}, a {torch_names.OWN_BACKWARD},", node

    def raises(self, name: str) -> bool:
        """Whether every entry of this name was compiled, and none of its samples passed."""
        if name not in self._verdicts:
            self._verdicts[name] = self._measured(name)
        return self._verdicts[name]

    def _measured(self, name: str) -> bool:
        entries = self.subject.catalog.find(name)
        if self.subject.evidence is None or not entries:
            return False
        for entry in entries:
            outcome = self.subject.evidence.outcome(entry)
            told = outcome.counts.get(_CHECK, {}) if outcome is not None else {}
            if not any(by.get("raises") for by in told.values()) or any(by.get("pass") for by in told.values()):
                return False
        return True
