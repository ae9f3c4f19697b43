"""API compliance: which of a project's PyTorch APIs exist in MindSpore, differ, or are missing.

Every use gets one verdict, and so does every place that may be a use and could not be resolved:
those count in the denominator, too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from mindport.analysis.handled import handler_line
from mindport.analysis.judgement import Judge, Judgement, JudgeUnknown
from mindport.analysis.regions import Region, Regions
from mindport.catalog import Entry
from mindport.findings import CODES, RISKS, Certainty, Risk
from mindport.inference.facts import Facts, Unresolved, Use
from mindport.inference.overlays.libraries import built_on_torch
from mindport.source.file import SourceFile

Verdict = Literal[
    "same", "equivalent", "packaged", "rewritten", "differs", "refused", "custom operator", "missing", "third party",
    "unresolved",
]  # fmt: skip
Rung = Literal["", "equivalent", "packaged", "custom operator", "community"]
Status = Callable[[Entry], str]

#: The verdicts and what each means, for people, best first.
VERDICTS: dict[Verdict, str] = {
    "same": "MindSpore has it: the name changes, or nothing does",
    "equivalent": "one MindSpore expression computes it",
    "packaged": "a small function or class, copied into the project, computes it",
    "rewritten": "the construct is written as MindSpore does it",
    "differs": "an equivalent exists and differs for these arguments",
    "refused": "an equivalent exists and refuses these arguments",
    "custom operator": "MindSpore offers nothing to build it from: write a custom operator",
    "missing": "no equivalent is known",
    "third party": "another library's API that is built on PyTorch",
    "unresolved": "it may be a PyTorch API; what it is could not be decided",
}
#: Verdicts after which nothing is left to do, as far as the evidence goes.
READY: frozenset[Verdict] = frozenset(("same", "equivalent", "packaged", "rewritten"))
#: The library whose APIs have equivalents.
ROOT = "torch"


@dataclass(frozen=True)
class Assessment:
    """The verdict on one use. `code` and `risk` are None where there is nothing to report."""

    file: SourceFile
    node: ast.expr
    api: str
    kind: str
    scope: str
    region: Region
    verdict: Verdict
    certainty: Certainty
    evidence: str
    rung: Rung
    message: str = ""
    code: str | None = None
    risk: Risk | None = None
    entry: Entry | None = None


def assess(
    facts: Mapping[SourceFile, Facts], judge: Judge, status: Status, unknown: JudgeUnknown, regions: Regions | None = None
) -> Iterator[Assessment]:
    """The verdicts on all uses of a project, file by file in the order of the text.

    `judge` says what a use becomes, `unknown` what a place does whose receiver's type is unknown, `status` what the evidence says about an entry.
    """
    regions = regions or Regions(facts)
    for file, known in facts.items():
        places: dict[int, list[Use]] = {}
        for use in known.uses:
            places.setdefault(id(use.node), []).append(use)
        found = [_place(file, known, uses, judge, status, regions) for uses in places.values()]
        found += [_unresolved(file, place, unknown(place, known), regions) for place in known.unresolved]
        yield from sorted(found, key=lambda a: (a.node.lineno, a.node.col_offset, a.node.end_col_offset or 0))


def _place(
    file: SourceFile, facts: Facts, uses: list[Use], judge: Judge, status: Status, regions: Regions
) -> Assessment:
    """One place counts once: where it may be several APIs, the worst of what they become stands for it."""
    found = [_use(file, facts, use, judge, status, regions) for use in uses]
    return min(found, key=lambda a: RISKS.index(a.risk) if a.risk else len(RISKS))


def _use(file: SourceFile, facts: Facts, use: Use, judge: Judge, status: Status, regions: Regions) -> Assessment:
    region = regions.of(file, use.scope)

    def made(
        verdict: Verdict, code: str | None, risk: Risk | None, message: str, certainty: Certainty = use.certainty,
        entry: Entry | None = None, evidence: str = "", rung: Rung = "",
    ) -> Assessment:  # fmt: skip
        return Assessment(
            file, use.node, use.name, use.kind, use.scope, region, verdict, certainty, evidence, rung, message, code,
            risk, entry,
        )  # fmt: skip

    judgement = judge(use, facts)
    if use.name.partition(".")[0] != ROOT and (judgement.entry is None or judgement.entry.kind == "absent"):
        risk, more = _in_its_place(file, use, CODES["MP108"].risk)
        why = judgement.entry.why if judgement.entry is not None else ""
        return made("third party", "MP108", risk, built_on_torch(use.name, why) + more, entry=judgement.entry)
    entry = judgement.entry
    evidence = status(entry) if entry is not None and entry.kind not in ("constant", "absent") else ""
    rung = _rung(judgement)
    if judgement.becomes == "left":
        verdict = _left(judgement)
        risk, more = _in_its_place(file, use, CODES[judgement.code].risk)
        return made(verdict, judgement.code, risk, judgement.why + more, entry=entry, evidence=evidence, rung=rung)
    if judgement.differs:
        worst, sure = min(judgement.differs, key=lambda d: (RISKS.index(d[0].risk), not d[1]))
        code = "MP109" if worst.when == "inplace" else "MP103"
        sentences = "; ".join(difference.what for difference, _ in judgement.differs)
        certainty: Certainty = "certain" if sure and use.certainty == "certain" else "likely"
        return made("differs", code, worst.risk, sentences, certainty, entry, evidence, rung)
    verdict = _READY_VERDICT[judgement.becomes]
    doubt, message = _evidence_code(use.name, evidence) if _computes(use, entry) and not judgement.unread else (None, "")
    return made(verdict, doubt, CODES[doubt].risk if doubt else None, message or judgement.why, entry=entry, evidence=evidence, rung=rung)


def _computes(use: Use, entry: Entry | None) -> bool:
    """Whether the evidence on an entry matters at the place: a class that is only named computes nothing,
    an attribute of a layer is as good as the layer, whose construction is reported, and what hands its argument
    back (``x.cuda()``) does nothing that could go wrong.
    """
    of_layer = use.kind in ("attribute", "store") and entry is not None and entry.kind == "layer"
    return use.kind not in ("type", "check") and not of_layer and not (entry is not None and entry.hands_back)


def _in_its_place(file: SourceFile, use: Use, risk: Risk) -> tuple[Risk, str]:
    """What it risks that a use is left, where it stands: an annotation runs nothing, and what a handler catches at once stops nobody."""
    if use.kind == "type":
        return "style", ""
    line = handler_line(file, use.node) if risk == "blocker" else None
    if line is None:
        return risk, ""
    return "silent", f"; the program goes on without it, by the handler in line {line}"


_READY_VERDICT: dict[str, Verdict] = {
    "same": "same", "inlined": "equivalent", "vendored": "packaged", "rewritten": "rewritten",
}  # fmt: skip


def _left(judgement: Judgement) -> Verdict:
    entry = judgement.entry
    if judgement.code == "MP106":
        return "unresolved"
    if entry is not None and entry.kind == "absent" and entry.rung == "custom operator":
        return "custom operator"
    return "missing" if judgement.code == "MP101" else "refused"


def _rung(judgement: Judgement) -> Rung:
    """The guide's policy: equivalent, packaged, custom operator, or ask the community."""
    if judgement.becomes == "left":
        if judgement.entry is not None and judgement.entry.kind == "absent":
            return judgement.entry.rung or "community"  # type: ignore[return-value]
        return "community" if judgement.code == "MP101" else ""
    return "packaged" if judgement.becomes == "vendored" else "equivalent"


