"""A project → its report: facts, verdicts, totals, and the answer in one word."""

from __future__ import annotations

import ast
import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import mindport
from mindport import catalog as knowledge
from mindport.analysis.api import READY, VERDICTS, Assessment, Status, assess
from mindport.analysis.judgement import Judge, JudgeUnknown
from mindport.analysis.subject import Subject
from mindport.findings import CODES, RISKS, Finding, defect
from mindport.inference.facts import Facts
from mindport.report.model import (
    Answer,
    Cell,
    FileSummary,
    Found,
    Problem,
    Project,
    Report,
    Row,
    Share,
    Totals,
    found,
    severity,
)
from mindport.report.quote import visible
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile

if TYPE_CHECKING:
    from mindport.inference import Project as Inference

#: A quoted source line is cut here; nobody reads more, and generated files hold megabytes in a line.
MOST_QUOTED = 200
#: The code of places whose receiver's type is unknown.
UNKNOWN = "MP105"


@contextmanager
def collection_paused() -> Iterator[None]:
    """No garbage collection inside: syntax trees and facts stay alive to the end, and walking through
    their millions of objects to find none that could go took a third of a scan.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def scan(
    discovery: Discovery, paths: Sequence[str] = (), mindspore: str = "2.10.0", device: str = "cpu",
    progress: Callable[[SourceFile], None] = lambda file: None,
) -> Report:  # fmt: skip
    """Read a discovered project's facts and judge every use. Reads only; imports no framework."""
    with collection_paused():
        reading = read(discovery, paths, mindspore, device, progress)
        assessments = list(assess(reading.facts, reading.judge, reading.status, reading.unknown))
        subject = Subject(discovery.root, reading.facts, reading.inference, reading.catalog, others=discovery.others)
        return report(reading.about, reading.facts, assessments, reading.findings, aside(subject, assessments, reading.findings))


@dataclass(frozen=True)
class Reading:
    """A project that has been read and judged: what every report on it starts from."""

    about: Project
    inference: Inference
    catalog: knowledge.Catalog
    facts: dict[SourceFile, Facts]
    judge: Judge
    unknown: JudgeUnknown
    status: Status
    findings: list[Finding]


def read(
    discovery: Discovery, paths: Sequence[str], mindspore: str, device: str, progress: Callable[[SourceFile], None]
) -> Reading:
    """Facts, judge and evidence for a discovered project."""
    from mindport.convert.module_values import asked_of_values, names_in, words
    from mindport.convert.prepared import prepared
    from mindport.convert.written_dtypes import written_dtypes
    from mindport.evidence import store
    from mindport.inference import Project as Inference
    from mindport.report.crowded import said_of
    from mindport.report.judge import Rewritten, constructs, judge_unknown_with, judge_with
    from mindport.targets import load

    catalog = knowledge.load()
    files, project = prepared(discovery.files, Inference(discovery.files))
    discovery = replace(discovery, files=files)
    target = load(mindspore)
    findings = list(discovery.findings)

    def asked(file: SourceFile, project: Inference) -> tuple[Rewritten, list[Finding]]:
        if file.original is None:
            progress(file)
        known = project.facts(file)
        try:
            project.check(file)
            return constructs(file, known, catalog, target)
        except Exception as error:  # the rest of the project is judged all the same
            return Rewritten(), [defect(file.relative, error)]

    said = said_of(discovery.files, project, asked)
    facts = {file: project.facts(file) for file in discovery.files}
    rewritten = [here for here, _ in said]
    findings += [finding for _, found_in_file in said for finding in found_in_file if finding.code != UNKNOWN]  # these places are uses of their own
    if (written := written_dtypes(list(facts.items()))) is not None:
        rewritten.append(Rewritten(frozenset(id(use.node) for _, use in written.setting)))
        findings += written.told
    about = Project(
        discovery.root.name, list(paths), mindspore, device, mindport.__version__, len(catalog.entries)
    )  # fmt: skip
    named = cache(lambda: names_in(words(discovery.files, discovery.others), asked_of_values(tuple(facts.items()))))
    judge = judge_with(catalog, Rewritten.joined(rewritten), names=lambda module: named()(module))
    return Reading(about, project, catalog, facts, judge, judge_unknown_with(catalog, target), store.load(device, mindspore).status, findings)


@dataclass(frozen=True)
class Aside:
    """What the project trains without: `programs`, by path, files of `libraries` that it takes along, and `places` that its settings leave out, (path, line) → the setting."""

    programs: frozenset[str] = frozenset()
    libraries: frozenset[str] = frozenset()
    places: Mapping[tuple[str, int], str] = field(default_factory=dict)


