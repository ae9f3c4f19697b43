"""The analysis' JSON follows the published schema, which is the model's."""

from __future__ import annotations

import io

from rich.console import Console

from mindport.analysis.answers import Snippet
from mindport.report import analysis_text
from tests.project.layout import ROOT


def test_the_published_schema_is_the_models() -> None:
    published = (ROOT / "docs" / "schema" / "analysis-1.json").read_text(encoding="utf-8")
    assert published == analysis_text.schema_text(), "python -m mindport.report.analysis_text > docs/schema/analysis-1.json"


def test_code_keeps_its_lines_on_a_terminal() -> None:
    """Control characters are shown as what they are, but the ends of lines are the code's own."""
    console = Console(width=80, file=io.StringIO())
    code = "mindport trace -- python train.py\nmindport analyze . # \x1b[31m\n"
    analysis_text._part(Snippet("Recording", "text", code), console)
    assert console.file.getvalue().splitlines() == ["Recording", "  mindport trace -- python train.py", "  mindport analyze . # \\x1b[31m"]  # type: ignore[attr-defined]