def _evidence_code(name: str, evidence: str) -> tuple[str | None, str]:
    """What the evidence on an equivalent leaves to report."""
    match evidence:
        case "partial":
            return "MP110", f"the equivalent of {name} agrees with torch on part of the samples; mindport api {name} lists the others"
        case "documented" | "absent":
            known = "MindSpore's documentation names it, and no run confirms it" if evidence == "documented" else "no run confirms it"
            return "MP104", f"the equivalent of {name} is unverified: {known}"
    return None, ""


def _unresolved(file: SourceFile, place: Unresolved, judgement: Judgement, regions: Regions) -> Assessment:
    name = place.candidates[0] if len(place.candidates) == 1 else place.text
    others = " or ".join(place.candidates[:3]) + (" or others" if len(place.candidates) > 3 else "")
    message = f"this may be {others}: {place.why}" if others else place.why
    verdict: Verdict = "unresolved"
    code: str | None = "MP105"
    risk: Risk | None = judgement.risk or CODES["MP105"].risk
    if judgement.becomes == "same":
        verdict, code, risk = "same", None, None
    elif judgement.becomes == "vendored":
        verdict, risk, message = "packaged", "style", f"{message}; what it is decides when the program runs"
    elif judgement.why:
        message += f"; {judgement.why}"
    return Assessment(
        file, place.node, name, "unresolved", place.scope, regions.of(file, place.scope), verdict, "likely", "",
        "packaged" if verdict == "packaged" else "", message, code, risk, judgement.entry,
    )  # fmt: skip
