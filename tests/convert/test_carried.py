"""What constants that reach a call by other names show is said: refusals of the kept class, and declared differences."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.convert.carried import REFUSED
from mindport.findings import Finding
from mindport.report.scan import scan
from mindport.source.discover import discover

_HEAD = "import argparse\nimport torch\nfrom torch import nn\n\n\n"


def findings(tmp_path: Path, text: str) -> list[Finding]:
    """What conversion says of one program, without what is rare."""
    (tmp_path / "program.py").write_text(_HEAD + text, encoding="utf-8")
    return [f for f in convert(discover(tmp_path)).findings if not f.rare]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("m = None\nn = nn.BatchNorm1d(10, momentum=m)\n", id="a variable"),
        pytest.param("given = (10, 1e-3, None)\nn = nn.BatchNorm1d(*given)\n", id="a tuple that is spread"),
        pytest.param("options = {'num_groups': 2, 'bias': False}\nn = nn.GroupNorm(num_channels=4, **options)\n", id="a dictionary that is spread"),
        pytest.param("class Config:\n    bias = False\n\n\ncfg = Config()\nn = nn.BatchNorm3d(4, bias=cfg.bias)\n", id="an attribute of a configuration"),
        pytest.param("size = (3, None, 5)\nn = nn.AdaptiveMaxPool3d(size)\n", id="within a tuple"),
        pytest.param("kinds = {'batch': nn.BatchNorm2d}\nn = kinds['batch'](3, momentum=None)\n", id="a class that a table holds"),
        pytest.param("make = nn.GroupNorm\nn = make(2, 4, bias=False)\n", id="a class under another name"),
        pytest.param("def norm(c, m):\n    return nn.BatchNorm2d(c, momentum=m)\n\n\nnorm(3, 0.1)\nnorm(3, None)\n", id="one of two callers"),
    ],
)
def test_a_refusal_that_carried_constants_lead_to(tmp_path: Path, text: str) -> None:
    said = [f for f in findings(tmp_path, text) if REFUSED in f.message]
    assert [(f.code, f.risk, f.certainty) for f in said] == [("MP103", "loud", "likely")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f(m):\n    return nn.BatchNorm1d(10, momentum=m)\n", id="nothing is known"),
        pytest.param("m = 0.01\nn = nn.BatchNorm1d(10, momentum=m)\n", id="a number"),
        pytest.param("given = (10, 1e-3, 0.1)\nn = nn.BatchNorm1d(*given)\n", id="spread, without it"),
        pytest.param("def norm(c, m=0.1, *rest):\n    return nn.BatchNorm1d(c, *rest)\n", id="spread, not known"),
        pytest.param("from functools import partial\nmake = partial(nn.BatchNorm1d, 4)\nn = make(None)\n", id="a partial, whose arguments stand elsewhere"),
        pytest.param("kinds = {'batch': nn.BatchNorm2d}\nn = kinds['batch'](3, momentum=0.2)\n", id="a table and a number"),
        pytest.param("def f(x: torch.Tensor, n):\n    return torch.arange(0, n), torch.arange(1.0, x.numel() + 1)\n", id="ranges up to a number"),
    ],
)
def test_usual_calls_are_quiet(tmp_path: Path, text: str) -> None:
    assert not findings(tmp_path, text)


def test_a_scan_says_it_too(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(_HEAD + "m = None\nn = nn.BatchNorm1d(10, momentum=m)\n", encoding="utf-8")
    assert any(REFUSED in found.message for found in scan(discover(tmp_path)).found())