def aside(subject: Subject, assessments: Iterable[Assessment], findings: Iterable[Finding]) -> Aside:
    """The programs that training does not need, and the blockers that only a setting asks for which no run of the project gives; nothing where nothing blocks.

    `findings`: those of reading the files; what is known of each file has its own.
    """
    from mindport.analysis.recipe.conditions import Conditions

    told = [each for each in (*findings, *(each for known in subject.facts.values() for each in known.findings)) if each.risk == "blocker"]
    blocked = [each for each in assessments if each.risk == "blocker"]
    if not told and not blocked:
        return Aside()
    programs = frozenset(str(file.relative) for file in subject.files if not file.library and subject.programs.not_needed(file))
    libraries = frozenset(str(file.relative) for file in subject.files if file.library)
    files = {file.relative: file for file in subject.files}
    blocking = [(each.file, each.node.lineno, each.node.col_offset) for each in blocked]
    blocking += [(files[each.path], each.span.line, each.span.column) for each in told if each.span is not None and each.path in files]
    conditions = Conditions(subject, subject.follower)
    found = {(str(file.relative), line): conditions.off(file, ast.Pass(lineno=line, col_offset=column)) for file, line, column in blocking if str(file.relative) not in programs | libraries}
    return Aside(programs, libraries, {place: why for place, why in found.items() if why})


def report(
    about: Project, facts: Mapping[SourceFile, Facts], assessments: Iterable[Assessment], findings: Iterable[Finding] = (),
    apart: Aside | None = None,
) -> Report:
    """The report on files whose facts are known; `findings` are those of reading the files. `apart`: what the project trains without."""
    rows = [_row(assessment) for assessment in assessments]
    files = {str(file.relative): file for file in facts}
    problems = [_problem(finding, files) for finding in findings]
    for known in facts.values():
        problems += [_problem(finding, files) for finding in known.findings]
    problems = sorted(set(problems), key=lambda p: (p.path, p.line, p.column, p.code, p.message))
    summaries = _summaries(files, rows, problems)
    totals = _totals(files, summaries, rows, problems)
    answer, reasons = _answer(totals, rows, problems, apart or Aside())
    return Report(about, answer, reasons, totals, summaries, rows, problems)


def _blocked_apart(items: Sequence[Found], apart: Aside) -> str:
    """Where blockers stand in programs alone that training does not need, in libraries, or where no run of the project comes."""
    names = sorted({item.path for item in items if item.path in apart.programs})
    carried = sorted({item.path for item in items if item.path in apart.libraries})
    rest = [item for item in items if item.path not in apart.programs | apart.libraries]
    why = sorted({apart.places[place] for item in rest if (place := (item.path, item.line)) in apart.places})
    places = sorted({f"{item.path}:{item.line}" for item in rest})
    said = [f"{', '.join(names[:3])}{' …' * (len(names) > 3)}, which training does not need"] * bool(names)
    said += [f"in what a library does where it is asked to ({', '.join(carried[:3])}{' …' * (len(carried) > 3)})"] * bool(carried)
    said += [f"where somebody asks for it ({', '.join(why[:3])}{' …' * (len(why) > 3)}): {', '.join(places[:3])}{' …' * (len(places) > 3)}"] * bool(places)
    return "blocked: only " + "; and ".join(said)


def quoted(text: str) -> str:
    """A source line as a report shows it."""
    text = visible(text.strip())
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"


def _row(a: Assessment) -> Row:
    span = a.file.span(a.node)
    return Row(
        str(a.file.relative), span.line, span.column + 1, span.end_line, span.end_column + 1, a.scope, a.api, a.kind,
        a.region, a.verdict, a.certainty, a.evidence, a.rung, a.code, a.risk, visible(" ".join(a.message.split())),
        quoted(a.file.as_written.line(span.line)), a.entry.place if a.entry else "",
        _cell(a.file, span.line),
    )  # fmt: skip


def _problem(finding: Finding, files: Mapping[str, SourceFile]) -> Problem:
    path = str(finding.path)
    line = finding.span.line if finding.span else 1
    column = finding.span.column + 1 if finding.span else 1
    file = files.get(path)
    text = quoted(file.as_written.line(line)) if file is not None and finding.span else ""
    message = visible(" ".join(finding.message.split()))
    cell = _cell(file, line) if file is not None else None
    return Problem(path, line, column, finding.code, finding.risk, message, visible(finding.advice), text, cell)


