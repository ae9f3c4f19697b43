"""The report as Markdown: for a pull request's comment or an issue."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.analysis.api import VERDICTS
from mindport.report.model import Found, Report, Share, severity, where

#: A comment holds 65,536 characters on GitHub; the rest is in the other forms.
MOST_FINDINGS = 200
#: Places of one finding that a row shows.
MOST_PLACES = 3


def render(report: Report) -> str:
    """Markdown text: answer, totals, files, findings worst first."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    totals, project = report.totals, report.project
    yield f"# {report.answer}: {cell(project.name)} on MindSpore {project.mindspore}"
    yield ""
    for reason in report.reasons:
        yield f"- {cell(reason)}"
    yield ""
    yield "| ready | of | unit |"
    yield "| ---: | ---: | --- |"
    for unit, share in shares(report):
        yield f"| {share.ready} ({share.percent:.1f} %) | {share.total} | {unit} |"
    yield ""
    yield "| verdict | uses | meaning |"
    yield "| --- | ---: | --- |"
    for verdict, count in totals.by_verdict.items():
        yield f"| {verdict} | {count} | {VERDICTS[verdict]} |"  # type: ignore[index]
    yield ""
    yield "| file | lines | uses ready | worst risk |"
    yield "| --- | ---: | ---: | --- |"
    for file in sorted(report.files, key=lambda f: (severity(f.worst), f.path)):
        yield f"| {_code(file.path)} | {file.lines} | {file.calls.ready} of {file.calls.total} | {file.worst or 'none'} |"
    found = report.found()
    if not found:
        return
    yield ""
    yield "| risk | place | finding |"
    yield "| --- | --- | --- |"
    groups: dict[tuple[str, str, str], list[Found]] = {}
    for item in found:
        api = getattr(item, "api", "")
        said = f"{_code(api)}: " if api and api not in item.message else ""
        groups.setdefault((str(item.risk), str(item.code), said + cell(item.message)), []).append(item)
    for (risk, code, said), items in list(groups.items())[:MOST_FINDINGS]:
        places = list(dict.fromkeys(_code(f"{item.path} {where(item)}" if item.cell else f"{item.path}:{item.line}") for item in items))
        more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
        yield f"| {risk} | {', '.join(places[:MOST_PLACES])}{more} | {code} {said} |"
    if len(groups) > MOST_FINDINGS:
        yield ""
        yield f"{sum(len(items) for items in list(groups.values())[MOST_FINDINGS:])} more findings: `mindport scan --format json`."


def shares(report: Report) -> list[tuple[str, Share]]:
    """The four units in which readiness is told, never one alone."""
    totals = report.totals
    return [
        ("uses of APIs", totals.calls), ("distinct APIs", totals.apis), ("lines with uses", totals.lines), ("files", totals.files),
    ]  # fmt: skip


def cell(text: str) -> str:
    """Text that stays in its table cell and starts no markup."""
    for mark in ("\\", "|", "<", ">", "*", "_", "`", "[", "]", "!", "#"):
        text = text.replace(mark, f"\\{mark}" if mark not in "<>" else {"<": "&lt;", ">": "&gt;"}[mark])
    return " ".join(text.split())


def _code(text: str) -> str:
    """Text in a code span that it cannot end."""
    text = " ".join(text.split()).replace("|", "\\|")
    fence = "`" * (max((len(run) for run in "".join(c if c == "`" else " " for c in text).split()), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
