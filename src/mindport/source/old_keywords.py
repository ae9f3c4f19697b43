"""Texts of before Python 3.7, where ``async`` was a name: ``x.cuda(async=True)`` is read as ``x.cuda(non_blocking=True)``.

PyTorch 0.4 gave the argument its new name because the old one became a keyword. Projects of these years parse but for it,
so the text is read with the new name, before anything else sees it.
"""

from __future__ import annotations

import io
import tokenize

_OLD, _NEW = "async", "non_blocking"


def respelled(text: str) -> str | None:
    """The text with the argument's new name; None where no call gives it under the old one."""
    if _OLD not in text:
        return None
    lines = text.split("\n")
    found: list[tuple[int, int]] = []
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return None
    for before, token, behind in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.string == _OLD and before.string in ("(", ",") and behind.string == "=":
            found.append(token.start)
    for line, column in reversed(found):
        lines[line - 1] = lines[line - 1][:column] + _NEW + lines[line - 1][column + len(_OLD) :]
    return "\n".join(lines) if found else None
