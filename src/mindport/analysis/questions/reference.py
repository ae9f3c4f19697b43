"""A1–A3: whether this is a reference to port from, by the guide's four criteria, from the repository itself."""

from __future__ import annotations

import re

from mindport.analysis import torch_names
from mindport.analysis.answers import Answer, Quote, Section, Table
from mindport.analysis.candidates import candidates
from mindport.analysis.documents import Line, links, readme_lines, results
from mindport.analysis.git_history import history
from mindport.analysis.subject import MOST_QUOTED, Subject

LETTER = "A"
#: (kind, words that its text has): the first that fits.
_LICENCES = (
    ("Apache-2.0", r"apache license"), ("AGPL-3.0", r"gnu affero general public license"), ("LGPL", r"gnu lesser general public license"),
    ("GPL-3.0", r"gnu general public license\s+version 3"), ("GPL", r"gnu general public license"), ("MPL-2.0", r"mozilla public license"),
    ("BSD-3-Clause", r"neither the name"), ("BSD-2-Clause", r"redistributions? in binary form"), ("MIT", r"\bmit license\b|permission is hereby granted, free of charge"),
    ("CC-BY-NC", r"attribution-noncommercial|cc[ -]by[ -]nc"), ("CC-BY", r"creative commons attribution"), ("Unlicense", r"unlicense"),
)  # fmt: skip
_OFFICIAL = re.compile(r"\bofficial\b[^.|]{0,60}\b(implementation|code|repo(sitory)?|release|pytorch|project)\b|\bthis (repo(sitory)?|project|code)\b[^.|]{0,40}\b(accompanies|is the (code|implementation) (for|of) (our|the) paper)|\bour paper\b|code for our\b|\bwe (propose|introduce|present|release)\b", re.I)
_UNOFFICIAL = re.compile(r"\b(un-?official|non-?official|re-?implementation|re-?implement\w*|not (an )?official)\b", re.I)
_PAPER = re.compile(r"arxiv\.org/(?:abs|pdf|html)/|openreview\.net/|openaccess\.thecvf\.com|papers\.nips\.cc|aclanthology\.org|aclweb\.org|doi\.org/(?!10\.5281/)", re.I)
_BUILD = (
    "No reference implementation was found, so the guide's third way is left: build the network from the paper. "
    "1. Write down the structure table (input, stages, channels, shapes) and the training recipe (rows B) from the paper. "
    "2. Take the nearest existing MindSpore model (rows C) as the base. 3. Build and test part by part against shapes and parameter counts that the paper gives. "
    "4. Agree with the authors or the owner of the requirement on the accuracy to reach, because there is nothing to compare with."
)


def section(subject: Subject) -> Section:
    """The four criteria, each with what shows it; candidates where several are given; the way without any."""
    if not subject.files:
        answer = Answer("A3", "No reference implementation", "not found", "there is no Python code here", (), _BUILD, "无参考实现")
        return Section(LETTER, "Reference and structure", "参考实现与结构", (answer,))
    lines = list(readme_lines(subject))
    authors, kept, used = _authors(lines), _history(subject), _pytorch(subject)
    figures = _results(subject)
    answers = [_licence(subject), authors, kept, used, figures]
    holding = [a.title for a in (authors, kept, used, figures) if a.status == "found"]
    answers.append(
        Answer(
            "A1", "Verdict on the reference", "found" if holding else "not found",
            "shown by the repository: " + "; ".join(holding) if holding else "none of the four criteria is shown by the repository itself",
            tuple(q for a in (authors, kept, used, figures) for q in a.quotes[:1]),
            "Stars and forks are not in the repository: look at its page for the criterion of wide use.", "参考实现结论",
        )
    )  # fmt: skip
    ranked = candidates(subject)
    parts: tuple[Table, ...] = ()
    if len(ranked) > 1:
        rows = tuple((str(rank), c.folder, f"{c.networks} network classes, {c.trains} training calls", c.why, f"{c.place.path}:{c.place.line}") for rank, c in enumerate(ranked, 1))
        parts = (Table("Candidates", ("rank", "folder", "holds", "why this rank", "place"), rows),)
        answers.append(Answer("A1", "Candidates", "found", f"{len(ranked)} folders hold projects of their own; first: {ranked[0].folder}", tuple(c.place for c in ranked), zh="候选排序"))
    return Section(LETTER, "Reference and structure", "参考实现与结构", tuple(answers), parts)


