"""Runs the analysis on one program in memory."""

from __future__ import annotations

from pathlib import Path

from mindport import catalog
from mindport.analysis.dynamic_shape.findings import sources_of
from mindport.analysis.subject import Subject
from mindport.inference import Project
from mindport.source.file import SourceFile


def subject_of(text: str) -> Subject:
    """A project of one file."""
    file = SourceFile.of(text, "module.py")
    project = Project([file])
    return Subject(Path("."), {file: project.facts(file)}, project, catalog.load())


def found_in(text: str) -> frozenset[tuple[int, str]]:
    """(line, code) of every finding."""
    return frozenset((getattr(s.node, "lineno", 0), s.code) for s in sources_of(subject_of(text)))
