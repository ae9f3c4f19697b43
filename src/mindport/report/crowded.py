"""Asks the rewrites about all files, as a conversion does: again where statements that share a line have to be set apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mindport.convert.project import MOST_ROUNDS
from mindport.findings import Finding
from mindport.inference import Project
from mindport.inference.facts import Facts
from mindport.report.judge import Rewritten
from mindport.source.apart import apart
from mindport.source.file import SourceFile

Said = tuple[Rewritten, list[Finding]]


def said_of(files: Sequence[SourceFile], asked: Callable[[SourceFile], Said], again: Callable[[SourceFile, Facts], Said]) -> list[Said]:
    """What `asked` says of each file; where lines are too crowded for what has to be written, what `again` says of the file with its lines apart.

    What is said is of the nodes and the places of `files`, whichever was asked.
    """
    said = [asked(file) for file in files]
    now = list(files)
    crowded = [here.crowded for here, _ in said]
    for _ in range(MOST_ROUNDS - 1):
        before, now = now, [apart(file, lines) for file, lines in zip(now, crowded, strict=True)]
        if now == before:
            break
        project = Project(now)
        for at, file in enumerate(now):
            if file is not before[at]:
                here, findings = again(file, project.facts(file))
                crowded[at] = here.crowded
                said[at] = here.of_original(file), findings
            else:
                crowded[at] = frozenset()
    return said
