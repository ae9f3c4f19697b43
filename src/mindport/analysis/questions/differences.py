"""K: the differences between the frameworks that this project's own calls meet, in English and Chinese."""

from __future__ import annotations

from mindport.analysis.answers import Answer, Quote, Section
from mindport.analysis.subject import Subject

LETTER = "K"


def section(subject: Subject) -> Section:
    """K1: one row for each difference, silent ones first; K3: for this MindSpore version."""
    found: dict[tuple[str, str, str], list[Quote]] = {}
    chinese: dict[str, str] = {}
    for assessment in subject.assessments:
        if assessment.verdict != "differs":
            continue
        key = (str(assessment.risk), assessment.api, assessment.message)
        found.setdefault(key, []).append(subject.quote(assessment.file, assessment.node))
        if assessment.entry is not None:
            chinese |= {d.what: d.zh for d in assessment.entry.differs if d.zh}
    order = {"blocker": 0, "silent": 1, "loud": 2, "style": 3}
    answers = [
        Answer("K1", api, "found", f"{risk}: {message}", tuple(quotes), zh=chinese.get(message, ""))
        for (risk, api, message), quotes in sorted(found.items(), key=lambda item: (order.get(item[0][0], 4), -len(item[1]), item[0]))
    ]
    if not answers:
        answers = [Answer("K1", "Differences met", "not found", f"no call meets a difference that is known for MindSpore {subject.mindspore}", zh="未命中已知差异")]
    return Section(LETTER, f"Differences (MindSpore {subject.mindspore})", "差异", tuple(answers))
