"""Asks the rewrites about all files, as a conversion does: again where statements that share a line have to be set apart, or another text is what it begins with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mindport.convert.named_self import named_self
from mindport.convert.project import MOST_ROUNDS
from mindport.findings import Finding
from mindport.inference import Project
from mindport.report.judge import Rewritten
from mindport.source.apart import apart
from mindport.source.file import SourceFile

Said = tuple[Rewritten, list[Finding]]


def said_of(files: Sequence[SourceFile], project: Project, asked: Callable[[SourceFile, Project], Said]) -> list[Said]:
    """What `asked` says of each file of a project; where a conversion begins with another text (`named_self`), or with lines apart, what it says of that.

    What is said is of the nodes and the places of `files`, whichever was asked.
    """
    said = [asked(file, project) for file in files]
    now, new = list(files), [named_self(file, project.facts(file)) for file in files]
    for _ in range(MOST_ROUNDS):
        if new != now:
            project = Project(new)
            said = [here if file is before else asked(file, project) for here, file, before in zip(said, new, now, strict=True)]
        now, new = new, [apart(file, here.crowded) for (here, _), file in zip(said, new, strict=True)]
        if new == now:
            break
    return [(here if file.original is None else here.of_original(file), findings) for (here, findings), file in zip(said, now, strict=True)]
