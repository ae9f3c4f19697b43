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


@pytest.mark.parametrize(("apart", "difference", "verdict"), [(3e-4, 2e-3, "equal"), (3e-4, 3e-3, "differs"), (5e-5, 9e-4, "differs"), (9e-4, 7e-4, "differs")])
def test_an_input_that_is_off_within_its_noise_widens_what_comes_of_it(apart: float, difference: float, verdict: str) -> None:
    given = TensorResult("layer", "(input 0)", "differs", "far", "Input", difference=apart, scale=1.0, noise=1e-4)
    made = TensorResult("layer", "scale.0", "differs", "far", "Linear", difference=difference, scale=1.0, noise=1e-4)
    case, rung = CaseResult("forward", "differs", tensors=[given, made], first="layer (input 0) (Input)"), Rung("forward by layer")
    _after_training(case, rung, "its outputs are")
    assert case.verdict == verdict
