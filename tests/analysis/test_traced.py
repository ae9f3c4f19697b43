"""A trace beside the code: shapes confirmed, not seen, not run; changes and calls that reading lacks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import Ran

SOURCE = """\
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        y = self.fc(x)
        kept = y[y.sum(1) > 0]
        best = y[y[:, 0] > -1e9]
        return kept.sum() + getattr(F, "relu")(best).sum()

    def never(self, x):
        return torch.nonzero(x)
"""
ROOT = "/elsewhere/project"


def trace(project: Path, widths: tuple[int, ...] = (8,)) -> Path:
    """A hand-made trace: line 13 gave several shapes, line 14 one, and a relu was called that the code does not name."""
    path = f"{ROOT}/net.py"
    events = [
        {"event": "trace", "version": 1, "roots": [ROOT], "command": [], "device": "cpu"},
        {"event": "network", "number": 0, "iteration": 0, "class": "net.Net", "file": path, "line": 11},
        {"event": "layer", "number": 0, "network": 0, "path": "", "class": "net.Net", "file": path, "line": 11},
        {"event": "layer", "number": 1, "network": 0, "path": "fc", "class": "torch.nn.modules.linear.Linear"},
        {"event": "parameters", "network": 0, "own": {"1": 72}},
        *({"event": "shapes", "layer": 0, "number": n, "iteration": n, "inputs": [["0", "float32", [4, w]]], "outputs": [["", "float32", []]], "macs": None, "training": True, "file": path, "line": 30} for n, w in enumerate(widths)),
        {"event": "place", "number": 0, "name": "torch.Tensor.__getitem__", "file": path, "line": 13},
        {"event": "result", "place": 0, "iteration": 0, "inputs": [], "outputs": [["float32", [2, 8]]]},
        {"event": "place", "number": 1, "name": "torch.Tensor.__getitem__", "file": path, "line": 14},
        {"event": "result", "place": 1, "iteration": 0, "inputs": [], "outputs": [["float32", [4, 8]]]},
        {"event": "api", "number": 0, "name": "torch.nn.functional.relu", "file": path, "line": 15, "iteration": 0},
        {"event": "api", "number": 1, "name": "torch.nn.modules.linear.Linear", "file": path, "line": 9, "iteration": 0},
        {
            "event": "end", "seconds": 1.0, "full": False, "iterations": 20, "unit": "calls", "watched": 20, "memory": {}, "why": "finished",
            "layers": {"0": [20, 1.0, 0.5, 4, [[n, 20, 0, 19] for n in range(len(widths))]], "1": [20, 0.5, 0.5, 128, []]}, "apis": {"0": 20, "1": 1},
            "places": {"0": [20, 3, 3], "1": [20, 1, 1]}, "loaders": [],
        },
    ]  # fmt: skip
    out = project.parent / "trace.jsonl"
    out.write_text("".join(json.dumps(event) + "\n" for event in events))
    return out


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "net.py").write_text(SOURCE)
    return folder


def sections(project: Path, *more: object) -> dict[str, dict[str, list[dict[str, object]]]]:
    ran = Ran("analyze", project, "--format", "json", *more)
    assert ran.code == 0, ran.err
    return {section["letter"]: section for section in json.loads(ran.out)["sections"]}


def test_each_changing_shape_has_its_witness(project: Path) -> None:
    h = sections(project, "--trace", trace(project))["H"]
    (table,) = (part for part in h["parts"] if part["title"] == "Changing shapes, beside a run")
    assert {row[0]: row[2] for row in table["rows"]} == {"net.py:13": "confirmed", "net.py:14": "not seen", "net.py:18": "not exercised"}  # type: ignore[attr-defined]
    (seen,) = (a for a in h["answers"] if a["title"] == "What a run saw")
    assert "1 confirmed by the run, 1 ran and gave one shape, 1 did not run" in str(seen["value"])
    (lacking,) = (a for a in h["answers"] if a["title"] == "Changes that the code does not show")
    assert lacking["status"] == "not found"


def test_inputs_that_change_without_a_reason_in_the_code_are_told(project: Path) -> None:
    h = sections(project, "--trace", trace(project, (8, 9, 10)))["H"]
    (lacking,) = (a for a in h["answers"] if a["title"] == "Changes that the code does not show")
    assert lacking["status"] == "conflict" and "3 shapes" in str(lacking["value"])


def test_calls_that_reading_lacks_are_told(project: Path) -> None:
    (answer,) = (a for a in sections(project, "--trace", trace(project))["E"]["answers"] if a["row"] == "E4")
    # getattr(F, "relu") is followed, so that both calls are in the code
    assert answer["status"] == "found" and "2 places" in str(answer["value"])
    (project / "net.py").write_text(SOURCE.replace('getattr(F, "relu")', "vars(F)[NAME]"))
    (answer,) = (a for a in sections(project, "--trace", trace(project))["E"]["answers"] if a["row"] == "E4")
    assert answer["status"] == "conflict" and "torch.nn.functional.relu" in str(answer["value"])


def test_sizes_are_compared(project: Path) -> None:
    (answer,) = (a for a in sections(project, "--trace", trace(project))["A"]["answers"] if a["title"] == "Size of Net in the run")
    assert "72 parameters, as computed from the code" in str(answer["value"])


def test_without_a_trace_nothing_is_claimed(project: Path) -> None:
    found = sections(project)
    assert not [a for a in found["E"]["answers"] if a["row"] == "E4"]
    (answer,) = (a for a in found["H"]["answers"] if a["row"] == "H3")
    assert answer["status"] == "unknown" and "mindport trace" in str(answer["advice"])


def test_a_file_that_is_no_trace_is_refused(project: Path) -> None:
    ran = Ran("analyze", project, "--trace", project / "net.py")
    assert ran.code == 2 and ran.err.count("\n") == 1
