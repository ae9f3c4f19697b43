"""Rows of the checklist from what shows them, and which of several settings decide a run."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mindport.analysis.answers import Answer, Quote
from mindport.analysis.recipe.settings import KINDS, Setting, normal, trains
from mindport.analysis.subject import in_tests

#: More places than this prove nothing more.
_MOST_QUOTES = 12
#: Folders of programs that show something, or that nobody uses any more.
_ASIDE = re.compile(r"(^|/)(demos?|examples?|notebooks?|attic|scratch|playground|benchmarks?)/")
_NOTHING = ("None", "", "[]", "()", "{}", "auto", "null")


def row(number: str, title: str, zh: str, value: str, quotes: Iterable[Quote], advice: str = "") -> Answer:
    """A row that is found where something shows it."""
    shown = tuple(dict.fromkeys(quotes))
    told = all(quote.path.endswith((".md", ".rst")) for quote in shown)
    return Answer(number, title, "not found" if not shown else "claimed only" if told else "found", value, shown[:_MOST_QUOTES], advice if shown else "", zh)


def deciding(found: list[Setting]) -> list[Setting]:
    """Numbers and names that a run starts with; parameters' defaults only where nothing else is there."""
    found = [s for s in found if not s.of_part] or [s for s in found if s.kind != "file"]
    found = [s for s in found if not s.of_evaluation] or found
    found = [s for s in found if s.value.strip("\"'") not in _NOTHING and (s.of_program or not in_tests(s.quote.path))]
    strong = [s for s in found if s.kind not in ("parameter", "document")]
    chosen = strong or [s for s in found if s.kind != "parameter" or trains(s)]
    best: dict[str, int] = {}
    for setting in chosen:
        rank = KINDS.index(setting.kind)
        best[normal(setting.name)] = min(rank, best.get(normal(setting.name), rank))
    better = {(normal(s.name), s.quote.path) for s in chosen if KINDS.index(s.kind) <= KINDS.index("field")}
    files = {normal(s.name) for s in chosen if s.kind in ("file", "script")}

    def own(setting: Setting) -> bool:
        """What a script that trains says for itself, beside another script's command line."""
        name = normal(setting.name)
        return setting.kind == "constant" and setting.at_training and not _ASIDE.search(setting.quote.path) and name not in files and (name, setting.quote.path) not in better

    return [s for s in chosen if KINDS.index(s.kind) <= max(best[normal(s.name)], KINDS.index("field")) or own(s)]


def unique(values: Iterable[str]) -> list[str]:
    """Each once, in order."""
    return list(dict.fromkeys(values))
