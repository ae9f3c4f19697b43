"""What conversion reports, and what it keeps quiet about."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import Options, convert
from mindport.source.discover import discover

_HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n\n"


def codes(tmp_path: Path, text: str) -> list[str]:
    """The codes of the findings on one program."""
    (tmp_path / "program.py").write_text(_HEAD + text, encoding="utf-8")
    return [finding.code for finding in convert(discover(tmp_path)).findings]


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        pytest.param("s = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True))\n", False, id="behind another layer"),
        pytest.param("s = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(2, 2))\n", True, id="first in a sequence"),
        pytest.param("r = nn.ReLU(inplace=True)\n", True, id="on its own"),
        pytest.param("r = nn.ReLU()\n", False, id="not asked for"),
        pytest.param("def f(x: torch.Tensor):\n    return F.relu(x * 2, inplace=True)\n", False, id="of a new tensor"),
        pytest.param("def f(x: torch.Tensor):\n    return F.relu(x, inplace=True)\n", False, id="of the caller's tensor: written into"),
    ],
)
def test_a_dropped_in_place_request(tmp_path: Path, text: str, reported: bool) -> None:
    assert ("MP109" in codes(tmp_path, text)) is reported


def test_a_difference_that_depends_on_data_is_said_once(tmp_path: Path) -> None:
    text = "def f(x: torch.Tensor):\n    return x.transpose(0, 1) + x.transpose(1, 0) + x.transpose(0, 1)\n"
    assert codes(tmp_path, text).count("MP103") == 1


def test_what_is_missing_blocks(tmp_path: Path) -> None:
    assert codes(tmp_path, "def f(x):\n    return torch.no_such_function(x)\n") == ["MP101"]


def test_refused_arguments_are_named(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(_HEAD + "def f(x: torch.Tensor):\n    x.fill_diagonal_(0, wrap=True)\n", encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert [f.code for f in conversion.findings] == ["MP102"]
    assert "wrap=True" in conversion.findings[0].message


def test_what_no_run_confirms_is_said_once_an_api(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(_HEAD + "def f(x: torch.Tensor):\n    return torch.exp(torch.exp(x)) + torch.sin(x)\n", encoding="utf-8")
    status = {"torch.exp": "partial", "torch.sin": "absent"}
    conversion = convert(discover(tmp_path), Options(status=lambda entry: status.get(entry.name, "verified")))
    assert sorted((f.code, f.api) for f in conversion.findings) == [("MP104", "torch.sin"), ("MP110", "torch.exp")]


@pytest.mark.parametrize(("call", "told"), [("batch_size=1, shuffle=False, **more", False), ("batch_size=1, shuffle=True, **more", True), ("batch_size=1, **more", True)])
def test_what_is_written_beside_options_is_known(tmp_path: Path, call: str, told: bool) -> None:
    text = f"from torch.utils.data import DataLoader\n\n\ndef load(data, more):\n    return DataLoader(data, {call})\n"
    assert ("MP103" in codes(tmp_path, text)) == told
