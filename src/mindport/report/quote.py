"""Text of the project as a report may show it: nothing in it acts on a terminal or a page."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    """`text` with control, direction and surrogate characters written out: ``\\x1b``, ``\\u202e``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return "    "
    category = unicodedata.category(character)
    # Joiners build letters and emoji; every other format character moves or hides what stands beside it.
    if category in ("Cc", "Cs", "Zl", "Zp") or (category == "Cf" and character not in "\u200c\u200d"):
        return character.encode("unicode_escape").decode()
    return character
