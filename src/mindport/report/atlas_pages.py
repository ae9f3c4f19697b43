"""The atlas' pages as Markdown, by path: one a name, one a namespace, and the pages that count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from mindport.evidence import opinfo
from mindport.evidence import page as evidence_page
from mindport.evidence.differences import run as differences
from mindport.evidence.official import page as official
from mindport.evidence.official import rows as official_rows
from mindport.inference import torchfacts
from mindport.report.api_card import MEASURED
from mindport.report.atlas_model import MEANS, STANDINGS, Atlas, AtlasPage
from mindport.report.atlas_text import anchor, bar, code, inline, short, slug, text
from mindport.report.html import TEMPLATES
from mindport.report.operator import operators

MODES = {
    "inlined": "One expression, written in place.", "renamed": "Another name, in place.", "vendored": "A function or class of the module that is copied into the project.",
    "constant": "Replaced by its value.",
}  # fmt: skip


class Pages:
    """All pages of an atlas of some names, which are all of the catalog's by default."""

    def __init__(self, atlas: Atlas, names: Iterable[str] | None = None) -> None:
        self.atlas = atlas
        self.names = sorted(names if names is not None else atlas.catalog.names())
        self.standing = {name: atlas.standing(name) for name in self.names}
        self.paths = dict(_paths(self.names, {name for name, s in self.standing.items() if s == "absent"}, atlas))
        environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=False, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        environment.filters.update(md=text, code=code, inline=inline, short=short, slug=slug, anchor=anchor, blank=lambda n: str(n or ""))
        environment.globals.update(
            bar=bar, MODES=MODES, namespace_path=_namespace_path, path=self.paths.get, versions=list(atlas.targets),
            number=lambda loop, page: f" of overload {loop.index}" if loop.length > 1 else "", operators=lambda name: [name] if name in operators() else [],
        )  # fmt: skip
        self._environment = environment

    def files(self) -> Iterator[tuple[str, str]]:
        """Every page's path and text."""
        named: dict[str, list[AtlasPage]] = {}
        for name in self.names:
            page = self.atlas.page(name)
            page.related[:] = [r for each in page.related if (r := each.only(self.paths)).names]
            named.setdefault(page.namespace, []).append(page)
            if not page.absent:
                yield self.paths[name], self._render("atlas_api.md.j2", page=page)
        counts = {namespace: self._counts(page.name for page in pages) for namespace, pages in named.items()}
        for namespace, pages in named.items():
            yield _namespace_path(namespace), self._namespace(namespace, pages, counts[namespace])
        most = sorted(counts.items(), key=lambda told: (-told[1].total(), told[0]))
        total = self._counts(self.names)
        yield "index.md", self._render("atlas_index.md.j2", total=len(self.names), torch=torchfacts.version(), mindspore=self.atlas.mindspore, counts=total, namespaces=most, means=MEANS)
        yield "coverage.md", self._render("atlas_coverage.md.j2", mindspore=self.atlas.mindspore, counts=total, namespaces=sorted(counts.items()), means=MEANS)
        yield from self._measured()

    def _measured(self) -> Iterator[tuple[str, str]]:
        """The pages that the evidence itself writes, made from the data again. Their tables name everything: the search leaves them out."""
        for path, written in self._told_by_evidence():
            yield path, f"---\nsearch:\n  exclude: true\n---\n{written}"

    def _told_by_evidence(self) -> Iterator[tuple[str, str]]:
        evidence = self.atlas.evidence[self.atlas.mindspore]
        yield "evidence.md", evidence_page.index(evidence)
        yield "open.md", evidence_page.open_page(evidence)
        yield "opinfo.md", opinfo.page(opinfo.standings(evidence))
        told = official_rows.read(official_rows.path(MEASURED, self.atlas.mindspore))
        yield "official-table.md", official.page(official_rows.rows(), told)
        yield "differences.md", differences.page(self.atlas.difference_results)

    def linked(self, written: str) -> str:
        """A page of the evidence with the names in it linked."""

        def link(found: re.Match[str]) -> str:
            path = self.paths.get(found.group(1))
            return f"[{found.group(0)}]({path})" if path else found.group(0)

        return re.sub(r"(?<!\[)`((?:torch|torchvision)\.[\w.]+)`", link, written)

    def _namespace(self, namespace: str, pages: list[AtlasPage], counts: Counter[str]) -> str:
        written = [(p.name, p.standing, p.card.entries[0].becomes) for p in pages if not p.absent]
        missing = [(p.name, p.card.entries[0].why, p.card.entries[0].rung) for p in pages if p.absent]
        return self._render(
            "atlas_namespace.md.j2", namespace=namespace, total=len(pages), counts=counts, written=written, missing=missing,
            meaning=MEANS["absent"].partition(";")[0],
        )  # fmt: skip

    def _counts(self, names: Iterable[str]) -> Counter[str]:
        found = Counter({standing: 0 for standing in STANDINGS})
        found.update(self.standing[name] for name in names)
        return found

    def _render(self, template: str, **values: object) -> str:
        return re.sub(r"\n{3,}", "\n\n", self._environment.get_template(template).render(**values))


def _namespace_path(namespace: str) -> str:
    return f"namespace/{namespace}.md"


def _paths(names: list[str], absent: set[str], atlas: Atlas) -> Iterator[tuple[str, str]]:
    """Where each name is told about; file names differ in more than their case."""
    taken: set[str] = set()
    for name in names:
        if name in absent:
            yield name, f"{_namespace_path(atlas.namespace(name))}#{anchor(name)}"
            continue
        file = name
        while file.lower() in taken:
            file += "_"
        taken.add(file.lower())
        yield name, f"api/{file}.md"
