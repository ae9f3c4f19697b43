"""The report as one HTML file that needs nothing else: no network, no scripts of others.

Everything quoted from the project is escaped (jinja2's autoescape, and `visible` for control
characters); a Content-Security-Policy forbids every load, so that a hole in that is not enough.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from mindport.analysis.answers import Section
from mindport.analysis.api import READY, VERDICTS
from mindport.findings import CODES, RISKS
from mindport.report.groups import grouped
from mindport.report.markdown import shares
from mindport.report.model import FileSummary, Found, Report, Row, severity, where
from mindport.report.quote import visible
from mindport.report.treemap import squarified
from mindport.report.verdict import Verdict

TEMPLATES = Path(__file__).parent / "templates"
_MAP_WIDTH, _MAP_HEIGHT = 960, 340
#: Rectangles smaller than a few pixels tell nothing; the rest stand in the table.
_MOST_FILES_IN_MAP = 400
_MOST_FINDINGS_A_FILE = 500

RISK_MEANS = {
    "blocker": "the project cannot run on MindSpore before this is solved",
    "silent": "it runs and computes something else",
    "loud": "it raises an error",
    "style": "it works; a MindSpore user would write it otherwise",
}


def render(report: Report, sections: Sequence[Section] = (), verdict: Verdict | None = None) -> str:
    """The page's text; `verdict` and `sections` are an analysis' first screen and answers, which stand before the tables of APIs."""
    style, script = (_part("report.css"), _part("report.js"))
    return _environment().get_template("report.html.j2").render(
        report=report, sections=sections, verdict=verdict, style=Markup(style), script=Markup(script),
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src 'none'",
        shares=shares(report), verdicts=_verdicts(report), verdict_means=VERDICTS, risk_means=RISK_MEANS, risks=RISKS,
        ready=READY, map=_map(report.files), apis=grouped(report, "api"), files=_by_file(report), codes=CODES,
        most=_MOST_FINDINGS_A_FILE,
    )  # fmt: skip


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["visible"] = visible
    environment.filters["grouped_number"] = lambda number: f"{number:,}"
    environment.filters["breakable"] = breakable
    environment.filters["where"] = where
    environment.filters["safe_svg"] = Markup  # pictures are ours; their makers escape what they quote
    environment.tests["row"] = lambda item: isinstance(item, Row)
    return environment


#: Where a long name may go on in the next line: behind the marks that part names, and between the words of a class's name.
_BREAKS = re.compile(r"(?<=[/._=,·+*])(?=[\w(])|(?<=[a-z0-9]{3})(?=[A-Z][a-z])")
#: Shorter words fit.
_LONG = re.compile(r"(\S{15,})")


def breakable(text: str) -> Markup:
    """The text, escaped, with places where its long words may go on in the next line; copied, it is as it was."""
    parts = _LONG.split(visible(text))  # every second one is a long word
    return Markup("").join(Markup("<wbr>").join(_BREAKS.split(part)) if number % 2 else escape(part) for number, part in enumerate(parts))


@cache
def _part(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _verdicts(report: Report) -> list[dict[str, Any]]:
    """The stretches of the bar: verdict, count, left edge and width in per cent."""
    counts = report.totals.by_verdict
    total = sum(counts.values())
    parts, left = [], 0.0
    for verdict, count in counts.items():
        width = 100.0 * count / total
        parts.append({"verdict": verdict, "css": verdict.replace(" ", "-"), "count": count, "left": left, "width": width})
        left += width
    return parts


def _map(files: list[FileSummary]) -> Markup:
    """The treemap: a rectangle a file, area by lines, colour by worst risk, a link to its findings."""
    largest = sorted((f for f in files if f.lines), key=lambda f: -f.lines)[:_MOST_FILES_IN_MAP]
    parts = [
        f'<svg class="map" viewBox="0 0 {_MAP_WIDTH} {_MAP_HEIGHT}" role="img" '
        f'aria-label="Files by number of lines, coloured by worst risk">'
    ]
    for place in squarified([f.lines for f in largest], _MAP_WIDTH, _MAP_HEIGHT):
        file = largest[place.index]
        risk = file.worst or ("none" if file.calls.total else "no-uses")
        told = f"{visible(file.path)}: {file.lines:,} lines, {file.calls.total} uses, worst risk {file.worst or 'none'}"
        # The more of its lines need work, the stronger the colour.
        strength = 0.72 + 0.28 * min(1.0, 8 * sum(file.by_risk.values()) / max(file.lines, 1))
        shape = (
            f'<rect class="risk-{risk}" fill-opacity="{strength if file.by_risk else 1:.2f}" x="{place.x:.1f}" y="{place.y:.1f}" width="{max(place.width - 1.5, 0.5):.1f}" '
            f'height="{max(place.height - 1.5, 0.5):.1f}" rx="2"><title>{escape(told)}</title></rect>'
        )
        fits = int((place.width - 8) / 6.4)
        name = visible(file.path.rpartition("/")[2])
        if place.height > 17 and fits > 4:
            name = name if len(name) <= fits else name[: fits - 1] + "…"
            shape += f'<text x="{place.x + 5:.1f}" y="{place.y + 14:.1f}">{escape(name)}</text>'
        if file.by_risk:
            # With the keyboard the list below the tables has the same files, one stop each; here they would stand before everything else.
            shape = f'<a href="#{anchor(file.path)}" tabindex="-1">{shape}</a>'
        parts.append(shape)
    return Markup("".join([*parts, "</svg>"]))


def anchor(path: str) -> str:
    """A file's id on the page; paths hold characters that ids and links do not."""
    return "file-" + hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _by_file(report: Report) -> list[tuple[str, str, FileSummary, list[Found]]]:
    """(anchor, path, summary, findings in the order of the text) of the files with findings, worst first."""
    summaries = {summary.path: summary for summary in report.files}
    found: dict[str, list[Found]] = {}
    for item in report.found():
        found.setdefault(item.path, []).append(item)
    worst = sorted(found, key=lambda path: _weight(summaries[path]))
    return [(anchor(path), path, summaries[path], sorted(found[path], key=lambda f: (f.line, f.column))) for path in worst]


def _weight(file: FileSummary) -> tuple[int, int, str]:
    return severity(file.worst), -(file.by_risk[file.worst] if file.worst else 0), file.path
