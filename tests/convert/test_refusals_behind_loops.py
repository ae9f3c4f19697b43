"""A refusal below a loop that may find something first is announced for nobody: every divergence was."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

HEAD = "import torch\nfrom torch import nn\nfrom torch.distributions import Normal, kl_divergence\n\n\ndef made(x, momentum=None):\n    return Normal(x, 1.0)\n\n\n"


@pytest.mark.parametrize(("text", "told"), [
    ("print(kl_divergence(made(torch.tensor(0.5)), made(torch.tensor(0.0))))\n", False),
    ("momentum = None\nnorm = nn.BatchNorm1d(10, momentum=momentum)\n", True),
])  # fmt: skip
def test_what_is_said(tmp_path: Path, text: str, told: bool) -> None:
    (tmp_path / "program.py").write_text(HEAD + text, encoding="utf-8")
    assert any("refused when it runs" in finding.message for finding in convert(discover(tmp_path)).findings) is told
