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
        pytest.param("dt = torch.float64\nn = nn.Conv2d(2, 2, 1, dtype=dt)\n", id="a variable"),
        pytest.param("def make(dtype=torch.float32):\n    return nn.LayerNorm(2, dtype=dtype)\n\n\nmake()\nmake(torch.double)\n", id="one of two callers"),
        pytest.param("options = {'dtype': torch.half}\nn = nn.BatchNorm2d(2, **options)\n", id="a dictionary that is spread"),
        pytest.param("n = nn.TransformerEncoderLayer(4, 2, **{'dtype': torch.float64})\n", id="a layer of layers"),
        pytest.param("n = nn.TransformerEncoderLayer(4, 2, dtype=torch.bfloat16)\n", id="a class that is kept, and decides when it runs"),
        pytest.param("kind = torch.float64\ntorch.set_default_dtype(kind)\n", id="the default dtype"),
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


@pytest.mark.parametrize(
    "text",
    [
        "n = nn.Conv2d(2, 2, 1, dtype=torch.float64)\n", "n = nn.LayerNorm(2, dtype=torch.half)\n", "torch.set_default_dtype(torch.double)\n",
    ],
)  # fmt: skip
def test_a_dtype_in_the_text_is_refused_at_conversion(tmp_path: Path, text: str) -> None:
    assert [(f.code, f.certainty) for f in findings(tmp_path, text) if f.code == "MP102"] == [("MP102", "certain")]


@pytest.mark.parametrize("text", [
    "n = nn.Conv2d(2, 2, 1, dtype=torch.float32)\n", "n = nn.LayerNorm(2, dtype=torch.float)\n", "torch.set_default_dtype(torch.float32)\n",
    "def make(dtype=None):\n    return nn.LayerNorm(2, dtype=dtype)\n\n\nmake()\n",
])  # fmt: skip
def test_the_dtype_that_a_layer_has_is_not_refused(tmp_path: Path, text: str) -> None:
    assert not [f for f in findings(tmp_path, text) if f.code == "MP102" or REFUSED in f.message]
