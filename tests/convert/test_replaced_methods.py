"""``torch.optim.Optimizer.load_state_dict = load``: a method of its own that a project puts into one of PyTorch's classes."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile

PROGRAM = """import torch


def load(self, state):
    print(state)


torch.optim.Optimizer.load_state_dict = load
"""


def test_a_class_that_is_vendored_is_told_of() -> None:
    """The text stayed without a word, and `torch` was no name any more."""
    result = convert(Discovery(root=Path("."), files=[SourceFile.of(PROGRAM, "m.py")]))
    assert [(finding.code, finding.span.line) for finding in result.findings] == [("MP101", 8)]
    (text,) = (text for path, text in result.files.items() if path.name == "m.py")
    assert 'torch = unconverted("torch")' in text
