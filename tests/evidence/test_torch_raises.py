"""Calls that torch's own tests expect to raise."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks

pytest.importorskip("torch", reason="this file runs the framework")
pytest.importorskip("mindspore", reason="this file runs the framework")

from mindport.evidence.programs import reproduction  # noqa: E402
from mindport.evidence.run_errors import wrong_calls  # noqa: E402


def test_tensors_without_numbers_are_left_out() -> None:
    """Of `torch.gradient` torch has a wrong call with a tensor on `meta`, which could not even be written down."""
    calls = list(wrong_calls("torch.gradient", None))
    assert calls
    assert all(reproduction("torch.gradient", sample.args, sample.kwargs) for sample in calls)
