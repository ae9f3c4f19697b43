"""Projects in memory for the tests of inference."""

from __future__ import annotations

import textwrap

from mindport.inference import Project
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile


def project(**texts: str) -> tuple[Project, dict[str, SourceFile]]:
    """A project whose files are named by keywords; ``pkg__init`` is ``pkg/__init__.py``, ``a__b`` is ``a/b.py``."""
    files = {}
    for name, text in texts.items():
        path = name.replace("__", "/")
        path = path.replace("/init", "/__init__") if path.endswith("/init") else path
        files[name] = SourceFile.of(textwrap.dedent(text), f"{path}.py")
    return Project(list(files.values())), files


def facts_of(text: str) -> tuple[Facts, SourceFile]:
    """The facts of one file."""
    made, files = project(module=text)
    return made.facts(files["module"]), files["module"]


def uses_of(text: str) -> list[str]:
    """``line name kind certainty`` of every use, in order; torch stands for itself."""
    facts, _ = facts_of(text)
    return [f"{use.node.lineno} {use.name} {use.kind} {use.certainty}" for use in facts.uses]
