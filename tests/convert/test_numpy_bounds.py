"""NumPy's numbers as bounds of slices: MindSpore's tensors take Python's only."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import numpy as np
import torch


def box(size, lam):
    cut = int(size[2] * np.sqrt(1.0 - lam))
    centre = np.random.randint(size[2])
    return np.clip(centre - cut // 2, 0, size[2]), np.clip(centre + cut // 2, 0, size[2])


def cut_out(img, start):
    np.random.seed(start)
    first, second = box(img.shape, 0.6)
    img[:, :, first:second] = 0.0
    for i in range(img.shape[0]):
        a, b = np.random.randint(0, 4, 2)
        img[i, a:a + 2, b:b + 2] = img[i].mean()
    return img
'''


def test_a_region_by_numpy_numbers(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    x = np.arange(72, dtype=np.float32).reshape(2, 6, 6)
    ours, theirs = after.cut_out(ms.Tensor(x), 3), before.cut_out(torch.tensor(x), 3)
    torch.testing.assert_close(torch.from_numpy(ours.asnumpy()), theirs)
