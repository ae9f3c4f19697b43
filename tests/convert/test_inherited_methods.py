"""Class methods that a class inherits and that give what the class says: ``torch.ByteStorage.from_buffer``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides
from tests.convert.test_set_on_modules import _told

PICTURE = """import torch
import numpy as np

pixels = np.arange(200, 224, dtype=np.uint8).tobytes()
img = torch.ByteTensor(torch.ByteStorage.from_buffer(pixels)).view(4, 2, 3)
results = [img.tolist(), img.transpose(0, 2).float().div(255).sum().item() > 0, str(img.dtype)[-5:].lower()]
"""


@pytest.mark.frameworks
def test_bytes_of_a_picture(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PICTURE)
    assert ours.results == theirs.results


def test_numbers_of_another_class_are_told(tmp_path: Path) -> None:
    assert _told(tmp_path, 'import torch\n\nx = torch.FloatStorage.from_buffer(b"abcd", "native")\n')
