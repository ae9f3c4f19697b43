"""Prints a specialised expression around the user's own texts.

User text goes in as it stands (converted inside already); everything new is printed from the
tree, so precedence is the tree's, never the text's. Parentheses are added where a user's
text, or the whole, lands in an operand's place.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable

from mindport.convert.specialise import PREFIX

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.JoinedStr, ast.ListComp, ast.SetComp, ast.DictComp)


def is_atom(node: ast.expr) -> bool:
    """Whether the node's text binds tighter than any operator or attribute access around it."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, (int, float, complex)) or isinstance(node.value, bool)
    return isinstance(node, _ATOMS)


def marks(node: ast.expr) -> list[str]:
    """The user-argument marks of an expression, in evaluation order, repeats included."""
    found: list[str] = []
    _collect(node, found)
    return found


def _collect(node: ast.AST, found: list[str]) -> None:
    if isinstance(node, ast.Name) and node.id.startswith(PREFIX):
        found.append(node.id)
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            for part in (key, value):
                if part is not None:
                    _collect(part, found)
        return
    for child in ast.iter_child_nodes(node):
        _collect(child, found)


def print_expression(
    node: ast.expr, text_of: Callable[[str], tuple[str, ast.expr]], quote: str = '"'
) -> str:
    """The text of `node`; `text_of(mark)` gives a user argument's text and node; `quote` the file's quotes."""
    pieces: dict[str, str] = {}
    tree = _Placeholders(text_of, quote, pieces).visit(copy.deepcopy(node))
    text = ast.unparse(tree)
    if not pieces:
        return text
    return re.sub(r"__piece_\d+__", lambda m: pieces[m.group()], text)


class _Placeholders(ast.NodeTransformer):
    """Replaces marks and strings by unique names that ast.unparse prints without touching."""

    def __init__(self, text_of: Callable[[str], tuple[str, ast.expr]], quote: str, pieces: dict[str, str]) -> None:
        self.text_of = text_of
        self.quote = quote
        self.pieces = pieces
        self.operand = False
        self.after_dot = False  # the place is the object of an attribute: `1 .real`

    def _piece(self, text: str) -> ast.Name:
        name = f"__piece_{len(self.pieces)}__"
        self.pieces[name] = text
        return ast.Name(name, ast.Load())

    def visit(self, node: ast.AST) -> ast.AST:
        operand, self.operand = self.operand, False
        if isinstance(node, ast.Name) and node.id.startswith(PREFIX):
            text, original = self.text_of(node.id)
            wrapped = f"({text})" if self._needs_parentheses(operand, original, text) else text
            result: ast.AST = self._piece(wrapped)
        elif (shown := self._tuple(node)) is not None:
            result = self._piece(shown)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            result = self._piece(_quoted(node.value, self.quote))
        else:
            result = self._children(node)
        self.operand = operand
        return result

    def _tuple(self, node: ast.AST) -> str | None:
        """``tuple([n, -1])`` of a list that the user wrote out is ``(n, -1)``."""
        match node:
            case ast.Call(func=ast.Name(id="tuple"), args=[ast.Name(id=mark)], keywords=[]) if mark.startswith(PREFIX):
                text, original = self.text_of(mark)
                if isinstance(original, ast.List) and original.elts and text.startswith("[") and text.endswith("]"):
                    inner = text[1:-1]
                    return f"({inner.rstrip()},)" if len(original.elts) == 1 and not inner.rstrip().endswith(",") else f"({inner})"
        return None

    def _children(self, node: ast.AST) -> ast.AST:
        self.after_dot = isinstance(node, ast.Attribute)
        operand = isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Attribute, ast.IfExp, ast.Starred))
        for name, value in ast.iter_fields(node):
            inner = operand or (isinstance(node, ast.Subscript) and name == "value") or (isinstance(node, ast.Call) and name == "func")
            if isinstance(value, list):
                items = []
                for item in value:
                    self.operand = inner
                    items.append(self.visit(item) if isinstance(item, ast.AST) else item)
                setattr(node, name, items)
            elif isinstance(value, ast.AST):
                self.operand = inner
                setattr(node, name, self.visit(value))
        return node

    def _needs_parentheses(self, operand: bool, original: ast.expr, text: str) -> bool:
        if text.startswith("(") and _closes_at_end(text):
            return False
        if isinstance(original, (ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.GeneratorExp)):
            return True
        if isinstance(original, ast.Tuple):
            return True
        if self.after_dot and isinstance(original, ast.Constant):
            return not is_atom(original)
        return operand and not is_atom(original) and not isinstance(original, ast.Constant)


def _closes_at_end(text: str) -> bool:
    """Whether the first parenthesis closes at the last character."""
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index == len(text) - 1
    return False


def _quoted(value: str, quote: str) -> str:
    text = repr(value)
    if quote == '"' and text.startswith("'") and '"' not in value and "\\" not in text:
        return f'"{value}"'
    return text


def preferred_quote(text: str) -> str:
    """The quotes that a file uses most."""
    return "'" if text.count("'") > text.count('"') else '"'


def quote_inside(node: ast.AST, parents: dict[int, ast.AST], text_of: Callable[[ast.JoinedStr], str]) -> str | None:
    """The quotes that can stand at `node` where f-strings are around it ("" for none left), None outside of f-strings.

    Before Python 3.12 the quotes of an f-string end it, wherever in its fields they stand.
    """
    taken = set()
    while (parent := parents.get(id(node))) is not None:
        if isinstance(parent, ast.JoinedStr):
            field = parents.get(id(parent))
            if not (isinstance(field, ast.FormattedValue) and field.format_spec is parent):  # a format has no quotes
                taken.add(text_of(parent)[-1:])
        node = parent
    return next((quote for quote in "'\"" if quote not in taken), "") if taken else None
