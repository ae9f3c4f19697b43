"""``ms_FloatTensor if (x.device == "GPU") else ms_FloatTensor``: what is left of ``torch.cuda.FloatTensor if x.is_cuda else torch.FloatTensor`` is one name.

Done on the text of a converted file, where nothing else is planned any more. What the project itself wrote so stays.
"""

from __future__ import annotations

import ast
import re

from mindport.convert.tidy import is_quiet

#: Text of files where such a choice may stand. Most files have none, and need no second tree.
_MAY_BE_SAME = re.compile(r"\b(\w+(?:\.\w+)*) if [^\n]+ else \1(?![\w.(\[])")


def without_same_branches(text: str, before: ast.Module) -> str:
    """The text without the choices between a name and itself that the file had none of before."""
    if "\r" in text or not _MAY_BE_SAME.search(text):
        return text
    own = {ast.unparse(node) for node in ast.walk(before) if isinstance(node, ast.IfExp)}
    choices = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.IfExp) and _is_idle(node) and ast.unparse(node) not in own]
    lines = text.split("\n")
    for choice in sorted(choices, key=lambda c: (-c.lineno, -c.col_offset)):
        line = lines[choice.lineno - 1].encode()
        lines[choice.lineno - 1] = (line[: choice.col_offset] + ast.unparse(choice.body).encode() + line[choice.end_col_offset :]).decode()
    return "\n".join(lines)


def _is_idle(choice: ast.IfExp) -> bool:
    """Whether both branches are the same name, on one line, and nothing is done where the test is asked."""
    named = all(isinstance(part, (ast.Name, ast.Attribute, ast.expr_context)) for part in ast.walk(choice.body))
    return named and choice.lineno == choice.end_lineno and ast.unparse(choice.body) == ast.unparse(choice.orelse) and is_quiet(choice.test)
