"""The JSON report follows the published schema, and the schema is the model's."""

from __future__ import annotations

import copy
import json

import jsonschema
import pytest

from mindport.report import json_
from tests.project.layout import ROOT
from tests.report.handmade import NETWORK, made

SCHEMA = ROOT / "docs" / "schema" / "report-1.json"


def test_the_published_schema_is_the_models() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == json_.schema_text(), (
        "the model changed: python -m mindport.report.json_ > docs/schema/report-1.json, "
        "and a new version number where readers would break"
    )


@pytest.mark.parametrize("sources", [{"net.py": NETWORK}, {"m.py": "x = 1\n"}, {}], ids=["network", "no torch", "no files"])
def test_reports_follow_the_schema(sources: dict[str, str]) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(json_.render(made(sources))))


def test_the_schema_refuses_what_is_wrong() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    good = json.loads(json_.render(made({"net.py": NETWORK})))
    for change in ({"answer": "PERHAPS"}, {"mindport_report": 2}, {"rows": [{"path": "m.py"}]}):
        assert not validator.is_valid({**copy.deepcopy(good), **change}), change


def test_reading_gives_the_report_back() -> None:
    report = made({"net.py": NETWORK})
    assert json_.read(json_.render(report)) == report
