"""A project → its analysis: the scan's report, and the guide's questions answered with evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from mindport.analysis.answers import Section
from mindport.analysis.api import assess
from mindport.analysis.questions import sections
from mindport.analysis.subject import Subject
from mindport.evidence import store
from mindport.report.model import Report
from mindport.report.scan import aside, collection_paused, read, report
from mindport.report.verdict import Verdict, verdict
from mindport.source.discover import Discovery
from mindport.trace.reading import Trace


class Analysis(msgspec.Struct, frozen=True):
    """The whole answer to `mindport analyze`."""

    report: Report
    verdict: Verdict
    sections: list[Section]
    version: Literal[1] = msgspec.field(default=1, name="mindport_analysis")


def analyze(
    discovery: Discovery, paths: Sequence[str] = (), mindspore: str = "2.10.0", device: str = "cpu",
    progress: Callable[[str], None] = lambda step: None, trace: Trace | None = None,
) -> Analysis:  # fmt: skip
    """Read a discovered project, judge every use, answer every question. Reads only; imports no framework.

    `trace`: what a run of the project showed (`mindport trace`); it sharpens shapes, sizes and the APIs called.
    """
    with collection_paused():
        reading = read(discovery, paths, mindspore, device, lambda file: progress(str(file.relative)))
        assessments = list(assess(reading.facts, reading.judge, reading.status, reading.unknown))
        subject = Subject(
            discovery.root, reading.facts, reading.inference, reading.catalog, assessments, discovery.others, mindspore,
            device, [], store.load(device, mindspore), trace,
        )  # fmt: skip
        answered = list(sections(subject, progress))
        findings = [*reading.findings, *subject.findings]
        made = report(reading.about, reading.facts, assessments, findings, aside(subject, assessments, findings))
        return Analysis(made, verdict(made, subject.files), answered)
