"""What tests of equivalents share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture
def nothing_is_recorded() -> Iterator[None]:
    """A converted program that another test ran in this process may have begun to record gradients (equivalents/tape.py); parameters are not written into then."""
    from mindspore.nn.cell import _pynative_executor

    recording = _pynative_executor.grad_flag()
    _pynative_executor.set_grad_flag(False)
    yield
    _pynative_executor.set_grad_flag(recording)
