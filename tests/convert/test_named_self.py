"""Methods of modules whose first parameter is called otherwise: MindSpore compiles those of ``self`` alone."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.convert import convert  # noqa: E402
from mindport.convert.named_self import named_self  # noqa: E402
from mindport.inference import Project  # noqa: E402
from mindport.source.discover import discover  # noqa: E402
from mindport.source.file import SourceFile  # noqa: E402
from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
import torch
from torch import nn


class D(nn.Module):
    def __init__(s, w=3):
        super(D, s).__init__()
        s.net = nn.Sequential(nn.Linear(w, 4), nn.Tanh(), nn.Linear(4, 1))
        for i, p in enumerate(s.parameters()): nn.init.constant_(p, 0.1 * (i + 1))
    def forward(s, x): return s.scaled(s.net(x).squeeze(1))
    def scaled(me, y): return y * len([m for m in me.net])


def penalty(d, x):
    x = x.clone().requires_grad_(True)
    g = torch.autograd.grad(d(x).sum(), x, create_graph=True)[0]
    return ((g.norm(2, 1) - 1) ** 2).mean()


d = D()
opt = torch.optim.SGD(d.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    x = torch.linspace(-1, 1, 6).view(2, 3)
    loss = d(x).mean() + penalty(d, x)
    loss.backward()
    opt.step()
    print(round(loss.item(), 4))
"""


def test_the_same_numbers(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def test_places_are_told_as_they_stand(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("from torch import nn\n\nclass A(nn.Module):\n    def forward(s, x): return s.f(x).nonexistent(s), nn.Unknown(s)\n")
    conversion = convert(discover(tmp_path))
    named = [finding.span for finding in conversion.findings if finding.api == "torch.nn.Unknown"]
    assert [(span.line, span.column) for span in named if span] == [(4, 53)]
    assert "def construct(self, x): return self.f(x)" in conversion.files[PurePosixPath("main.py")]


@pytest.mark.parametrize(
    "method",
    [
        "def forward(s, x): return [s for s in x]",  # another thing has the name
        "def forward(s, self): return s, self",
        "def forward(s, x): return map(lambda s: s + 1, x)",
        "@staticmethod\n    def of(s): return s",
        "@classmethod\n    def of(cls): return cls",
        "def forward(self, x): return self",
        "def forward(*s): return s",
    ],
)
def test_what_keeps_its_names(method: str) -> None:
    file = SourceFile.of(f"from torch import nn\n\nclass A(nn.Module):\n    {method}\n")
    assert named_self(file, Project([file]).facts(file)) is file
