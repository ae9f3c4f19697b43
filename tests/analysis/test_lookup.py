"""Names are found forwards, backwards, by part, by words; what is not found leads to the nearest."""

from __future__ import annotations

import pytest

from mindport import catalog
from mindport.analysis.lookup import lookup, mindspore_names

CATALOG = catalog.load()


@pytest.mark.parametrize(
    ("query", "how", "expected"),
    [
        ("torch.sigmoid", "name", "torch.sigmoid"),
        ("torch.sigmoid()", "name", "torch.sigmoid"),
        ("nn.Conv2d", "part of a name", "torch.nn.Conv2d"),
        ("F.relu", "part of a name", "torch.nn.functional.relu"),
        ("Conv2d", "part of a name", "torch.nn.Conv2d"),
        ("mindspore.nn.Conv2d", "mindspore name", "torch.nn.Conv2d"),
        ("ops.sigmoid", "part of a name", "torch.sigmoid"),
    ],
)
def test_queries(query: str, how: str, expected: str) -> None:
    found = lookup(CATALOG, query)
    assert expected in found.names
    if how != "part of a name":
        assert found.how == how


def test_words_search_names_and_descriptions() -> None:
    found = lookup(CATALOG, "batch norm")
    assert found.names and all("atch" in " ".join((n, *_texts(n))) for n in found.names)


def _texts(name: str) -> list[str]:
    return [entry.module.segment(entry.node) if entry.node else entry.why for entry in CATALOG.find(name)]


@pytest.mark.parametrize("typo", ["torch.sigmiod", "torch.nn.Conv2dd", "sigmiod"])
def test_a_typo_leads_to_the_nearest_names(typo: str) -> None:
    found = lookup(CATALOG, typo)
    assert not found.names and any(near.rpartition(".")[2].lower() in ("sigmoid", "conv2d") for near in found.near)


def test_nonsense_leads_nowhere() -> None:
    for query in ("qqqqzzzz", "", "...", "(", "torch.\x00"):
        found = lookup(CATALOG, query)
        assert found.names == ()


def test_every_entry_names_only_mindspore() -> None:
    used = {entry.key: mindspore_names(entry) for entry in CATALOG.entries}
    assert all(name.startswith("mindspore.") for names in used.values() for name in names)
    assert "mindspore.nn.Conv2d" in used["torch.nn.Conv2d#Conv2d"]
    assert sum(map(bool, used.values())) > 0.8 * sum(entry.node is not None for entry in CATALOG.entries)
