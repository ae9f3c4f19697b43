"""An optimizer that first steps after another one trained gets torch's own noise as its allowance, and no more."""

from __future__ import annotations

import pytest

from mindport.verify.result import CaseResult, TensorResult
from mindport.verify.training.result import Rung
from mindport.verify.training.rungs import _after_training


@pytest.mark.parametrize(("difference", "verdict"), [(7e-4, "equal"), (9e-4, "differs")])
def test_noise_is_the_allowance(difference: float, verdict: str) -> None:
    tensor = TensorResult("parameter gradient", "0/weight", "differs", "far", difference=difference, scale=1.0, noise=1e-4)
    case, rung = CaseResult("step", "differs", tensors=[tensor], first="parameter gradient 0/weight"), Rung("gradients")
    _after_training(case, rung, "its gradients are")
    assert case.tensors[0].verdict == verdict
    assert (case.first is None) is (verdict == "equal")
    assert bool(rung.notes) is (verdict == "equal")
