"""What the atlas knows about one PyTorch name: its card, its evidence in every version, and what is related.

Everything is read from the data that `mindport api` reads; nothing is run.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mindport import targets
from mindport.analysis.lookup import mindspore_names
from mindport.analysis.other_names import also_called
from mindport.catalog import Catalog, Entry
from mindport.evidence import store
from mindport.evidence.differences.rows import ROWS
from mindport.evidence.differences.run import MEANINGS, RESULTS
from mindport.evidence.store import Evidence, Outcome
from mindport.inference import torchfacts
from mindport.report.api_card import MEASURED, ApiCard, card
from mindport.source.defaults import defaults_of
from mindport.targets import Target

#: A name's standing, best first. `known`: a constant or an attribute that is right by its text, without samples.
STANDINGS = ("verified", "partial", "documented", "not run", "absent")
MEANS = {
    "verified": "forward samples passed, and none gives another result, raises or crashes",
    "partial": "some samples give another result, raise or crash; the page shows which",
    "documented": "an equivalent is written; no kernel on this CPU, or no samples, so nothing could be run",
    "not run": "an equivalent is written, and was changed since it was last run",
    "absent": "MindSpore offers nothing to build it from; the reason and the next rung are given",
}
#: Verdicts in the order of the evidence tables.
VERDICTS = ("pass", "refused", "declared", "differs", "raises", "crash", "timeout", "not run here", "recompiled", "returns", "none in torch")
_MOST_RELATED = 24


@dataclass(frozen=True)
class Measured:
    """One entry in one MindSpore version; `rows`: (check, dtype, its counts in the order of VERDICTS)."""

    mindspore: str
    status: str
    outcome: Outcome | None

    @property
    def verdicts(self) -> list[str]:
        """The verdicts that occur."""
        return [verdict for verdict in VERDICTS if self.outcome is not None and self.outcome.count(verdict)]

    @property
    def rows(self) -> list[tuple[str, str, list[int]]]:
        """One row for each check and dtype."""
        counts = self.outcome.counts if self.outcome is not None else {}
        return [(check, dtype, [told.get(v, 0) for v in self.verdicts]) for check, by in counts.items() for dtype, told in by.items()]


@dataclass(frozen=True)
class Related:
    """Another name, and why it stands here."""

    why: str
    names: list[str]

    def only(self, known: Container[str]) -> Related:
        """The same without names that have no page."""
        return Related(self.why, [name for name in self.names if name in known])


@dataclass(frozen=True)
class AtlasPage:
    """Everything on one name's page. `measured` has one list for each entry of the card."""

    name: str
    namespace: str
    standing: str
    torch: list[str]
    also: list[str]
    card: ApiCard
    measured: list[list[Measured]]
    available: list[tuple[str, list[str]]]
    examples: list[tuple[int, str, str, str, str, str, str]]
    related: list[Related] = field(default_factory=list)

    @property
    def absent(self) -> bool:
        """Has MindSpore nothing for it?"""
        return self.standing == "absent"


