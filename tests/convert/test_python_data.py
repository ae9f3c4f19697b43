"""``torch.tensor(data)``: what the containers hold decides the dtype, and text alone decides where that is plain."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import array
from collections import deque

import numpy as np
import torch


def made(rewards):
    queue = deque()
    for r in rewards:
        queue.appendleft(r * 0.5)
    one = torch.tensor([1.5])
    return {
        "queue": torch.tensor(queue), "range": torch.tensor(range(3)), "array": torch.tensor(array.array("f", [1, 2])),
        "float64": torch.tensor([np.float64(1.5), 2]), "int32": torch.tensor([np.int32(1)]), "mean": torch.tensor([np.mean(rewards)]),
        "arrays": torch.tensor([np.zeros(2), np.ones(2)]), "float32": torch.as_tensor([np.float32(1), 2.0]),
        "numbers": torch.tensor([len(rewards), 2.5]), "nested": torch.tensor([[1, 2], (3, 4)]), "truth": torch.tensor([True, False]),
        "tensors": torch.tensor([one, one]), "scalars": torch.tensor([one.sum(), one.mean()]), "complex": torch.tensor([1j, 2]),
        "mixed": torch.tensor([one.int(), 2]), "told": torch.tensor(queue, dtype=torch.int64), "empty": torch.tensor([]),
    }


def text(n, labels):
    return torch.tensor([n, len(labels)]), torch.tensor(labels)
'''


def test_containers_of_numbers_give_the_same_tensor(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    expected = before.made([1.0, 2.0])
    for name, ours in after.made([1.0, 2.0]).items():
        theirs = expected[name]
        assert str(ours.dtype).lower() == str(theirs.dtype).removeprefix("torch."), name
        assert ours.asnumpy().tolist() == theirs.tolist(), name


def test_plain_numbers_need_no_function(tmp_path: Path) -> None:
    both_sides(tmp_path, PROGRAM)
    converted = (tmp_path / "after" / "program.py").read_text(encoding="utf-8")
    for line in ('ms.tensor([len(rewards), 2.5])', 'ms.tensor([[1, 2], (3, 4)])', 'ms.tensor([True, False])'):
        assert line in converted