def _cell(file: SourceFile, line: int) -> Cell | None:
    place = file.cell_place(line)
    return Cell(*place) if place is not None else None


def _summaries(files: Mapping[str, SourceFile], rows: list[Row], problems: list[Problem]) -> list[FileSummary]:
    calls: Counter[str] = Counter(row.path for row in rows)
    ready: Counter[str] = Counter(row.path for row in rows if row.verdict in READY)
    risks: dict[str, Counter[str]] = {path: Counter() for path in files}
    for item in found(rows, problems):
        risks.setdefault(item.path, Counter())[str(item.risk)] += 1
    summaries = []
    for path in sorted(risks):
        counted = risks[path]
        worst = next((risk for risk in RISKS if counted[risk]), None)
        lines = files[path].as_written.line_count if path in files else 0
        by_risk = {str(risk): counted[risk] for risk in RISKS if counted[risk]}
        summaries.append(FileSummary(path, lines, Share(ready[path], calls[path]), by_risk, worst))
    return summaries


def _totals(
    files: Mapping[str, SourceFile], summaries: list[FileSummary], rows: list[Row], problems: list[Problem]
) -> Totals:
    verdicts: Counter[str] = Counter(row.verdict for row in rows)
    items = found(rows, problems)
    risks: Counter[str] = Counter(item.risk for item in items if item.risk)
    efforts: Counter[str] = Counter(CODES[item.code].effort for item in items if item.code)
    evidence = Counter(row.evidence for row in rows if row.evidence)
    concerned = [s for s in summaries if s.calls.total or s.by_risk]
    troubled = {problem.path for problem in problems if problem.risk != "style"}
    return Totals(
        calls=Share(sum(row.verdict in READY for row in rows), len(rows)),
        apis=_share((row.api, row.verdict in READY) for row in rows),
        files=Share(sum(s.calls.ready == s.calls.total and s.path not in troubled for s in concerned), len(concerned)),
        lines=_share(((row.path, row.line), row.verdict in READY) for row in rows),
        source_lines=sum(file.as_written.line_count for file in files.values()),
        source_files=len(summaries),
        by_verdict={verdict: verdicts[verdict] for verdict in VERDICTS if verdicts[verdict]},
        by_risk={risk: risks[risk] for risk in RISKS if risks[risk]},
        by_region=dict(sorted(Counter(row.region for row in rows).items())),
        by_effort={effort: efforts[effort] for effort in ("days", "hours", "minutes", "none") if efforts[effort]},
        by_evidence=dict(sorted(evidence.items())),
    )


def _share(pairs: Iterable[tuple[object, bool]]) -> Share:
    """How many keys are ready at every place they stand."""
    ready: dict[object, bool] = {}
    for key, good in pairs:
        ready[key] = ready.get(key, True) and good
    return Share(sum(ready.values()), len(ready))


def _answer(totals: Totals, rows: list[Row], problems: list[Problem], apart: Aside) -> tuple[Answer, list[str]]:
    """One word, and at most three reasons, worst first."""
    if not totals.calls.total and not problems:
        return "NOTHING TO PORT", ["no PyTorch API is used in these files"]
    grouped: dict[tuple[str, str], Counter[str]] = {}
    for item in found(rows, problems):
        if item.risk and item.code and item.risk != "style":
            named = item.api if isinstance(item, Row) else item.path
            grouped.setdefault((item.risk, item.code), Counter())[named] += 1
    reasons = []
    for risk, code in sorted(grouped, key=lambda key: (severity(key[0]), -grouped[key].total()))[:3]:
        names = grouped[risk, code]
        most = ", ".join(name for name, _ in sorted(names.items(), key=lambda item: (-item[1], item[0]))[:3])
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        places = "1 place" if names.total() == 1 else f"{names.total():,} places"
        reasons.append(f"{risk}: {CODES[code].title} at {places} ({most}{more})")
    blocked = [item for item in found(rows, problems) if item.risk == "blocker"]
    if any(item.path not in apart.programs | apart.libraries and (item.path, item.line) not in apart.places for item in blocked):
        return "BLOCKED", reasons
    if blocked:
        return "GO WITH WORK", [_blocked_apart(blocked, apart), *reasons[:2]]
    if any(totals.by_risk.get(risk) for risk in ("silent", "loud")):
        return "GO WITH WORK", reasons
    return "GO", reasons or ["every use has an equivalent that agrees with torch"]
