"""``x = x``: what is left of ``x = x.to(device)`` and its like (``self.x = self.x.cuda()``) goes, with the ``if`` that held nothing else.

Done on the text of a converted file, where nothing else is planned any more. What the project itself wrote so stays, and what has a comment of ours.
"""

from __future__ import annotations

import ast
import re

#: What a test may be made of that is not asked any more.
_QUIET = (ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.expr_context, ast.cmpop, ast.boolop, ast.unaryop)
_MARK = "# mindport:"
#: Text of files where such an assignment may stand: its first name on both sides, nothing but a comma, a bracket or a comment behind it. Most files have none, and need no second tree.
_MAY_BE_IDLE = re.compile(r"^\s*\(*\s*(\w+(?:\.\w+)?)\b[^=]*=\s*\(*\s*\1\s*(?:[,)#]|$)", re.MULTILINE)


def without_self_assignments(text: str, before: ast.Module) -> str:
    """The text without the assignments of names to themselves that the file had none of before."""
    if re.search(r"\r(?!\n)", text) or not _MAY_BE_IDLE.search(text):
        return text
    tree = ast.parse(text)
    own = {ast.unparse(node) for node in ast.walk(before) if _is_idle(node)}
    lines = [line + "\n" for line in text.split("\n")]
    going: dict[int, ast.stmt] = {}
    _look(tree.body, lines, own, going)
    for statement in sorted(going.values(), key=lambda s: -s.lineno):
        _remove(lines, statement, tree, going)
    return "".join(lines)[:-1]


def _look(block: list[ast.stmt], lines: list[str], own: set[str], going: dict[int, ast.stmt]) -> None:
    """Note what goes of a block and of the blocks inside; classes keep ``x = x``, which makes an attribute of a name outside."""
    for statement in block:
        if isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                if not isinstance(inner, ast.Assign):
                    _look([inner], lines, own, going)
            continue
        if _is_idle(statement) and ast.unparse(statement) not in own and _stands_alone(statement, lines):
            going[id(statement)] = statement
            continue
        for field in ("body", "orelse", "finalbody"):
            if isinstance(inside := getattr(statement, field, None), list):
                _look([s for s in inside if isinstance(s, ast.stmt)], lines, own, going)
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            _look(part.body, lines, own, going)
        if (
            isinstance(statement, ast.If) and all(id(s) in going for s in (*statement.body, *statement.orelse))
            and is_quiet(statement.test) and _stands_alone(statement, lines) and lines[statement.lineno - 1].lstrip().startswith("if")
        ):  # fmt: skip
            for inner in (*statement.body, *statement.orelse):
                del going[id(inner)]
            going[id(statement)] = statement


def is_quiet(test: ast.expr) -> bool:
    """Whether nothing is done where the test is asked; ``x.device.lower()`` is how a device is asked for its name."""
    return all(isinstance(part, _QUIET) or isinstance(part, ast.Call) and ast.unparse(part).endswith(".device.lower()") for part in ast.walk(test))


def _is_idle(node: ast.AST) -> bool:
    """Whether it assigns names, or attributes of names, to themselves."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    target = node.targets[0]
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    return all(isinstance(name.value if isinstance(name, ast.Attribute) else name, ast.Name) for name in names) and ast.unparse(target) == ast.unparse(node.value)


def _stands_alone(statement: ast.stmt, lines: list[str]) -> bool:
    """Whether nothing else stands on its lines, and no comment in them or of ours above."""
    first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
    held = lines[first : last + 1]
    rest = lines[last].encode()[statement.end_col_offset or 0 :].decode()
    if lines[first].encode()[: statement.col_offset].strip() or rest.strip() or any("#" in line for line in held):
        return False
    return first == 0 or not lines[first - 1].lstrip().startswith(_MARK)


def _remove(lines: list[str], statement: ast.stmt, tree: ast.Module, going: dict[int, ast.stmt]) -> None:
    """Take the lines out; the first of a block that holds nothing else becomes ``pass``."""
    first, last = statement.lineno - 1, statement.end_lineno or statement.lineno
    block = next(block for node in ast.walk(tree) for block in _blocks(node) if statement in block)
    if statement is block[0] and all(id(s) in going for s in block):
        lines[first:last] = [f"{lines[first][: len(lines[first]) - len(lines[first].lstrip())]}pass\n"]
    else:
        del lines[first:last]


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    return [block for name in ("body", "orelse", "finalbody") if isinstance(block := getattr(node, name, None), list)]
