"""Differences of dtypes of which nothing tells are among the unusual ones, unless the project has such numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

_HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor, nn\n\n\n"
_ABS = "def f(x: Tensor):\n    return x.abs()\n"
_LOSS = "def f(x: Tensor):\n    return F.l1_loss(x, x)\n"
_POOL = "pool = nn.AvgPool2d(2)\n"
_FILLED = "def f(x: Tensor, m: Tensor):\n    return x.masked_fill(m, 1)\n"


def _rare(folder: Path, text: str, api: str) -> set[bool]:
    (folder / "program.py").write_text(_HEAD + text, encoding="utf-8")
    return {f.rare for f in convert(discover(folder)).findings if f.api == api and f.code == "MP103"}


@pytest.mark.parametrize(
    ("text", "api"),
    [
        pytest.param(_ABS, "torch.Tensor.abs", id="complex"),
        pytest.param("import torchvision\n\nnet = torchvision.models.resnet50()\n\n\n" + _ABS, "torch.Tensor.abs", id="beside a library's network"),
        pytest.param(_POOL, "torch.nn.AvgPool2d", id="double or whole"),
        pytest.param(_FILLED, "torch.Tensor.masked_fill", id="truth"),
    ],
)
def test_a_dtype_that_nothing_names_is_unusual(tmp_path: Path, text: str, api: str) -> None:
    assert _rare(tmp_path, text, api) == {True}


@pytest.mark.parametrize(
    ("text", "api"),
    [
        pytest.param(_LOSS + "def g(x):\n    return torch.fft.fft(x)\n", "torch.nn.functional.l1_loss", id="complex by a function"),
        pytest.param(_LOSS + "def g(x):\n    return x * 2j\n", "torch.nn.functional.l1_loss", id="complex by a number"),
        pytest.param(_POOL + "def g(x):\n    return x.double()\n", "torch.nn.AvgPool2d", id="double"),
    ],
)
def test_a_dtype_that_the_project_names_is_not(tmp_path: Path, text: str, api: str) -> None:
    assert False in _rare(tmp_path, text, api)


def test_a_dtype_that_is_seen_is_not(tmp_path: Path) -> None:
    text = "def f(x: Tensor):\n    m = x > 0\n    return m.masked_fill(m, 1)\n"
    assert _rare(tmp_path, text, "torch.Tensor.masked_fill") == {False}


@pytest.mark.parametrize(
    ("made", "rare"),
    [
        pytest.param("nn.Linear(2, 3)", True, id="none"),
        pytest.param("nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4))", False, id="a layer"),
        pytest.param("torchvision.models.resnet18()", False, id="a library's network"),
    ],
)
def test_a_layer_that_the_project_does_not_name_is_unusual(tmp_path: Path, made: str, rare: bool) -> None:
    text = f"import torchvision\n\nnet: nn.Module = {made}\ntorch.save(net.state_dict(), 'net.pt')\nkept = net.state_dict()\n"
    assert _rare(tmp_path, text, "torch.nn.Module.state_dict") == {rare}


@pytest.mark.parametrize(("made", "rare"), [pytest.param("nn.Linear(2, 3)", True, id="no convolution"), pytest.param("nn.Conv2d(2, 3, 1)", False, id="a convolution")])
def test_a_network_in_float64(tmp_path: Path, made: str, rare: bool) -> None:
    assert _rare(tmp_path, f"net: nn.Module = {made}\nnet.double()\n", "torch.nn.Module.double") == {rare}


@pytest.mark.parametrize(("made", "told"), [pytest.param("nn.LayerNorm(3)", False, id="no statistics"), pytest.param("nn.BatchNorm1d(3)", True, id="statistics")])
def test_recomputed_statistics(tmp_path: Path, made: str, told: bool) -> None:
    (tmp_path / "main.py").write_text(f"import torch\nfrom torch import nn\nfrom torch.utils.checkpoint import checkpoint\n\nlayer = {made}\nprint(checkpoint(layer, torch.ones(2, 3), use_reentrant=False))\n")
    found = [finding for finding in convert(discover(tmp_path)).findings if finding.api == "torch.utils.checkpoint.checkpoint" and finding.risk == "silent"]
    assert [finding.rare for finding in found] == ([False] if told else [True])
