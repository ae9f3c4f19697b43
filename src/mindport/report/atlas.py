"""The atlas as a site: pages from the data, made HTML by Zensical, without a network.

Zensical (the successor of Material for MkDocs; decision 009) runs in its own process, so that it is needed by this command alone: ``pip install 'mindport[atlas]'``.
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

from mindport.report.atlas_model import Atlas
from mindport.report.atlas_pages import Pages
from mindport.report.html import TEMPLATES

#: A file in the site that says it is one, so that building again may replace it.
MARK = "names.json"
#: What the theme asks the network for, so that the search works in a page opened from disk.
REMOTE = "https://unpkg.com/iframe-worker/shim"


class SiteError(RuntimeError):
    """The generator ended with an error; the message is its last words."""


@dataclass(frozen=True)
class Built:
    """What was built: where, how many names and pages."""

    site: Path
    names: int
    pages: int
    standings: dict[str, int]


def write_pages(atlas: Atlas, folder: Path, names: Iterable[str] | None = None) -> Pages:
    """Write Zensical's project into `folder`: pages, style, settings."""
    pages = Pages(atlas, names)
    root = folder / "pages"
    for path, text in pages.files():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text if "/" in path else pages.linked(text), encoding="utf-8")
    shutil.copy(TEMPLATES / "atlas.css", root / "atlas.css")
    (root / MARK).write_text(json.dumps({name: _address(path) for name, path in pages.paths.items()}, indent=0) + "\n", encoding="utf-8")
    shutil.copy(TEMPLATES / "atlas_worker.js", root / "worker.js")
    shutil.copy(TEMPLATES / "atlas_site.yml", folder / "mkdocs.yml")
    return pages


def build(atlas: Atlas, site: Path, names: Iterable[str] | None = None) -> Built:
    """Build the site into the folder `site`, which is replaced when the new one is complete. Raises SiteError."""
    site.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".atlas-", dir=site.parent) as place:
        pages = write_pages(atlas, Path(place), names)
        ran = subprocess.run(
            [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", f"{place}/mkdocs.yml"], capture_output=True, text=True,
        )  # fmt: skip
        if ran.returncode:
            raise SiteError((ran.stderr.strip() or ran.stdout.strip() or "it ended without a word")[-2000:])
        made = Path(place, "site")
        count = 0
        for page in made.rglob("*.html"):
            count += 1
            page.write_text(_local(page.read_text("utf-8"), "../" * (len(page.relative_to(made).parts) - 1)), "utf-8")
        if site.exists():
            shutil.rmtree(site)
        made.rename(site)
    return Built(site, len(pages.names), count, {s: list(pages.standing.values()).count(s) for s in dict.fromkeys(pages.standing.values())})


def _local(page: str, up: str) -> str:
    """The page without the one script that the theme would load from the network."""
    return page.replace(REMOTE, f"{up}worker.js")


def _address(path: str) -> str:
    file, _, fragment = path.partition("#")
    return file.removesuffix(".md") + ".html" + (f"#{fragment}" if fragment else "")
