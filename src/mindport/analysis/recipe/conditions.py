"""Branches that the project's settings decide: what stands under ``if args.remix:`` runs only where somebody asks for it."""

from __future__ import annotations

import ast
import re

from mindport.analysis.recipe.following import Follower
from mindport.analysis.subject import Subject
from mindport.source.file import SourceFile

#: What holds a run's settings.
_HOLDER = re.compile(r"(.*_)?(args|opts?|options|flags|hparams|hps|params|cfg|conf|config|settings)")
#: What asks for a device is no choice of a practice.
_DEVICE = re.compile(r"(use_?|no_?)?(cuda|gpus?|cpu|mps|device)(_ids)?")
_FALSE = frozenset(("False", "false", "null", "None", "0", "0.0", "0.", "no", "off", ""))
_EMPTY = ("[]", "()", "{}")


class Conditions:
    """Says of a place whether the settings leave it out, and which one does."""

    def __init__(self, subject: Subject, follower: Follower) -> None:
        self.subject, self.follower = subject, follower
        self._branches: dict[SourceFile, list[tuple[int, int, ast.expr, bool]]] = {}

    def off(self, file: SourceFile, node: ast.AST) -> str:
        """``remix=false`` where such a setting leaves the place out; nothing where it runs, or nothing is known."""
        line = getattr(node, "lineno", 0)
        for first, last, test, wanted in self._of(file):
            if first <= line <= last:
                truth, why = self._truth(file, test)
                if truth is not None and truth is not wanted:
                    return why
        return ""

    def _of(self, file: SourceFile) -> list[tuple[int, int, ast.expr, bool]]:
        """(first line, last line, test, what it must be) of every branch of the file."""
        if file not in self._branches:
            found = self._branches[file] = []
            for node in file.nodes:
                if isinstance(node, ast.If):
                    found.append((node.body[0].lineno, node.body[-1].end_lineno or 0, node.test, True))
                    if node.orelse:
                        found.append((node.orelse[0].lineno, node.orelse[-1].end_lineno or 0, node.test, False))
        return self._branches[file]

    def _truth(self, file: SourceFile, test: ast.expr) -> tuple[bool | None, str]:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            truth, why = self._truth(file, test.operand)
            return (None if truth is None else not truth), why
        if isinstance(test, ast.BoolOp):
            parts = [self._truth(file, part) for part in test.values]
            decides = isinstance(test.op, ast.Or)
            if decided := next((part for part in parts if part[0] is decides), None):
                return decided
            return (not decides, parts[0][1]) if all(truth is not None for truth, _ in parts) else (None, "")
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant):
            return self._compared(file, test.left, test.ops[0], test.comparators[0].value)
        value = self._value(file, test)
        return (value not in _FALSE and value not in _EMPTY, f"{_last(test)}={value}") if value is not None else (None, "")

    def _compared(self, file: SourceFile, left: ast.expr, operator: ast.cmpop, right: object) -> tuple[bool | None, str]:
        value = self._value(file, left)
        if value is None:
            return None, ""
        why = f"{_last(left)}={value}"
        if right is None and isinstance(operator, (ast.Is, ast.IsNot)):
            none = value in ("None", "null")
            return none is isinstance(operator, ast.Is), why
        if isinstance(right, str) and right and isinstance(operator, (ast.Eq, ast.NotEq)):
            return (value == right) is isinstance(operator, ast.Eq), why
        if isinstance(right, (int, float)) and isinstance(operator, (ast.Gt, ast.GtE)) and re.fullmatch(r"-?\d+(\.\d*)?", value):
            return (float(value) > right if isinstance(operator, ast.Gt) else float(value) >= right), why
        return None, ""

    def _value(self, file: SourceFile, node: ast.expr) -> str | None:
        """The one constant that a setting has everywhere; None for anything else."""
        parts = _parts(node)
        if len(parts) < 2 or _DEVICE.fullmatch(parts[-1].lower()) or not any(_HOLDER.fullmatch(part.lower()) for part in parts[:-1]):
            return None
        followed = self.follower.follow(file, node)
        if not followed.known or not followed.sure and len(followed.quotes) != 1 or " or " in followed.text:
            return None
        text = followed.text.strip("\"'")
        return text if re.fullmatch(r"[\w.+\-]*|\[\]|\(\)|\{\}", text) else None


def _parts(node: ast.expr) -> list[str]:
    """``self.args.remix``, ``opt["model"]["norm"]`` and ``cfg.get("compile")`` as lists of names."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [*_parts(node.value), node.attr] if _parts(node.value) else []
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return [*_parts(node.value), node.slice.value] if _parts(node.value) else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args and isinstance(key := node.args[0], ast.Constant):
        return [*_parts(node.func.value), str(key.value)] if _parts(node.func.value) else []
    return []


def _last(node: ast.expr) -> str:
    return (_parts(node) or [ast.unparse(node)])[-1]
