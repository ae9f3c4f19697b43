"""E1, E2, E5 and G1: APIs of the network apart from those of data, what data code needs no framework for, other libraries, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mindport.analysis import torch_names
from mindport.analysis.answers import Answer, Quote, Section, Table
from mindport.analysis.api import Assessment
from mindport.analysis.data_processing import without_framework
from mindport.analysis.subject import Subject, in_tests

LETTER = "E"
_OPEN = ("missing", "refused", "unresolved", "third party")
_NAMED = {"network": "in the network", "data": "in data processing", "other": "elsewhere"}
_MOST_NAMED = 6


def section(subject: Subject) -> Section:
    """Counts by region, a table of advice for data code, libraries to look into by hand, and the missing APIs with what to do."""
    uses = [a for a in subject.assessments if not in_tests(a.file.relative)]
    if not uses:
        return Section(LETTER, "API compliance", "接口合规")
    answers, parts = [_regions(subject, uses)], []
    for answer, table in (_data(subject, uses), _libraries(subject, uses), _missing(subject, uses)):
        answers.append(answer)
        parts += [table] if table.rows else []
    return Section(LETTER, "API compliance", "接口合规", tuple(answers), tuple(parts))


def _regions(subject: Subject, uses: Sequence[Assessment]) -> Answer:
    """E1: only what the network runs has to exist in MindSpore."""
    told, quotes = [], []
    for region, name in _NAMED.items():
        here = [a for a in uses if a.region == region]
        still = [a for a in here if a.verdict in _OPEN]
        if here:
            told.append(f"{len(here)} uses {name}" + (f", {len(still)} of them open" if still else ", none open"))
        quotes += [subject.quote(a.file, a.node) for a in (still or here)[:4]]
    advice = "What the network runs has to exist in MindSpore; data processing can work on NumPy arrays (E2)."
    return Answer("E1", "Network and data", "found", "; ".join(told), tuple(dict.fromkeys(quotes)), advice, "网络与数据处理接口")


def _data(subject: Subject, uses: Sequence[Assessment]) -> tuple[Answer, Table]:
    """E2: each API of data code with the NumPy, OpenCV or PIL call that does it."""
    places: dict[str, list[Quote]] = {}
    instead: dict[str, str] = {}
    for a in uses:
        if a.region == "data" and (text := without_framework(a.api, torch_names.COMPUTING)):
            instead[a.api] = text
            places.setdefault(a.api, []).append(subject.quote(a.file, a.node))
    rows = tuple((api, str(len(found)), instead[api], f"{found[0].path}:{found[0].line}") for api, found in sorted(places.items(), key=lambda item: -len(item[1])))
    count = sum(len(found) for found in places.values())
    said = f"{count} calls of {len(places)} APIs need no framework: {', '.join(f'{api} → {instead[api]}' for api in list(places)[:_MOST_NAMED])}" if places else "no tensor is computed in data code"
    answer = Answer(
        "E2", "Data without a framework", "found" if places else "not found", said, tuple(q for found in places.values() for q in found[:3])[:40],
        "Worker processes of a MindSpore pipeline are faster with arrays; hand the network the result." if places else "", "数据处理接口替换",
    )  # fmt: skip
    return answer, Table("Data processing without a framework", ("API", "calls", "instead", "first place"), rows)


def _libraries(subject: Subject, uses: Sequence[Assessment]) -> tuple[Answer, Table]:
    """E5: what other libraries do with tensors, which no table of PyTorch answers."""
    found: dict[str, list[Assessment]] = {}
    for a in uses:
        if a.verdict == "third party":
            found.setdefault(a.api, []).append(a)
    rows = tuple((api, str(len(these)), these[0].region, f"{these[0].file.relative}:{these[0].node.lineno}") for api, these in sorted(found.items(), key=lambda item: -len(item[1])))
    libraries = Counter(api.partition(".")[0] for api, these in found.items() for _ in these)
    said = ", ".join(f"{name} ×{count}" for name, count in libraries.most_common(_MOST_NAMED)) or "none takes or gives tensors"
    quotes = tuple(subject.quote(a.file, a.node) for these in found.values() for a in these[:2])[:30]
    answer = Answer("E5", "Calls of other libraries", "found" if found else "not found", said, quotes, "Put a library's source beside the project and analyse both: its calls are then followed." if found else "", "其他库的接口")
    return answer, Table("Other libraries", ("API", "calls", "region", "first place"), rows)


def _missing(subject: Subject, uses: Sequence[Assessment]) -> tuple[Answer, Table]:
    """G1: what has no equivalent, each with its rung: another API, a composition, a custom operator, the community."""
    found: dict[str, list[Assessment]] = {}
    for a in uses:
        if a.verdict in ("missing", "refused"):
            found.setdefault(a.api, []).append(a)
    rows = tuple(
        (api, str(these[0].rung), these[0].region, str(len(these)), these[0].message[:200], f"{these[0].file.relative}:{these[0].node.lineno}")
        for api, these in sorted(found.items(), key=lambda item: (item[1][0].region != "network", -len(item[1])))
    )
    network = sum(these[0].region == "network" for these in found.values())
    said = f"{len(found)} API{'s' * (len(found) != 1)}, {network} of them in the network: {', '.join(list(found)[:_MOST_NAMED])}" if found else "every API has an equivalent"
    quotes = tuple(subject.quote(a.file, a.node) for these in found.values() for a in these[:2])[:30]
    advice = "mindport api NAME says what is known; mindport issue NAME drafts the question for the community." if found else ""
    return Answer("G1", "Missing APIs", "found" if found else "not found", said, quotes, advice, "缺失接口处理"), Table("Missing APIs", ("API", "rung", "region", "places", "why", "first place"), rows)
