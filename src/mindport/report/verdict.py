"""The first screen of an analysis: go or not and why, risks in the order of their danger, effort, order of work."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mindport.findings import CODES, RISKS, Risk
from mindport.report.model import Answer, Found, Report, Row
from mindport.report.porting_order import porting_order
from mindport.source.file import SourceFile

#: Hours of the first place of a kind (code and API), and of each further one, by effort class. A kind is
#: solved once; its other places repeat the solution. Estimates, stated with the figure they give.
_HOURS: dict[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "minutes": ((0.1, 0.5), (0.02, 0.1)), "hours": ((1.0, 6.0), (0.1, 0.5)), "days": ((8.0, 24.0), (0.2, 1.0)),
}  # fmt: skip
#: Reading through what was converted: hours for a hundred uses. Comparing with the reference: once.
_REVIEW, _COMPARE = (0.2, 0.6), (4.0, 12.0)
_MOST_KINDS = 6
#: The code of uses of libraries built on PyTorch: what is missing is the library, whatever the number of its uses.
LIBRARY = "MP108"
#: Codes whose titles do not say what is missing, and how much of a message the first screen can take.
_SAYS_LITTLE, _MOST_SAID = ("MP101", "MP102", "MP106"), 100


class Danger(msgspec.Struct, frozen=True):
    """Findings of one risk: how many, of how many kinds, and the most frequent kinds with a place of each."""

    risk: Risk
    places: int
    kinds: int
    examples: list[str]


class Effort(msgspec.Struct, frozen=True):
    """Hours from `low` to `high`; `rationale` says what is counted and at which rate."""

    low: int
    high: int
    rationale: list[str]


class Step(msgspec.Struct, frozen=True):
    """A file in the order of work; `needs`: the project's files that it imports; `open`: its findings, style aside."""

    path: str
    lines: int
    uses: int
    open: int
    needs: list[str]


class Verdict(msgspec.Struct, frozen=True):
    """Go, go with work, or blocked; why, in at most four lines."""

    answer: Answer
    why: list[str]
    dangers: list[Danger]
    effort: Effort
    order: list[Step]


def verdict(report: Report, files: Sequence[SourceFile]) -> Verdict:
    """What to decide from, all of it counted from the report's findings and the project's imports."""
    dangers = _dangers(report)
    effort = _effort(report)
    return Verdict(report.answer, _why(report, dangers, effort), dangers, effort, _order(report, files))


def _kind(item: Found) -> tuple[str, str]:
    """What is solved once: a code and an API; for a library whose source is not here, the library."""
    api = item.api if isinstance(item, Row) else ""
    return (item.code or "", api.partition(".")[0] if item.code == LIBRARY else api)


def _dangers(report: Report) -> list[Danger]:
    made = []
    for risk in RISKS:
        kinds: dict[tuple[str, str], list[Found]] = {}
        for item in report.found():
            if item.risk == risk:
                kinds.setdefault(_kind(item), []).append(item)
        if kinds:
            often = sorted(kinds.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:_MOST_KINDS]
            examples = [f"{api or _said(code, items)} ({code}) ×{len(items)}, {items[0].path}:{items[0].line}" for (code, api), items in often]
            made.append(Danger(risk, sum(len(items) for items in kinds.values()), len(kinds), examples))
    return made


def _said(code: str, items: list[Found]) -> str:
    """What findings without an API of their own are about: what the first says, where the code's title only says that something is missing."""
    first = items[0].message.partition(":")[0]
    return first if code in _SAYS_LITTLE and len(first) <= _MOST_SAID else CODES[code].title


def _effort(report: Report) -> Effort:
    kinds: dict[tuple[str, str], int] = {}
    seen: set[tuple[str, str]] = set()
    for item in report.found():
        named = (item.code or "", item.api if isinstance(item, Row) else "")
        if item.risk == "style" or (item.code == LIBRARY and named in seen):
            continue  # a library's function is brought along once, wherever it is called
        seen.add(named)
        kinds[_kind(item)] = kinds.get(_kind(item), 0) + 1
    if not report.rows:
        return Effort(0, 0, ["no use of PyTorch was found: nothing to port"])
    low = high = 0.0
    rationale = []
    for name, (first, further) in _HOURS.items():
        of_class = [count for (code, _), count in kinds.items() if code in CODES and CODES[code].effort == name]
        if of_class:
            more = sum(of_class) - len(of_class)
            less, most = len(of_class) * first[0] + more * further[0], len(of_class) * first[1] + more * further[1]
            low, high = low + less, high + most
            others = f", their {more} further place{'s' * (more > 1)} at {further[0]:g}–{further[1]:g} h" if more else ""
            rationale.append(f"{_kinds(len(of_class))} of findings of the class “{name}” at {first[0]:g}–{first[1]:g} h{others}: {less:.1f}–{most:.1f} h")
    uses = report.totals.calls.total
    rationale.append(f"reading {uses:,} uses after conversion at {_REVIEW[0]:g}–{_REVIEW[1]:g} h for a hundred: {uses * _REVIEW[0] / 100:.1f}–{uses * _REVIEW[1] / 100:.1f} h")
    rationale.append(f"comparing layers, gradients and training with the reference, once: {_COMPARE[0]:g}–{_COMPARE[1]:g} h; training time itself is not counted")
    low += uses * _REVIEW[0] / 100 + _COMPARE[0]
    high += uses * _REVIEW[1] / 100 + _COMPARE[1]
    return Effort(round(low), max(round(high), round(low) + 1), rationale)


def _kinds(count: int) -> str:
    return f"{count} kind{'s' * (count != 1)}"


def _why(report: Report, dangers: list[Danger], effort: Effort) -> list[str]:
    if report.answer == "NOTHING TO PORT":
        return report.reasons[:3]
    calls = report.totals.calls
    why = [f"{calls.percent:.0f} % of {calls.total:,} uses of PyTorch need no work."]
    counted = [f"{danger.places} {danger.risk} ({_kinds(danger.kinds)})" for danger in dangers if danger.risk != "style"]
    worst = next((danger for danger in dangers if danger.risk != "style"), None)
    if report.answer != "BLOCKED" and any(item.risk == "blocker" for item in report.found()):
        why.append(report.reasons[0][:1].upper() + report.reasons[0][1:] + ".")
    why.append("To do: " + ", ".join(counted) + f"; first {worst.examples[0]}." if worst else "No finding asks for work before it runs.")
    why.append(f"Effort: {effort.low}–{effort.high} hours, training time aside.")
    return why


def _order(report: Report, files: Sequence[SourceFile]) -> list[Step]:
    summaries = {summary.path: summary for summary in report.files}
    made = []
    for file, needs in porting_order(files):
        path = str(file.relative)
        summary = summaries.get(path)
        if summary is None or not summary.calls.total:
            continue
        open_ones = sum(count for risk, count in summary.by_risk.items() if risk != "style")
        made.append(Step(path, summary.lines, summary.calls.total, open_ones, [each for each in needs if each in summaries and summaries[each].calls.total]))
    return made
