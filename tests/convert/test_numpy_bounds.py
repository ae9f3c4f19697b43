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


FLAT = '''
import numpy as np
import torch


def taken_apart(flat, module):
    parts, offset = [], 0
    for p in module.parameters():
        count = np.prod(p.size())
        parts.append(flat[offset: offset + count].view(p.size()))
        offset += count
    return parts, offset == len(flat)


def rows(count):
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 1))
    return taken_apart(torch.arange(float(count)), net)
'''


def test_a_bound_that_was_pythons_a_turn_before(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, FLAT)
    (ours, all_ours), (theirs, all_theirs) = after.rows(13), before.rows(13)
    assert all_ours and all_theirs
    for mine, yours in zip(ours, theirs, strict=True):
        torch.testing.assert_close(torch.from_numpy(mine.asnumpy()), yours)


BATCHES = '''
import numpy as np
import torch


class Batch:
    def __init__(self, data):
        self.data = data

    def places(self, items):
        out = []
        for item in items:
            out.append(slice(item, item + 1) if isinstance(item, int) else item)
        return out

    def __getitem__(self, item):
        places = self.places(item if isinstance(item, tuple) else (item, slice(None)))
        return Batch({k: v[tuple(places)] for k, v in self.data.items()})

    def drawn(self, count):
        return self[np.random.RandomState(0).choice(4, count, replace=False)]


def rows():
    batch = Batch({"x": torch.arange(12.0).view(4, 3)})
    return batch.drawn(3).data["x"], batch[1, :].data["x"]
'''


def test_arrays_in_a_tuple_that_a_function_makes(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, BATCHES)
    for mine, yours in zip(after.rows(), before.rows(), strict=True):
        torch.testing.assert_close(torch.from_numpy(mine.asnumpy()), yours)
