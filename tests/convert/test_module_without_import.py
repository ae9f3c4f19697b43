"""A file that imports a base class of the project's and never torch: its methods work with tensors all the same."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

BASE = "from torch import nn\n\n\nclass Loss(nn.Module):\n    def forward(self, scores, mask):\n        return self.compute(scores, mask)\n"
LOSS = """from base import Loss


class Contrast(Loss):
    def compute(self, scores, mask):
        highest, _ = scores.max(dim=1, keepdim=True)
        return (scores - highest.detach()).mean()


class Plain:
    def compute(self, scores):
        return scores.matmul(scores)
"""


def test_methods_of_a_module_class_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(BASE)
    (tmp_path / "loss.py").write_text(LOSS)
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["loss.py"]
    assert "ops.stop_gradient(highest)" in text
    assert "return scores.matmul(scores)" in text
