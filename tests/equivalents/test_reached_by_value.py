"""Of a parameter that no cell was seen to read it is the gradient that says whether it was used: any number of it, not the first bytes."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]
ms = pytest.importorskip("mindspore", reason="this file runs MindSpore")

from mindport.equivalents.gradients import Reads  # noqa: E402


def test_a_gradient_that_begins_with_zeros_is_one() -> None:
    weight = ms.Parameter(np.zeros((4, 4), np.float32))
    rows = np.zeros((4, 4), np.float32)
    rows[3] = 0.5
    with Reads() as taking:
        pass
    assert taking.reached([weight], [ms.Tensor(rows)]) == {id(weight)}
    assert taking.reached([weight], [ms.Tensor(0 * rows)]) == set()
