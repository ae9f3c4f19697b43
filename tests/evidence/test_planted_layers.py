"""Wrong layers are caught: each test plants one error and says which check must find it."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import pytest
import torch
from mindspore import nn

from mindport.declare import Declaration, difference
from mindport.evidence import run_layer
from mindport.evidence.layer_samples import LayerSample
from mindport.evidence.run_sample import Result
from mindport.evidence.samples import Sample

pytestmark = pytest.mark.frameworks

LINEAR = LayerSample(Sample((3, 4)), Sample((torch.randn(2, 3, generator=torch.Generator().manual_seed(0)),)))
NORM = LayerSample(Sample((3,)), Sample((torch.randn(4, 3, 5, 5, generator=torch.Generator().manual_seed(0)),)))
NAMES = {
    "weight": "gamma", "bias": "beta", "running_mean": "moving_mean", "running_var": "moving_variance",
    "num_batches_tracked": None,
}  # fmt: skip


def declared(name: str, cls: type, **state: Any) -> Declaration:
    return Declaration((name,), "layer", cls, state=state)


class Linear(nn.Dense):
    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__(in_features, out_features, has_bias=bias)


class Zeros(nn.Dense):
    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__(in_features, out_features, weight_init="zeros")


class Doubled(Linear):
    def construct(self, x: Any) -> Any:
        return 2 * super().construct(x)


class BatchNorm2d(nn.BatchNorm2d):
    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__(num_features, eps=eps, momentum=1 - momentum)


class WrongMomentum(nn.BatchNorm2d):
    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__(num_features, eps=eps, momentum=momentum)


class AlwaysTraining(BatchNorm2d):
    def __init__(self, num_features: int) -> None:
        super().__init__(num_features)
        self.use_batch_statistics = True


def linear(check: Any, cls: type, **state: Any) -> Result:
    found = check("torch.nn.Linear", declared("torch.nn.Linear", cls, **state), LINEAR)
    assert isinstance(found, Result)
    return found


def norm(check: Any, cls: type) -> Result:
    found = check("torch.nn.BatchNorm2d", declared("torch.nn.BatchNorm2d", cls, **NAMES), NORM)
    assert isinstance(found, Result)
    return found


@pytest.mark.parametrize("check", [run_layer.evaluation, run_layer.training, run_layer.gradient, run_layer.graph])
def test_right_layer_passes(check: Any) -> None:
    assert linear(check, Linear).verdict == "pass"


@pytest.mark.parametrize("check", [run_layer.evaluation, run_layer.training, run_layer.statistics])
def test_right_normalisation_passes(check: Any) -> None:
    assert norm(check, BatchNorm2d).verdict == "pass"


@pytest.mark.parametrize("check", [run_layer.evaluation, run_layer.training, run_layer.gradient, run_layer.graph])
def test_wrong_result(check: Any) -> None:
    assert linear(check, Doubled).verdict == "differs"


def test_a_state_map_to_nowhere_is_found() -> None:
    found = linear(run_layer.evaluation, Linear, weight="kernel")
    assert found.verdict == "raises" and "'weight' has no counterpart 'kernel'" in found.message


def test_a_state_map_that_swaps_shapes_is_found() -> None:
    found = linear(run_layer.evaluation, Linear, weight="bias", bias="weight")
    assert found.verdict == "raises" and "shape" in found.message


def test_wrong_momentum_shows_in_the_statistics_alone() -> None:
    assert norm(run_layer.training, WrongMomentum).verdict == "pass"
    found = norm(run_layer.statistics, WrongMomentum)
    assert found.verdict == "differs" and "after 3 steps" in found.message


def test_wrong_mode() -> None:
    assert norm(run_layer.training, AlwaysTraining).verdict == "pass"
    assert norm(run_layer.evaluation, AlwaysTraining).verdict == "differs"


def test_wrong_initial_values() -> None:
    found = linear(run_layer.initial, Zeros)
    assert found.verdict == "differs" and found.message.startswith("weight: another distribution")


class WantsHalf(ms.nn.Cell):
    def construct(self, x: Any) -> Any:
        raise TypeError("For 'ReLU', the type of 'input' must be a type of {Tensor[Float16]}, but got Tensor[Float32].")


def test_a_layer_that_takes_no_float32_raises() -> None:
    sample = LayerSample(Sample(), Sample((torch.randn(3),)))
    assert run_layer.evaluation("torch.nn.ReLU", declared("torch.nn.ReLU", WantsHalf), sample).verdict == "raises"


class LosesNaN(nn.Cell):
    def construct(self, x: Any) -> Any:
        return ms.ops.relu(x)


def hard_verdicts(layer: Declaration) -> dict[str, set[str]]:
    from mindport.evidence.hard_layer_samples import hard_layer_steps

    found: dict[str, set[str]] = {}
    for step in hard_layer_steps("torch.nn.ReLU", layer):
        if step.dtype == "float32" and (result := step.run()) is not None:
            found.setdefault(step.check, set()).add(result.verdict)
    return found


def test_hard_inputs_show_a_layer_that_loses_nan() -> None:
    found = hard_verdicts(declared("torch.nn.ReLU", LosesNaN))
    assert "differs" in found["nan and inf"]
    assert found["edge"] == found["eval"] == {"pass"}


def test_a_layers_difference_may_speak_of_its_input() -> None:
    nan = difference("NaN becomes a number", when="ms.isnan(inputs[0]).any()")
    found = hard_verdicts(Declaration(("torch.nn.ReLU",), "layer", LosesNaN, differs=[nan]))
    assert found["nan and inf"] <= {"pass", "declared"}
    assert "declared" in found["nan and inf"] and found["edge"] == {"pass"}
