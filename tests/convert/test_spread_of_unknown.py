"""``x.std()`` of what nobody knows, in a file that imports numpy: taken for an array's, a tensor's was silently that over n. `any` of numbers, too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, printed_by_both

PROGRAM = """import numpy as np
import torch

ONE = torch.ones(1)


def spread(x):
    return float(x.std()), float(x.var(0)[0])
"""
ARRAY = np.array([[1.0, 2.0, 4.0], [0.0, 5.0, 3.0]], np.float32)


@pytest.mark.frameworks
def test_tensors_and_arrays(tmp_path: Path) -> None:
    import mindspore as ms
    import torch

    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.spread(ms.Tensor(ARRAY)) == pytest.approx(theirs.spread(torch.from_numpy(ARRAY)), rel=1e-5)
    assert ours.spread(ARRAY) == theirs.spread(ARRAY)


GOT = """import numpy as np

import net

for name, part in net.parts(np.arange(6)).items():
    print(name, "%.5f %.5f" % (part.std().item(), part.var().item()))
    print(bool(part.any()), bool((part > 9).any()))
print("%.5f" % net.shown(np.arange(4.0)).std())
# ==== net.py
import pickle

import meters
from forward import Net


def parts(x):
    return pickle.loads(pickle.dumps(Net))()(x)


def shown(x):
    return meters.Meter().show(x)
# ==== meters.py
class Meter:
    def show(self, x):
        print("meter %.5f" % x.std())
        return x
# ==== arrays.py
import numpy as np


def normal(x):
    return (x - x.mean()) / x.std()
# ==== forward.py
import torch


class Net:
    def __call__(self, x):
        return {"a": torch.tensor(x).float() / 4, "b": torch.tensor(x).float() * 2}
"""


@pytest.mark.frameworks
def test_files_that_get_tensors_without_a_word_of_torch(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, GOT)
    assert theirs == ours
    assert "x.std()" in (tmp_path / "after" / "arrays.py").read_text()  # NumPy's file alone: arrays
