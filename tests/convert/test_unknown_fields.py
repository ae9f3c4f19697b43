"""``x.max(dim=1).values`` of what nobody knows: MindSpore's tensors give plain tuples, and the conversion raised AttributeError."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """import torch


class Table:
    class Row:
        values, indices = "its own", "its own place"

    def max(self, *a, **k):
        return Table.Row

    sort = max


def of(x):
    return x.max(dim=1).values, x.sort(1).indices, x.max(1).indices, x.min(1)[0]


def of_table(t=Table()):
    return t.max(dim=1).values, t.sort().indices
"""


@pytest.mark.frameworks
def test_tensors_and_other_objects(tmp_path: Path) -> None:
    ms = pytest.importorskip("mindspore", reason="this test compares the frameworks")
    torch = pytest.importorskip("torch", reason="this test compares the frameworks")
    theirs, ours = both_sides(tmp_path, PROGRAM)
    rows = [[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]]  # the program itself gives `of` nothing, so that nothing is known of x
    for expected, found in zip(theirs.of(torch.tensor(rows)), ours.of(ms.tensor(rows)), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), expected.numpy())
    assert ours.of_table() == theirs.of_table() == ("its own", "its own place")


@pytest.mark.parametrize("line", ["d.items().values", "np.sort(x).values", "x.max.values", "x.mean(1).values", "pd.read_csv(x).max(0).values"])
def test_what_is_no_named_result_keeps_its_text(tmp_path: Path, line: str) -> None:
    text = converted_script(tmp_path, f"import numpy as np\nimport pandas as pd\nimport torch\n\n\ndef f(d, x):\n    return {line}, torch.relu(torch.ones(2))\n")
    assert line in text
