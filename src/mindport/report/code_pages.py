"""The page of each finding's code: shipped with the package, read from docs/ in a checkout."""

from __future__ import annotations

from pathlib import Path

#: Where a wheel holds the pages (pyproject.toml copies them), and where the repository does.
_PLACES = (Path(__file__).parent / "codes", Path(__file__).parents[3] / "docs" / "codes")


def page(code: str) -> str:
    """The Markdown text of a code's page. Raises FileNotFoundError for an installation without pages."""
    for place in _PLACES:
        path = place / f"{code}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(2, "the page of this code is missing from the installation", f"{code}.md")
