"""Markdown of the atlas: what is quoted can form neither markup nor HTML, and code stands in fences it cannot close."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from mindport.report.quote import visible

_MARKUP = re.compile(r"([\\`*_\[\]{}#~])")
_LONGEST_MESSAGE = 400


def text(quoted: str) -> str:
    """One line of prose; what stands between backticks stays code."""
    line = " ".join(visible(" ".join(quoted.split())).split())
    parts = line.split("`")
    if len(parts) % 2 == 0:  # an open backtick is a character
        return _plain(line)
    return "".join(inline(part) if number % 2 else _plain(part) for number, part in enumerate(parts))


def _plain(line: str) -> str:
    return _MARKUP.sub(r"\\\1", html.escape(line, quote=False)).replace("|", "&#124;")


def inline(quoted: str) -> str:
    """A line of code between words or in a table's cell."""
    line = " ".join(quoted.split())
    return f"<code>{_plain(visible(line))}</code>" if line else ""


def code(quoted: str) -> str:
    """A block of Python, behind a fence longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", quoted)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = "\n".join(visible(line) for line in quoted.strip("\n").split("\n"))
    return f"{fence}python\n{lines}\n{fence}"


def short(message: str) -> str:
    """The beginning of a message."""
    line = " ".join(message.split())
    return line if len(line) <= _LONGEST_MESSAGE else line[:_LONGEST_MESSAGE] + " …"


def slug(word: str) -> str:
    """A standing as a class of the style sheet."""
    return word.replace(" ", "-")


def anchor(name: str) -> str:
    """A name as a fragment; dots would read as classes."""
    return name.replace(".", "-")


def bar(counts: Mapping[str, int]) -> str:
    """A stacked bar with its counts as its text for those who do not see it."""
    total = sum(counts.values()) or 1
    told = ", ".join(f"{count} {standing}" for standing, count in counts.items() if count)
    parts = "".join(
        f'<span class="{slug(standing)}" style="flex-grow:{count}" title="{count} {standing} of {total}"></span>'
        for standing, count in counts.items() if count
    )  # fmt: skip
    return f'<span class="bar" role="img" aria-label="{told}">{parts}</span>'
