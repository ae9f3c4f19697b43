"""E4: the APIs that a run called from the project's files, beside those that the code shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis.answers import Answer, Quote, Section, Table
from mindport.analysis.subject import Subject
from mindport.analysis.traced import Traced
from mindport.inference import torchfacts
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile
from mindport.trace.reading import Call

LETTER = "E"


def section(subject: Subject) -> Section:
    """What the run called and reading the code did not find; nothing without a trace."""
    traced = subject.traced
    if traced is None:
        return Section(LETTER, "API compliance", "接口合规")
    known, missed = 0, []
    for file, call in _calls(traced):
        if _shown(file, subject.facts[file], call):
            known += 1
        else:
            missed.append((file, call))
    places = [(file, call, Quote(str(file.relative), call.line, file.line(call.line).strip()[:160])) for file, call in missed]
    said = f"{known + len(missed)} places called PyTorch in the run; the code shows {known} of them" if known or missed else "the run called nothing of PyTorch from these files"
    if missed:
        said += ": the others are " + ", ".join(dict.fromkeys(torchfacts.canonical(call.name) for _, call in missed[:8])) + (" …" if len(missed) > 8 else "")
    answer = Answer("E4", "APIs that a run called", "conflict" if missed else "found", said, tuple(dict.fromkeys(q for _, _, q in places))[:30], zh="运行时调用的接口")
    rows = tuple(
        (f"{quote.path}:{quote.line}", torchfacts.canonical(call.name), str(call.count), _verdict(subject, call)) for _, call, quote in places
    )
    tables = (Table("Called in the run, and not found by reading", ("place", "API", "calls", "in MindSpore"), rows),) if rows else ()
    return Section(LETTER, "API compliance", "接口合规", (answer,), tables)


def _calls(traced: Traced) -> Iterator[tuple[SourceFile, Call]]:
    for call in traced.trace.calls:
        file = traced.file(call.file)
        if file is not None and 1 <= call.line <= file.text.count("\n") + 1:
            yield file, call


def _shown(file: SourceFile, facts: Facts, call: Call) -> bool:
    """Whether a use, a call through a variable, or a place that may be one stands in the line's statement under this name."""
    name = call.name.rpartition(".")[2]
    first, last = _statement(file, call.line)
    for use in (*facts.uses, *facts.indirect):
        if _meets(use.node, first, last) and (use.name.rpartition(".")[2] == name or use in facts.indirect):
            return True
    return any(_meets(place.node, first, last) and place.text.rpartition(".")[2] == name for place in facts.unresolved)


def _statement(file: SourceFile, line: int) -> tuple[int, int]:
    """The lines of the innermost simple statement around a line, or of the header of a compound one.

    Before Python 3.12 an expression inside a text that spans lines stands on another line than it runs on.
    """
    found = (line, line)
    for node in file.nodes:
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.lineno <= line <= (node.end_lineno or 0):
            found = (node.lineno, node.end_lineno or 0)
    return found


def _meets(node: ast.expr, first: int, last: int) -> bool:
    return node.lineno <= last and first <= (node.end_lineno or node.lineno)


def _verdict(subject: Subject, call: Call) -> str:
    entries = subject.catalog.find(torchfacts.canonical(call.name))
    return "an equivalent is known: convert does not see this call" if entries else "no equivalent under this name"
