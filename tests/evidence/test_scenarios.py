"""Scenarios on both sides, and samples where torch leaves something open."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import pytest
import torch

from mindport.declare import Declaration, difference
from mindport.evidence import own  # noqa: F401  registers our samples
from mindport.evidence.constants import compare_constant
from mindport.evidence.run_sample import Subject, forward
from mindport.evidence.samples import Sample, plain
from mindport.evidence.scenarios import Side, run_scenario

pytestmark = pytest.mark.frameworks


def modes(side: Side) -> Any:
    """the mode of an inner module"""
    net = side.net()
    side.call(net)
    return net[0].training


@pytest.mark.parametrize(("training", "verdict"), [(True, "pass"), (False, "differs")])
def test_an_effect_on_a_module_is_compared(training: bool, verdict: str) -> None:
    declared = Declaration(("torch.nn.Module.train",), "function", lambda self: self.set_train(training))
    assert run_scenario("torch.nn.Module.train", declared, modes).verdict == verdict


def test_sorted_samples_hold_no_value_twice() -> None:
    for sample in plain("torch.sort", None, torch.int64, 4):
        assert sample.args[0].unique().numel() == sample.args[0].numel()


def test_a_function_that_draws_is_compared_by_distribution() -> None:
    dropout = Subject("torch.nn.functional.dropout", Declaration(("torch.nn.functional.dropout",), "function", lambda input, p: input * 0.5))
    assert forward(dropout, Sample((torch.ones(2000), 0.5))).message.startswith("another distribution")


def test_in_place_samples_do_not_change_the_original() -> None:
    value = torch.ones(3)
    add = Subject("torch.Tensor.add_", Declaration(("torch.Tensor.add_",), "function", lambda self, other: self + other))
    forward(add, Sample((value, 2)))
    assert value.tolist() == [1, 1, 1]


def test_a_type_with_other_instances_is_found() -> None:
    assert compare_constant("torch.Size", Declaration(("torch.Size",), "constant", tuple)).verdict == "differs"
    assert compare_constant("torch.Size", Declaration(("torch.Size",), "constant", tuple, differs=[difference("tuples are, too")])).verdict == "declared"
    assert compare_constant("torch.dtype", Declaration(("torch.dtype",), "constant", ms.dtype.Type)).verdict == "pass"


def test_a_constant_of_a_module_that_is_gone_is_not_compared() -> None:
    assert compare_constant("torch._six.inf", Declaration(("torch._six.inf",), "constant", float("inf"))) is None
    with pytest.raises(AttributeError):  # a name that is written wrong
        compare_constant("torch.no_such_number", Declaration(("torch.no_such_number",), "constant", 1))


@pytest.mark.parametrize(("factor", "verdict"), [(2.0, "pass"), (2.1, "differs")])
def test_gradients_of_both_sides_are_compared(factor: float, verdict: str) -> None:
    """A layer of the same weights on both sides; the gradients of an input and of the weights."""
    def told(side: Side) -> Any:
        layer = side.layer("torch.nn.Linear", 3, 2)
        return side.gradients(lambda x: side.call(layer(x)), torch.ones(4, 3), weights=list(side.parameters(layer).values()))

    negated = Declaration(("torch.Tensor.neg",), "function", lambda x: x * -factor / 2)
    assert run_scenario("torch.Tensor.neg", negated, told).verdict == verdict
