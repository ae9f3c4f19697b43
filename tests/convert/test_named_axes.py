"""Functions and layers of einops become vendored ones: nothing of einops is left."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """from einops import rearrange
from einops.layers.torch import Rearrange
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.split = nn.Sequential(nn.Linear(dim, dim), Rearrange("b n (h d) -> b h n d", h=2))

    def forward(self, x):
        q, k = map(lambda t: rearrange(t, "b n d -> (b n) d"), (x, x))
        return self.split(x).softmax(dim=-1), q.view(-1) + k.view(-1)
"""


def test_einops_goes(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = next(text for path, text in conversion.files.items() if path.name == "program.py")
    assert "einops" not in text and "rearrange" in text and "Rearrange" in text
    assert not [f for f in conversion.findings if f.code in ("MP101", "MP107", "MP108")]
