"""The atlas opened from disk in a headless browser, at a desk's and a phone's width: found by typing, and nothing asked of a network."""

from __future__ import annotations

import importlib.util
import shutil
import time
from pathlib import Path

import pytest

from mindport import catalog
from mindport.report.atlas import build
from mindport.report.atlas_model import Atlas
from tests.report.browser import Browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NAMES = ("torch.nn.functional.interpolate", "torch.mean", "torch.Tensor.mean", "torch.bmm", "torch.max", "torch.nn.UpsamplingNearest2d", "torch.nn.Conv2d", "torch.var_mean", "torch.hub.help")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
    pytest.mark.skipif(importlib.util.find_spec("zensical") is None, reason="the site generator is installed by mindport[atlas]"),
]
#: The first result's link, within whatever shadow roots the theme uses.
FIRST = """(() => {
  const found = []
  const look = root => { for (const each of root.querySelectorAll('*')) {
    if (each.shadowRoot) look(each.shadowRoot)
    if (root !== document && each.matches('a[href*=".html"]')) found.push(each.getAttribute('href'))
  } }
  look(document)
  return found[0] || ''
})()"""
FIELD = """(() => {
  let focus = document.activeElement
  while (focus && focus.shadowRoot) focus = focus.shadowRoot.activeElement
  return focus && focus.tagName === 'INPUT' ? `=${focus.value}` : ''
})()"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(Atlas(catalog.load()), tmp_path_factory.mktemp("atlas") / "site", NAMES).site


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_are_read_without_errors_and_without_a_network(site: Path, tmp_path: Path, width: int) -> None:
    assert CHROMIUM is not None
    with Browser(CHROMIUM, tmp_path, width) as browser:
        for page in ("index.html", "coverage.html", "differences.html", "namespace/torch.nn.html", "api/torch.nn.functional.interpolate.html"):
            browser.open(site / page)
            assert browser.value("document.documentElement.scrollWidth <= window.innerWidth"), page
        assert not browser.said
        assert not [url for url in browser.seen if not url.startswith(("file:", "data:", "blob:", "about:"))]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("torch.nn.functional.interpolate", "torch.nn.functional.interpolate"), ("ops.mean", "torch.mean"), ("F.interpolate", "torch.nn.functional.interpolate"),
        ("batch matrix multiply", "torch.bmm"), ("nearest neighbour upsampling", "UpsamplingNearest2d"),
    ],
)  # fmt: skip
def test_the_keyboard_alone_finds_a_page(site: Path, tmp_path: Path, query: str, expected: str) -> None:
    assert CHROMIUM is not None
    with Browser(CHROMIUM, tmp_path) as browser:
        browser.open(site / "index.html")
        browser.press("k", 75, modifiers=2)
        browser.until(FIELD)
        browser.type(query)
        browser.until(f"{FIRST}.includes({expected + '.html'!r})")
        time.sleep(0.5)  # results come while one types
        assert browser.value(FIELD) == f"={query}"
        browser.press("Enter", 13)
        browser.until(f"location.pathname.includes({expected!r})")
        browser.until(f"(document.querySelector('h1')?.innerText || '').includes({expected!r})")
        assert not browser.said