class Atlas:
    """All pages, made one by one."""

    def __init__(self, catalog: Catalog, mindspore: str = "2.10.0") -> None:
        self.catalog = catalog
        self.mindspore = mindspore
        self.target = targets.load(mindspore)
        measured = [d.name.partition("-")[2] for d in store.DATA.glob(f"{MEASURED}-*")]
        self.versions = sorted(measured, key=lambda v: [int(part) for part in v.split(".")], reverse=True)
        self.evidence: dict[str, Evidence] = {version: store.load(MEASURED, version) for version in (mindspore, *self.versions)}
        self.targets: dict[str, Target] = {version: targets.load(version) for version in targets.versions()}

    def namespace(self, name: str) -> str:
        """The module or class that the name stands in."""
        return name.rpartition(".")[0] or name

    def standing(self, name: str) -> str:
        """The worst of its entries' standings, where there are several."""
        entries = self.catalog.find(name)
        found = {self.entry_standing(entry) for entry in entries}
        return next((s for s in reversed(STANDINGS) if s in found and (s != "absent" or found == {"absent"})), "absent")

    def entry_standing(self, entry: Entry, mindspore: str | None = None) -> str:
        """One entry's standing."""
        if entry.kind == "absent":
            return "absent"
        status = self.evidence[mindspore or self.mindspore].status(entry)
        return "not run" if status == "absent" else status

    def page(self, name: str) -> AtlasPage:
        """The page of a name that the catalog knows."""
        entries = self.catalog.find(name)
        shown = card(name, self.catalog, self.target, self.evidence[self.mindspore])
        versions = list(dict.fromkeys((self.mindspore, *self.versions)))
        measured = [
            [Measured(v, self.entry_standing(e, v), self.evidence[v].outcome(e)) for v in versions] if e.kind != "absent" else []
            for e in entries
        ]
        counterparts = dict.fromkeys(each.name for entry in shown.entries for each in entry.mindspore)
        available = [(each, ["yes" if each in target else "no" for target in self.targets.values()]) for each in counterparts]
        return AtlasPage(
            name, self.namespace(name), self.standing(name), _signatures(name, entries), list(also_called(self.catalog, name)), shown, measured, available,
            self.examples.get(name, []), self._related(name, entries),
        )  # fmt: skip

    @cached_property
    def difference_results(self) -> dict[int, dict[str, str]]:
        """What the naive port's differences gave when they ran, by number."""
        return {int(number): told for number, told in json.loads(RESULTS.read_text("utf-8")).items()}

    @cached_property
    def examples(self) -> dict[str, list[tuple[int, str, str, str, str, str, str]]]:
        """Executed counter-examples to the naive port, by the torch names that their programs use."""
        found: dict[str, list[tuple[int, str, str, str, str, str, str]]] = {}
        for row in ROWS:
            told = self.difference_results.get(row.number)
            if told is None or not row.torch:
                continue
            line = (row.number, row.what, row.torch, told["torch"], row.mindspore, told["mindspore"], MEANINGS[told["verdict"]])
            for name in dict.fromkeys(torchfacts.canonical(each) for each in re.findall(r"\btorch(?:\.\w+)+", row.torch)):
                found.setdefault(name, []).append(line)
        return found

    @cached_property
    def _by_last(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.catalog.names():
            found.setdefault(_bare(name), []).append(name)
        return found

    @cached_property
    def _by_mindspore(self) -> dict[str, list[str]]:
        found: dict[str, dict[str, None]] = {}
        for entry in self.catalog.entries:
            for used in mindspore_names(entry):
                found.setdefault(used, {}).update(dict.fromkeys(entry.names))
        return {used: sorted(names) for used, names in found.items()}

    def _related(self, name: str, entries: list[Entry]) -> list[Related]:
        same = [other for entry in entries for other in entry.names if other != name and self.catalog.find(other)]
        alike = [other for other in self._by_last.get(_bare(name), []) if other != name and other not in same]
        found = [Related("the same entry", list(dict.fromkeys(same))), Related("spelled alike: function, method, in-place and layer forms", alike)]
        for used in dict.fromkeys(used for entry in entries for used in mindspore_names(entry)):
            others = [other for other in self._by_mindspore[used] if other not in (name, *same, *alike) and self.catalog.find(other)]
            if others and len(others) <= _MOST_RELATED:
                found.append(Related(f"also written in `{used}`", others))
        return [each for each in found if each.names]

    def counts(self) -> dict[str, Counter[str]]:
        """Standings by namespace."""
        found: dict[str, Counter[str]] = {}
        for name in self.catalog.names():
            found.setdefault(self.namespace(name), Counter())[self.standing(name)] += 1
        return found


def _bare(name: str) -> str:
    return name.rpartition(".")[2].rstrip("_").replace("_", "").lower()


def _signatures(name: str, entries: list[Entry]) -> list[str]:
    """torch's own signatures, one for each overload. What its stubs leave open, the equivalent's signature tells: it is torch's."""
    api = torchfacts.lookup(name)
    if api is None:
        return []
    if not api.signatures:
        return [f"{name}: {api.type}"] if api.type else [name]
    defaults: dict[str, str] = {}
    for arguments in (entry.arguments for entry in entries):
        if arguments is not None:
            defaults.update({name: ast.unparse(value) for name, value in defaults_of(arguments).items() if name not in defaults})
    return [_written(name, one, defaults) for one in api.signatures]


def _written(name: str, one: torchfacts.Signature, defaults: Mapping[str, str]) -> str:
    parts: list[str] = []
    starred = False
    for number, parameter in enumerate(one.parameters):
        if parameter.kind == "KEYWORD_ONLY" and not starred:
            parts.append("*")
            starred = True
        starred = starred or parameter.kind == "VAR_POSITIONAL"
        stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind, "")
        kind = f": {parameter.annotation}" if parameter.annotation else ""
        value = defaults.get(parameter.name, "...") if parameter.default == "..." else parameter.default
        default = "" if value is None else f" = {value}" if kind else f"={value}"
        parts.append(f"{stars}{parameter.name}{kind}{default}")
        following = one.parameters[number + 1].kind if number + 1 < len(one.parameters) else ""
        if parameter.kind == "POSITIONAL_ONLY" and following != "POSITIONAL_ONLY":
            parts.append("/")
    text = f"{name}({', '.join(parts)})" + (f" -> {one.returns}" if one.returns else "")
    if len(text) <= 88:
        return text
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + ")" + (f" -> {one.returns}" if one.returns else "")

