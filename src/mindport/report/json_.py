"""The report as JSON, and the schema that it follows (docs/schema/report-1.json)."""

from __future__ import annotations

from typing import Any

import msgspec

from mindport.report.model import Report
from mindport.report.schemas import schema_of


def render(report: Report) -> str:
    """The report as JSON text, with the totals first."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n"


def read(text: str | bytes) -> Report:
    """The report that `render` wrote. Raises msgspec.ValidationError."""
    return msgspec.json.decode(text, type=Report)


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `render`'s output, made from the model."""
    made = schema_of(Report)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "report-1.json",
        "title": "mindport scan report, version 1", **made,
    }  # fmt: skip


def schema_text() -> str:
    """`schema` as it stands in docs/schema/report-1.json."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
