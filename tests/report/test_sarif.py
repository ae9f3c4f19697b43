"""SARIF 2.1.0's rules that matter to readers, and GitHub's limits."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import Any

import pytest

from mindport.findings import CODES, Finding
from mindport.report import sarif
from tests.report.handmade import NETWORK, made


def log(sources: dict[str, str], findings: list[Finding] | None = None) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(sarif.render(made(sources, findings)))
    return read


@pytest.fixture(scope="module")
def run() -> dict[str, Any]:
    hostile = Finding("MP901", "does not parse", PurePosixPath("a b/ü#?%.py"), None, "blocker", advice="Repair it.")
    found: dict[str, Any] = log({"net.py": NETWORK}, [hostile])["runs"][0]
    return found


def test_the_frame() -> None:
    made_log = log({"net.py": NETWORK})
    assert made_log["version"] == "2.1.0" and made_log["$schema"].endswith("sarif-2.1.0.json")
    assert len(made_log["runs"]) == 1
    driver = made_log["runs"][0]["tool"]["driver"]
    assert driver["name"] == "mindport" and re.fullmatch(r"\d+\.\d+\.\d+", driver["semanticVersion"])


def test_rules_are_the_codes_and_results_point_at_them(run: dict[str, Any]) -> None:
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["id"] in CODES and rule["shortDescription"]["text"] == CODES[rule["id"]].title
        assert re.fullmatch(r"[A-Za-z0-9]+", rule["name"])
        assert len(rule["properties"]["tags"]) <= 20
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note", "none")
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note", "none")
        assert result["message"]["text"]


def test_places_are_relative_uris_and_positions_count_from_one(run: dict[str, Any]) -> None:
    assert run["columnKind"] == "unicodeCodePoints"
    uris = set()
    for result in run["results"]:
        (location,) = result["locations"]
        artifact = location["physicalLocation"]["artifactLocation"]
        assert artifact["uriBaseId"] in run["originalUriBaseIds"]
        assert re.fullmatch(r"[A-Za-z0-9._~!$&'()*+,;=@/%-]+", artifact["uri"]) and not artifact["uri"].startswith("/")
        uris.add(artifact["uri"])
        region = location["physicalLocation"]["region"]
        assert region["startLine"] >= 1 and region["startColumn"] >= 1
        if "endLine" in region:
            assert (region["endLine"], region["endColumn"]) > (region["startLine"], region["startColumn"])
    assert "a%20b/%C3%BC%23%3F%25.py" in uris


def test_only_findings_are_results(run: dict[str, Any]) -> None:
    report = made({"net.py": NETWORK})
    assert len(run["results"]) == sum(row.code is not None for row in report.rows) + 1
    assert len(run["results"]) < len(report.rows) + 1


def prints(text: str) -> list[str]:
    return [r["partialFingerprints"]["mindport/v1"] for r in log({"net.py": text})["runs"][0]["results"]]


def test_fingerprints_are_unique_and_stay_when_lines_move() -> None:
    doubled = NETWORK + "\na = torch.no_such_function(1)\na = torch.no_such_function(1)\n"
    found = prints(doubled)
    assert len(found) == len(set(found))
    moved = "# a new first line\n\n\n" + doubled.replace("class Net", "# and one more\n\n\nclass Net")
    assert prints(moved) == found


def test_a_changed_line_has_another_fingerprint() -> None:
    changed = NETWORK.replace("torch.no_such_function(x)", "torch.no_such_function(x, 2)")
    assert len(set(prints(NETWORK)) ^ set(prints(changed))) == 2


def test_beyond_the_limit_the_mildest_are_left_out_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sarif.MOST_RESULTS == 25_000
    monkeypatch.setattr(sarif, "MOST_RESULTS", 1)
    run = log({"net.py": NETWORK})["runs"][0]
    assert len(run["results"]) == 1
    assert {result["properties"]["risk"] for result in run["results"]} == {"blocker"}
    (notice,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "left out" in notice["message"]["text"]
