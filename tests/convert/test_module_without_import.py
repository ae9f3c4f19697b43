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


ENGINE = """class Engine:
    def __init__(self, **parts):
        self.parts = parts

    def run(self, batches):
        parts = self.parts
        parts["network"].train()
        step = parts["rule"](parts["network"].parameters(), 0.1)
        for batch in batches:
            step.zero_grad()
            parts["cost"](parts["network"](batch)).backward()
            step.step()
"""
HELPERS = "import torch\n\n\ndef device():\n    return torch.device('cpu')\n"
REPORT = """from helpers import *


def report(bag):
    return bag["scores"].detach().argmax(dim=1)
"""


def _texts(folder: Path, **files: str) -> dict[str, str]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return {path.name: text for path, text in convert(discover(folder)).files.items()}


def test_an_engine_that_never_names_torch_gets_modules(tmp_path: Path) -> None:
    text = _texts(tmp_path, engine=ENGINE, helpers=HELPERS)["engine.py"]
    assert 'parts["rule"](parameters(parts["network"]), 0.1)' in text  # what has `parameters` is a module: nothing else is read so
    assert 'method(parts["network"], "train", None' in text


def test_a_file_that_takes_all_names_of_one_with_torch_handles_tensors(tmp_path: Path) -> None:
    text = _texts(tmp_path, helpers=HELPERS, report=REPORT)["report.py"]
    assert 'ops.stop_gradient(bag["scores"]).argmax(axis=1)' in text


def test_in_a_project_without_torch_nothing_is_a_module(tmp_path: Path) -> None:
    text = _texts(tmp_path, engine=ENGINE)["engine.py"]
    assert 'parts["network"].parameters()' in text and 'parts["network"].train()' in text
