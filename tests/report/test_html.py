"""The page is one file, loads nothing, parses, and escapes what it quotes."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import PurePosixPath

import pytest

from mindport.findings import Finding
from mindport.report import html
from tests.report.handmade import NETWORK, made

VOID = frozenset(("meta", "input", "br", "hr", "img", "link", "wbr"))
LOADS = frozenset(("src", "href", "srcset", "data", "action", "poster", "xlink:href", "formaction", "background"))
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}\x1b[31m.py'


class Page(HTMLParser):
    """Checks that elements nest, and collects them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


@pytest.fixture(scope="module")
def text() -> str:
    finding = Finding("MP901", f"cannot read {HOSTILE}", PurePosixPath(HOSTILE), None, "blocker", advice=HOSTILE)
    source = NETWORK + "\nz = torch.nope('</script><script>alert(3)</script>')\n"
    return html.render(made({"net.py": source, HOSTILE.replace("/", "_"): NETWORK}, [finding]))


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_nothing_is_loaded(text: str, page: Page) -> None:
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form"), tag
        for name, value in attributes.items():
            assert not name.startswith("on") and name != "style", (tag, name)
            if name in LOADS:
                assert value is not None and value.startswith("#"), (tag, name, value)
    assert "http:" not in text and "https:" not in text and "//" not in re.sub(r"</?\w", "", "".join(page.texts["style"]))
    assert "@import" not in text and "url(" not in text


def test_the_policy_forbids_all_but_the_pages_own_style_and_script(page: Page) -> None:
    policy = next(a["content"] for tag, a in page.elements if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none';")
    for tag in ("style", "script"):
        (own,) = page.texts[tag]
        assert f"{tag}-src 'sha256-{b64encode(sha256(own.encode()).digest()).decode()}'" in policy


def test_the_project_cannot_write_elements(page: Page) -> None:
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == 1 and "img" not in tags
    assert "alert" not in page.texts["script"][0]
    shown = "".join("".join(texts) for texts in page.texts.values())
    assert "alert(1)" in shown and "alert(3)" in shown  # quoted, not lost
    assert "{{ 7*7 }}" in shown
    assert "\x1b" not in shown


def test_links_lead_to_places_on_the_page(page: Page) -> None:
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"] for tag, attributes in page.elements if tag == "a"]
    assert links and all(link is not None and link[1:] in ids for link in links)


def test_every_finding_and_api_is_on_the_page() -> None:
    report = made({"net.py": NETWORK})
    page = Page(html.render(report))
    findings = [a for tag, a in page.elements if tag == "div" and a.get("class") == "finding"]
    assert len(findings) == len(report.found())
    assert {row.api for row in report.rows} <= set(page.texts["code"])


@pytest.mark.parametrize("sources", [{}, {"m.py": "x = 1\n"}, {"m.py": ""}], ids=["no files", "no torch", "empty file"])
def test_small_reports_are_pages_too(sources: dict[str, str]) -> None:
    Page(html.render(made(sources)))


def test_it_works_in_light_dark_print_and_on_a_phone(page: Page) -> None:
    (style,) = page.texts["style"]
    assert "prefers-color-scheme: dark" in style and "@media print" in style and "max-width" in style
    assert any(a.get("name") == "viewport" for tag, a in page.elements if tag == "meta")


def test_long_words_may_break_and_stay_escaped() -> None:
    said = html.breakable("networks/blocks/localnet_block.py:40 <script>alert(1)</script> & short")
    assert said.replace("<wbr>", "") == "networks/blocks/localnet_block.py:40 &lt;script&gt;alert(1)&lt;/script&gt; &amp; short"
    assert "networks/<wbr>blocks/<wbr>localnet_<wbr>block.<wbr>py:40" in said
    assert html.breakable("GlobalMutualInformationLoss") == "Global<wbr>Mutual<wbr>Information<wbr>Loss"
    assert html.breakable("a/b.c") == "a/b.c"
