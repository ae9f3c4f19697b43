"""Runs the analysis on one program in memory."""

from __future__ import annotations

from pathlib import Path

from mindport import catalog
from mindport.analysis.dynamic_shape.findings import sources_of
from mindport.analysis.subject import Subject
from mindport.inference import Project
from mindport.source.file import SourceFile
from tests.analysis.dynamic_shape.reading import ONLY_FILE


def subject_of(text: str) -> Subject:
    """A project of one file."""
    return project_of({ONLY_FILE: text})


def project_of(texts: dict[str, str]) -> Subject:
    """A project of several files: path → text."""
    files = [SourceFile.of(text, path) for path, text in texts.items()]
    project = Project(files)
    return Subject(Path("."), {file: project.facts(file) for file in files}, project, catalog.load())


def found_in(texts: dict[str, str]) -> frozenset[tuple[str, int, str]]:
    """(path, line, code) of every finding."""
    return frozenset((str(s.file.relative), getattr(s.node, "lineno", 0), s.code) for s in sources_of(project_of(texts)))


def codes_in(text: str) -> set[str]:
    """The codes of a one-file program's findings."""
    return {code for _, _, code in found_in({ONLY_FILE: text})}
