"""Settings of MindSpore's indexing that meet in one process."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.frameworks

TOGETHER = """
import mindspore as ms
import numpy as np
from mindspore import Tensor
# The one that counts from the front is loaded first: what NumPy gives must still be a tensor before it is asked.
from mindport.equivalents import negative_indices, numpy_operands, index_memory, index_values, byte_masks
table = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2))
print(ms.grad(lambda t: (t[np.array([0, -1])] ** 2).sum())(table).asnumpy().tolist())
print(table[np.array([1, 0, 1], np.uint8)].asnumpy().tolist())
taken = table[[0, -1]]
taken[0] = 9
table[1:2] = Tensor(np.ones((1, 1, 2), np.float32))
print(table.asnumpy().tolist(), taken.asnumpy().tolist())
steps = Tensor._getitem_origin
from importlib import reload
reload(negative_indices)
print(table[-1].asnumpy().tolist(), len(Tensor.index_steps_))
"""


def test_settings_that_meet_keep_their_order_and_are_counted_once():
    done = subprocess.run([sys.executable, "-c", TOGETHER], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "[[0.0, 2.0], [0.0, 0.0], [8.0, 10.0]]",
        "[[0.0, 1.0], [4.0, 5.0]]",
        "[[0.0, 1.0], [1.0, 1.0], [4.0, 5.0]] [[9.0, 9.0], [4.0, 5.0]]",
        "[4.0, 5.0] 5",
    ], done.stderr
