"""The analysis' JSON follows the published schema, which is the model's."""

from __future__ import annotations

from mindport.report import analysis_text
from tests.project.layout import ROOT


def test_the_published_schema_is_the_models() -> None:
    published = (ROOT / "docs" / "schema" / "analysis-1.json").read_text(encoding="utf-8")
    assert published == analysis_text.schema_text(), "python -m mindport.report.analysis_text > docs/schema/analysis-1.json"
