"""``torch.__version__`` compares by numbers."""

from __future__ import annotations

import operator

import pytest

COMPARED = ("2.2", "2.13", "2.13.0", "1.8", (1, 8), (2, 13), "2.13.0+cpu", "2.13.0a0", "2.14.dev20200101", "3", "2.13.1", "2.13.0rc1", "1.10.0+cu102", "abc")


@pytest.mark.frameworks
@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge])
@pytest.mark.parametrize("other", COMPARED, ids=str)
def test_a_version_compares_as_torchs_does(compare: object, other: object) -> None:
    from torch.torch_version import TorchVersion

    from mindport.equivalents.constants import TORCH_VERSION

    theirs = TorchVersion("2.13.0")
    assert compare(TORCH_VERSION, other) == compare(theirs, other)  # type: ignore[operator]
