"""The page of an analysis: contents that lead somewhere, long tables folded, few stops on the way for the keyboard."""

from __future__ import annotations

import re

from mindport.analysis.answers import Answer, Section, Table
from mindport.report import html
from tests.report.handmade import NETWORK, made
from tests.report.test_html import Page

_ROWS = tuple((f"Class{number}", "networks/some/long/path/of_a_file.py:12") for number in range(60))


def _page() -> Page:
    answer = Answer("A1", "A title", "found", "https://example.org/a/very/long/address/of/some/weights_file.pth")
    sections = [Section("A", "Structure", "结构", (answer,), (Table("Long", ("class", "place"), _ROWS), Table("Short", ("class", "place"), _ROWS[:3])))]
    return Page(html.render(made({"net.py": NETWORK}), sections))


def test_the_contents_lead_to_places_of_the_page() -> None:
    page = _page()
    ids = {attributes.get("id") for _, attributes in page.elements}
    targets = [str(attributes["href"]) for tag, attributes in page.elements if tag == "a" and str(attributes.get("href")).startswith("#")]
    assert {"#section-A", "#section-apis", "#map"} <= set(targets)
    assert all(target[1:] in ids for target in targets)


def test_the_map_is_no_row_of_stops_before_the_text() -> None:
    inside = re.findall(r'<a href="#file-[^>]*>', html.render(made({"net.py": NETWORK + "\nz = torch.nope(1)\n"})))
    assert inside and all('tabindex="-1"' in link for link in inside)


def test_a_long_table_is_folded_and_loses_no_row() -> None:
    text = html.render(made({"net.py": NETWORK}), [Section("A", "Structure", "结构", (), (Table("Long", ("class", "place"), _ROWS),))])
    assert "35 more rows" in text
    assert len(re.findall(r"<td>Class\d+</td>", text)) == 60
    assert text.index("<td>Class24</td>") < text.index("35 more rows") < text.index("<td>Class25</td>")
