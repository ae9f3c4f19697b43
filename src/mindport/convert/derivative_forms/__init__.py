"""Derivatives as people write them, written as statements of functions before anything else is converted.

A gradient that is differentiated again becomes a function of the statements around it (`training/derivatives.py`), which asks for a call by plain names in a
statement of its own. Each form here is one way of writing that has none: it is rewritten on its own, again until nothing changes. Lines know the user's own.
"""

from __future__ import annotations

from collections.abc import Callable

from mindport.convert.derivative_forms.attributes import attributes
from mindport.convert.derivative_forms.closures import closures
from mindport.convert.derivative_forms.components import components
from mindport.convert.derivative_forms.heads import heads
from mindport.convert.derivative_forms.joined_outputs import joined_outputs
from mindport.convert.derivative_forms.lambdas import lambdas
from mindport.convert.derivative_forms.literals import literals
from mindport.convert.derivative_forms.partials import partials
from mindport.convert.derivative_forms.subscripts import subscripts
from mindport.convert.derivative_forms.taken import KEEPING, written_otherwise
from mindport.convert.derivative_forms.turns import turns
from mindport.inference import Project
from mindport.inference.facts import Facts
from mindport.source.edits import EditConflict
from mindport.source.file import SourceFile, Unparsable

FORMS = (partials, lambdas, closures, attributes, subscripts, joined_outputs, literals, heads, turns, components)
#: How often they begin again: expressions stand in each other.
_MOST_ROUNDS = 6


def as_statements(files: list[SourceFile], project: Project) -> tuple[list[SourceFile], Project]:
    """The files with derivatives in statements, and the project of them; the same where all are."""
    if not any(KEEPING in file.text for file in files):
        return files, project
    for _ in range(_MOST_ROUNDS):
        before = files
        for form in FORMS:
            now = [_written(form, file, project) for file in files]
            if now != files:
                files, project = now, Project(now)
        if files == before:
            break
    return files, project


def _written(form: Callable[[SourceFile, Facts], SourceFile], file: SourceFile, project: Project) -> SourceFile:
    """The file in one form; itself where that would not be Python's."""
    try:
        return form(file, project.facts(file)) if written_otherwise(file) else file
    except (Unparsable, EditConflict):
        return file
