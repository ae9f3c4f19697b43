"""Medians of numbers closer than float32's epsilon, of which MindSpore's kernel takes one for another, or ends the process; of NaN and of halves."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
ms = pytest.importorskip("mindspore", reason="this file runs MindSpore")

from mindport.equivalents.spread import median  # noqa: E402


def test_close_numbers() -> None:
    lines = ["import numpy as np, mindspore as ms", "from mindport.equivalents.spread import median", "x = np.linspace(1e-8, 9e-8, 12)[::-1].astype(np.float32)", "print(float(median(ms.Tensor(x))) == x[6])"]
    said = subprocess.run([sys.executable, "-W", "ignore", "-c", "\n".join(lines)], capture_output=True, text=True)  # the kernel's end would be the tests' own
    assert said.returncode == 0 and said.stdout.strip() == "True"


def test_places_and_nan() -> None:
    x = np.array([[3e-8, np.nan, 1e-8, np.nan], [4e-8, 2e-8, 3e-8, 1e-8]], np.float32)
    value, place = median(ms.Tensor(x), 1)
    assert np.isnan(value.asnumpy()[0]) and value.asnumpy()[1] == x[1, 1] and place.tolist() == [1, 1]
    assert median(ms.Tensor(x), 0, True)[0].shape == (1, 4)


def test_halves() -> None:
    assert float(median(ms.Tensor([3.0, 1.0, 2.0, 4.0], ms.float16))) == 2.0
