"""The rows of a report, gathered by file, class or API."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

from mindport.analysis.api import READY
from mindport.findings import RISKS
from mindport.report.model import Report, Risk, Row, Share, severity

By = Literal["file", "class", "api"]


class Group(msgspec.Struct, frozen=True):
    """Some rows under one name: how many uses are ready, the findings by risk, the verdicts."""

    name: str
    uses: Share
    by_risk: dict[str, int]
    worst: Risk | None
    verdicts: dict[str, int]
    evidence: str
    rung: str


def grouped(report: Report, by: By) -> list[Group]:
    """The groups, worst first: by worst risk, then by how many rows have it, then by name."""
    rows: dict[str, list[Row]] = {}
    for row in report.rows:
        rows.setdefault(_name(row, by), []).append(row)
    risks: dict[str, Counter[str]] = {name: Counter(row.risk for row in own if row.risk) for name, own in rows.items()}
    if by != "api":
        for problem in report.problems:
            risks.setdefault(problem.path, Counter())[problem.risk] += 1
    groups = [_group(name, rows.get(name, []), counted) for name, counted in risks.items()]
    return sorted(groups, key=lambda g: (severity(g.worst), -(g.by_risk[g.worst] if g.worst else 0), g.name))


def _name(row: Row, by: By) -> str:
    if by == "file":
        return row.path
    if by == "api":
        return row.api
    return f"{row.path} · {row.scope or 'module level'}"


def _group(name: str, rows: list[Row], risks: Counter[str]) -> Group:
    worst = next((risk for risk in RISKS if risks[risk]), None)
    by_risk = {str(risk): risks[risk] for risk in RISKS if risks[risk]}
    verdicts = dict(Counter(str(row.verdict) for row in rows).most_common())
    ready = sum(row.verdict in READY for row in rows)
    evidence = ", ".join(sorted({row.evidence for row in rows if row.evidence}))
    rung = ", ".join(sorted({row.rung for row in rows if row.rung}))
    return Group(name, Share(ready, len(rows)), by_risk, worst, verdicts, evidence, rung)
