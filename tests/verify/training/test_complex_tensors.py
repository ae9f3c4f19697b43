"""Complex parameters and batches are compared with their imaginary parts, which were dropped."""

from __future__ import annotations

import numpy as np
import pytest

from mindport.verify.training.digest import digest
from mindport.verify.training.rungs import _moved, _tensor


@pytest.mark.parametrize(("other", "verdict"), [(1.0 + 2.0j, "equal"), (1.0 - 2.0j, "differs"), (1.5 + 2.0j, "differs")])
def test_a_parameter(other: complex, verdict: str) -> None:
    mine, theirs = np.array([1.0 + 2.0j, 3.0j], np.complex64), np.array([other, 3.0j], np.complex64)
    assert _tensor("buffer", "0/weight", mine, theirs, 1e-6, [], "weight").verdict == verdict


def test_its_noise_and_its_way() -> None:
    mine, noisy = np.array([1.0 + 2.0j], np.complex64), np.array([1.0 + 2.001j], np.complex64)
    assert _tensor("buffer", "0/weight", mine, noisy, 1e-6, [{"weight": noisy}], "weight").verdict == "equal"
    assert _moved({"weight": mine}, {"weight": noisy})["weight"][0].imag == pytest.approx(0.001, rel=1e-3)


def test_a_batch() -> None:
    one, other = (digest(np.array([1.0, sign * 2.0j], np.complex64)) for sign in (1, -1))
    assert one["norm"] == other["norm"] == pytest.approx(5**0.5) and one["sum"] != other["sum"]
