"""H: which shapes change between steps, why, what lies behind them, how often that recompiles, and what to do."""

from __future__ import annotations

from mindport.analysis.answers import Section
from mindport.analysis.dynamic_shape.engine import Engine
from mindport.analysis.subject import Subject

LETTER = "H"


def section(subject: Subject) -> Section:
    """H1–H9."""
    sources = Engine(subject).run()
    for source in sources:
        subject.report(source.code, source.file, source.node, source.message, certainty="likely" if source.likely else "certain")
    return Section(LETTER, "Dynamic shape", "动态 shape")
