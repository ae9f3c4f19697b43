"""The report as SARIF 2.1.0, for code hosts and editors.

Only findings become results, not the uses that need nothing: GitHub takes 25,000 results a run, and
a large project has more uses than that. Beyond the limit the mildest are left out, and the run says
how many. Fingerprints stay when lines move (`fingerprints.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from urllib.parse import quote

import msgspec

from mindport.findings import CODES, Code
from mindport.report.fingerprints import fingerprints
from mindport.report.model import Found, Report, Row

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: GitHub's limits for one run.
MOST_RESULTS = 25_000
FINGERPRINT = "mindport/v1"
LEVELS = {"blocker": "error", "silent": "error", "loud": "warning", "style": "note"}


def render(report: Report, before: Collection[str] | None = None) -> str:
    """SARIF as JSON text; `before`: an earlier report's fingerprints."""
    return msgspec.json.format(msgspec.json.encode(log(report, before)), indent=1).decode() + "\n"


def log(report: Report, before: Collection[str] | None = None) -> dict[str, Any]:
    """The SARIF log object."""
    found = report.found()
    prints = {id(item): print_ for item, print_ in zip(found, fingerprints(found), strict=True)}
    kept = found[:MOST_RESULTS]
    kept.sort(key=lambda f: (f.path, f.line, f.column, f.code or ""))
    codes = sorted({found.code for found in kept if found.code})
    index = {code: number for number, code in enumerate(codes)}
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "mindport", "semanticVersion": report.project.mindport, "rules": [_rule(CODES[c]) for c in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"PROJECTROOT": {"description": {"text": "the root of the scanned project"}}},
        "results": [_result(item, index, prints[id(item)], before) for item in kept],
        "properties": {"mindspore": report.project.mindspore, "device": report.project.device, "answer": report.answer},
    }  # fmt: skip
    if len(kept) < len(found):
        text = f"{len(found) - len(kept)} of {len(found)} findings are left out, the mildest: SARIF readers take {MOST_RESULTS}"
        run["invocations"] = [
            {"executionSuccessful": True, "toolExecutionNotifications": [{"level": "warning", "message": {"text": text}}]}
        ]
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.id,
        "name": "".join(word.capitalize() for word in code.title.replace("-", " ").replace("'", "").split()),
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": f"{code.title} ({code.zh})"},
        "help": {"text": f"Run `mindport explain {code.id}`."},
        "defaultConfiguration": {"level": LEVELS[code.risk]},
        "properties": {"tags": ["porting", code.risk], "effort": code.effort},
    }


def _result(item: Found, index: dict[str, int], fingerprint: str, before: Collection[str] | None) -> dict[str, Any]:
    assert item.code is not None and item.risk is not None
    region: dict[str, Any] = {"startLine": item.line, "startColumn": item.column}
    message = item.message
    if isinstance(item, Row):
        region |= {"endLine": item.end_line, "endColumn": item.end_column}
        message = message if item.api in message else f"{item.api}: {message}"
    elif item.advice:
        message = f"{message}. {item.advice}" if not message.endswith(".") else f"{message} {item.advice}"
    result: dict[str, Any] = {
        "ruleId": item.code,
        "ruleIndex": index[item.code],
        "level": LEVELS[item.risk],
        "message": {"text": message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(item.path), "uriBaseId": "PROJECTROOT"}, "region": region,
                }
            }
        ],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": {"risk": item.risk},
    }  # fmt: skip
    if before is not None:
        result["baselineState"] = "unchanged" if fingerprint in before else "new"
    if isinstance(item, Row):
        result["properties"] |= {
            "api": item.api, "verdict": item.verdict, "certainty": item.certainty, "evidence": item.evidence, "region": item.region,
        }  # fmt: skip
        if item.scope:
            result["locations"][0]["logicalLocations"] = [{"fullyQualifiedName": item.scope}]
    return result

