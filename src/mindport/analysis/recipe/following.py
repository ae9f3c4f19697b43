"""What value reaches an argument: through names, attributes, parameters and settings, with each step's place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.settings import Setting, Settings, constant_text
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile

#: Steps from an argument to its constant; longer ways say nothing to a reader.
_MOST_STEPS = 5
_CASTS = ("float", "int", "str", "bool", "tuple", "list")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Followed:
    """`text`: the expression with what is known put in; `sure`: no setting was taken by its name alone."""

    text: str
    quotes: tuple[Quote, ...] = ()
    known: bool = True
    sure: bool = True


class Follower:
    """Follows expressions of one project."""

    def __init__(self, subject: Subject, settings: Settings) -> None:
        self.subject, self.settings = subject, settings
        self._functions: dict[SourceFile, list[_Function]] = {}

    def follow(self, file: SourceFile, node: ast.expr, steps: int = _MOST_STEPS) -> Followed:
        """What `node` stands for; its own text where nothing is known."""
        text = constant_text(node)
        if text is not None:
            return Followed(text)
        facts = self.subject.facts[file]
        constant = _constant(facts, node)
        if constant is not None:
            return Followed(constant, tuple(self._assigned_places(file, node)))
        if steps == 0:
            return Followed(ast.unparse(node), known=False)
        if isinstance(node, ast.Name):
            return self._name(file, node, steps)
        if isinstance(node, ast.Attribute):
            return self._setting(node.attr, ast.unparse(node))
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self._setting(str(node.slice.value), ast.unparse(node))
        if isinstance(node, ast.BinOp):
            left, right = self.follow(file, node.left, steps - 1), self.follow(file, node.right, steps - 1)
            sign = {ast.Mult: "*", ast.Div: "/", ast.Add: "+", ast.Sub: "-", ast.Pow: "**", ast.FloorDiv: "//"}
            return _both(left, right, f" {sign.get(type(node.op), '?')} ")
        if isinstance(node, ast.IfExp):
            return _both(self.follow(file, node.body, steps - 1), self.follow(file, node.orelse, steps - 1), " or ")
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [self.follow(file, item, steps - 1) for item in node.elts]
            return Followed(
                "(" + ", ".join(p.text for p in parts) + ")", tuple(q for p in parts for q in p.quotes),
                all(p.known for p in parts), all(p.sure for p in parts),
            )  # fmt: skip
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in _CASTS and len(node.args) == 1:
                return self.follow(file, node.args[0], steps)
            if node.func.id == "getattr" and len(node.args) >= 2 and isinstance(key := node.args[1], ast.Constant):
                return self._setting(str(key.value), ast.unparse(node))
        return Followed(ast.unparse(node), known=False)

    def _setting(self, name: str, text: str) -> Followed:
        found = self.settings.named(name)
        if not found:
            return Followed(text, known=False)
        first = found[0]
        same_kind = [s for s in found if s.kind == first.kind]
        values = list(dict.fromkeys(s.value for s in same_kind))
        shown = values[0] if len(values) == 1 else " or ".join(values[:3]) + (" …" if len(values) > 3 else "")
        return Followed(shown, tuple(s.quote for s in same_kind[:4]), True, len(values) == 1)

    def _name(self, file: SourceFile, node: ast.Name, steps: int) -> Followed:
        function = self._around(file, node)
        if function is not None:
            found = list(_assigned(function, node.id))
            if found:
                parts = [self.follow(file, value, steps - 1) for value in found[-2:]]
                places = tuple(self.subject.quote(file, value) for value in found[-2:])
                text = " or ".join(dict.fromkeys(p.text for p in parts))
                return Followed(
                    text, places + tuple(q for p in parts for q in p.quotes), all(p.known for p in parts), False
                )
        found_settings = self.settings.named(node.id)
        if found_settings:
            return self._setting(node.id, node.id)
        return Followed(node.id, known=False)

    def _around(self, file: SourceFile, node: ast.AST) -> _Function | None:
        """The innermost function that the node stands in."""
        if file not in self._functions:
            self._functions[file] = [n for n in ast.walk(file.tree) if isinstance(n, _Function)]
        line = getattr(node, "lineno", 0)
        inside = [f for f in self._functions[file] if f.lineno <= line <= (f.end_lineno or 0)]
        return max(inside, key=lambda f: f.lineno, default=None)

    def _assigned_places(self, file: SourceFile, node: ast.expr) -> Iterator[Quote]:
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        found: list[Setting] = self.settings.named(name) if name else []
        yield from (s.quote for s in found[:1])


def _assigned(function: _Function, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            yield node.value
        elif (
            isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name
            and node.value is not None
        ):  # fmt: skip
            yield node.value


def _constant(facts: Facts, node: ast.expr) -> str | None:
    value = facts.value(node)
    options = [o for o in v.options(value) if o != v.NONE] or [value]
    if all(isinstance(o, v.Const) for o in options) and len(options) <= 2:
        return " or ".join(sorted(repr(o.value) for o in options if isinstance(o, v.Const)))
    return None


def _both(left: Followed, right: Followed, between: str) -> Followed:
    if between == " or " and left.text == right.text:
        return left
    return Followed(
        f"{left.text}{between}{right.text}", left.quotes + right.quotes, left.known and right.known, left.sure and right.sure
    )
