"""What is written otherwise before a project is judged or converted: inputs of derivatives get names, parts of models a statement each. Lines keep their numbers, or know them."""

from __future__ import annotations

from mindport.convert.derivative_forms import as_statements
from mindport.convert.gone_imports import without_gone
from mindport.convert.lifted_leaves import lifted
from mindport.convert.named_inputs import named_inputs
from mindport.convert.names_by_text import named_by_text
from mindport.convert.single_targets import single_targets
from mindport.inference import Project
from mindport.source.file import SourceFile


def prepared(files: list[SourceFile], project: Project) -> tuple[list[SourceFile], Project]:
    """The files as they are converted, and the project of them."""
    present = [without_gone(file) for file in files]
    if present != files:
        files, project = present, Project(present)
    lifting = lifted([(file, project.facts(file)) for file in files])
    if lifting != files:
        files, project = lifting, Project(lifting)
    files, project = as_statements(files, project)
    single = [single_targets(file, project.facts(file)) for file in files]
    if single != files:
        files, project = single, Project(single)
    named = [named_inputs(file, project.facts(file)) for file in files]
    if named != files:
        files, project = named, Project(named)
    asked = [named_by_text(file) for file in files]
    if asked != files:
        files, project = asked, Project(asked)
    return files, project