def _licence(subject: Subject) -> Answer:
    for path in subject.others:
        name = path.name.lower()
        if path.parent == subject.root and re.match(r"(licen[sc]e|copying|unlicense)", name) and path.stat().st_size < 200_000:
            text = path.read_text("utf-8", "replace")
            flat = " ".join(text.lower().split())
            kind = next((kind for kind, words in _LICENCES if re.search(words, flat)), "a licence of its own")
            quote = Quote(path.relative_to(subject.root).as_posix(), 1, (text.splitlines() or [""])[0].strip()[:MOST_QUOTED])
            advice = "A port is a derived work: keep its notice, and publish under a compatible licence." if "GPL" in kind or "NC" in kind else "Keep its notice in the port."
            return Answer("A1", "Licence", "found", kind, (quote,), advice, "许可证")
    return Answer("A1", "Licence", "not found", "no licence file at the root", (), "Without a licence nobody may publish a port: ask the authors.", "许可证")


def _authors(lines: list[Line]) -> Answer:
    claims = [line for line in lines if _OFFICIAL.search(line.text) and not _UNOFFICIAL.search(line.text)]
    denials = [line for line in lines if _UNOFFICIAL.search(line.text)]
    papers = [line for line in lines if _PAPER.search(line.text)]
    first = papers[0] if papers else None
    paper = next((link for link in links(first.text) if _PAPER.search(link)), "") if first else ""
    quotes = tuple(dict.fromkeys(line.quote for line in [*denials[:3], *claims[:3], *papers[:4]]))
    told = f"; first paper linked: {paper}" if paper else ""
    if denials and denials[0].path == (claims[0].path if claims else denials[0].path) and (not claims or denials[0].number <= claims[0].number):
        return Answer("A1", "The authors' own", "not found", "the text says it is not the authors' own or a re-implementation" + told, quotes, zh="作者官方")
    if claims:
        return Answer("A1", "The authors' own", "claimed only", "the text claims it" + told, quotes, "Compare the repository's owner with the paper's authors.", "作者官方")
    return Answer("A1", "The authors' own", "unknown" if papers else "not found", ("a paper is linked, authorship is not claimed" + told) if papers else "no claim and no paper linked", quotes, zh="作者官方")


def _history(subject: Subject) -> Answer:
    found = history(subject.root)
    if found is None:
        return Answer("A1", "Kept up", "unknown", "no git metadata beside the files", (), "Look at the date of the last commit and at open issues on its page.", "维护情况")
    return Answer("A1", "Kept up", "found", found.said, found.quotes, zh="维护情况")


def _pytorch(subject: Subject) -> Answer:
    quotes = []
    for file, known in subject.facts.items():
        first = min((u.node for u in known.uses if u.name.startswith(torch_names.TORCH)), key=lambda n: n.lineno, default=None)
        if first is not None:
            quotes.append(subject.quote(file, first))
    share = f"{len(quotes)} of {len(subject.files)} Python files use PyTorch"
    return Answer("A1", "Written in PyTorch", "found" if quotes else "not found", share, tuple(quotes[:12]), zh="使用 PyTorch")


def _results(subject: Subject) -> Answer:
    found = list(results(subject))
    value = "; ".join(f"{r.of + ': ' if r.of else ''}{r.metric} {r.value}" for r in found[:8])
    return Answer("A1", "Results are stated", "found" if found else "not found", value or "no table or sentence of the documents gives a figure", tuple(dict.fromkeys(r.line.quote for r in found))[:20], zh="结果指标")


