"""`ops.scatter` along an axis of MindSpore 2.10 (and 2.7): the kernel keeps the axis that it counted from the end for another rank, and drops what falls outside, silently."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import mindport


@pytest.mark.frameworks
def test_hard_samples_of_each_rank() -> None:
    import mindspore as ms

    from mindport.equivalents.softmax import gumbel_softmax

    for size in ((2,), (3, 2), (2,), (2, 3, 2), (3, 2), (2,)):
        drawn = gumbel_softmax(ms.Tensor(np.linspace(-1, 1, int(np.prod(size))).reshape(size).astype(np.float32)), hard=True)
        assert np.allclose(drawn.sum(-1).asnumpy(), 1)
        assert np.allclose(drawn.asnumpy().max(-1), 1)


def test_nothing_is_built_on_it() -> None:
    rooms = [Path(mindport.__file__).parent / room for room in ("equivalents", "layers")]
    assert [path.name for room in rooms for path in room.rglob("*.py") if re.search(r"\bops\.scatter\(", path.read_text(encoding="utf-8"))] == []
