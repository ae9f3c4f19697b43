"""``row = rows[0][1]; row += 1``: the tensor is what ``rows[0]`` gives; ``rows[1] = row`` would put another in its neighbour's place."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
import collections

import torch

rows = [torch.zeros(2, 2), torch.ones(2)]
row = rows[0][1]
row += 1
flat = rows[0].view(-1)
flat *= 3
print([r.tolist() for r in rows])

table = collections.defaultdict(list)
table["a"].append(torch.zeros(1))
held = table["a"][0]
held += 2
for name in "aba":
    count = table[name + "n"].append(torch.zeros(1)) or table[name + "n"][-1]
    count += 1
print({name: [r.tolist() for r in held] for name, held in table.items()})
"""


def test_a_view_is_stored_back_into_the_tensor_alone(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
