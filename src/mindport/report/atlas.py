"""The atlas as a site: pages from the data, made HTML by MkDocs, which needs no network.

MkDocs runs in its own process, so that it is needed by this command alone: ``pip install 'mindport[atlas]'``.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from mindport.report.atlas_model import Atlas
from mindport.report.atlas_pages import Pages
from mindport.report.html import TEMPLATES

#: A file in the site that says it is one, so that building again may replace it.
MARK = "names.json"


class SiteError(RuntimeError):
    """The generator ended with an error; the message is its last words."""


@dataclass(frozen=True)
class Built:
    """What was built: where, how many names and pages."""

    site: Path
    names: int
    pages: int
    standings: dict[str, int]


def write_pages(atlas: Atlas, folder: Path, site: Path, names: Iterable[str] | None = None) -> Pages:
    """Write MkDocs' project into `folder`: pages, style, settings."""
    pages = Pages(atlas, names)
    root = folder / "pages"
    for path, text in pages.files():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text if "/" in path else pages.linked(text), encoding="utf-8")
    shutil.copy(TEMPLATES / "atlas.css", root / "atlas.css")
    (root / MARK).write_text(json.dumps({name: _address(path) for name, path in pages.paths.items()}, indent=0) + "\n", encoding="utf-8")
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=False, undefined=StrictUndefined)
    settings = environment.get_template("atlas_mkdocs.yml.j2").render(site=str(site.resolve()))
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return pages


def build(atlas: Atlas, site: Path, names: Iterable[str] | None = None) -> Built:
    """Build the site into the folder `site`, which is replaced. Raises SiteError."""
    with tempfile.TemporaryDirectory(prefix="mindport-atlas-") as place:
        pages = write_pages(atlas, Path(place), site, names)
        ran = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", f"{place}/mkdocs.yml"], capture_output=True, text=True,
        )  # fmt: skip
        if ran.returncode:
            raise SiteError((ran.stderr.strip() or ran.stdout.strip() or "it ended without a word")[-2000:])
        count = sum(1 for _ in Path(place, "pages").rglob("*.md"))
    return Built(site, len(pages.names), count, {s: list(pages.standing.values()).count(s) for s in dict.fromkeys(pages.standing.values())})


def _address(path: str) -> str:
    file, _, fragment = path.partition("#")
    return file.removesuffix(".md") + ".html" + (f"#{fragment}" if fragment else "")
