"""``x.std()`` of what nobody knows, in a file that imports numpy: taken for an array's, a tensor's was silently that over n."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

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
