"""A small atlas: every name resolves, every link leads somewhere, nothing is loaded from elsewhere."""

from __future__ import annotations

import html.parser
import importlib.util
import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from mindport import catalog
from mindport.report.atlas import build, write_pages
from mindport.report.atlas_model import Atlas
from mindport.report.atlas_text import bar, code, inline, text

NAMES = ("torch.nn.functional.gelu", "torch.nn.Conv2d", "torch.Tensor.T", "torch.Tensor.t", "torch.flatten", "torch.float32", "torch.hub.help", "torch.max", "torch.Tensor.max")


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and the anchors it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {key: value or "" for key, value in attrs}
        self.anchors.add(told.get("id", ""))
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        elif "src" in told or (tag == "link" and told.get("rel") not in ("canonical", "prev", "next")):
            self.loads.append(told.get("src") or told.get("href", ""))


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return Atlas(catalog.load())


def test_pages_tell_signature_body_evidence_and_reasons(atlas: Atlas, tmp_path: Path) -> None:
    pages = write_pages(atlas, tmp_path, NAMES)
    assert set(pages.paths) == set(NAMES)
    gelu = (tmp_path / "pages" / pages.paths["torch.nn.functional.gelu"]).read_text("utf-8")
    assert "ops.gelu(input)" in gelu and "def gelu(" in gelu and "torch.nn.functional.gelu(input: Tensor" in gelu
    for version in atlas.versions:
        assert f"### MindSpore {version} on CPU" in gelu
    absent = (tmp_path / "pages" / pages.paths["torch.hub.help"].partition("#")[0]).read_text("utf-8")
    assert "Next rung: " in absent and catalog.load().find("torch.hub.help")[0].why.split(":")[0] in absent
    assert pages.paths["torch.Tensor.T"].lower() != pages.paths["torch.Tensor.t"].lower()


def test_every_name_of_the_catalog_has_a_standing(atlas: Atlas) -> None:
    counts = atlas.counts()
    assert sum(told.total() for told in counts.values()) == len(atlas.catalog.names())
    assert counts["torch.nn.functional"]["verified"] > 50 and counts["torch.cuda"]["absent"] > 50


def test_quoted_text_forms_no_markup() -> None:
    assert text("a <b> | *c* `x|y`") == r"a &lt;b&gt; &#124; \*c\* <code>x&#124;y</code>"
    assert text("an open ` tick") == r"an open \` tick"
    assert inline("[a](b)") == r"<code>\[a\](b)</code>"
    assert code("s = '```'").startswith("````python\n")
    assert 'aria-label="2 pass"' in bar({"pass": 2, "fail": 0})


@pytest.mark.skipif(importlib.util.find_spec("zensical") is None, reason="the site generator is installed by mindport[atlas]")
def test_the_built_site_is_whole_and_local(atlas: Atlas, tmp_path: Path) -> None:
    site = tmp_path / "site"
    built = build(atlas, site, NAMES)
    assert built.names == len(NAMES) and not list(tmp_path.glob(".atlas-*"))
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    for name, address in json.loads((site / "names.json").read_text()).items():
        file, _, fragment = address.partition("#")
        assert name.rpartition(".")[2] in (site / file).read_text("utf-8")
        assert not fragment or fragment in pages[site / file].anchors, address
    for path, page in pages.items():
        assert not [each for each in page.loads if each.startswith(("http:", "https:", "//"))], path
        for link in [*page.links, *page.loads]:
            if ":" in link.partition("/")[0] or not link:
                continue
            file, _, fragment = unquote(link).partition("#")
            target = (path.parent / file.partition("?")[0]).resolve() if file else path
            assert target.exists(), (path.name, link)
            if fragment and target in pages:
                assert fragment in pages[target].anchors, (path.name, link)
    assert "torch.nn.functional.gelu" in (site / "search.js").read_text("utf-8")
