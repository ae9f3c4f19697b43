"""``try: import torch`` / ``except ImportError: torch = None``: where the project runs the import does not fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """
try:
    import torch
    import torch.nn as nn
    from torch.nn import functional as F
except ImportError:
    torch = None
    nn = F = None


def load(name):
    return __import__(name)


try:
    import torch as th
except ImportError:
    th = load("torch")


def halved(x):
    if torch is None:
        raise RuntimeError("torch is needed")
    if torch is not None and isinstance(x, torch.Tensor):
        x = x / 2
    if not torch:
        return None
    return F.relu(x) if nn else x


kept = [halved(torch.tensor([-1.0, 3.0])), th.ones(2)]
version = str(th.__version__)
"""


@pytest.mark.frameworks
def test_both_sides_give_the_same(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    equal_tensors(expected.kept, actual.kept)
    assert actual.version == "2.13.0"


def test_what_torch_lacks_may_be_absent(tmp_path: Path) -> None:
    text = "import torch\ntry:\n    from torch._six import string_classes\nexcept ImportError:\n    string_classes = str\nx = isinstance('a', string_classes)\n"
    assert "string_classes = str" in converted_script(tmp_path, text)
