"""Wrong equivalents are caught: each test plants one error and says which check must find it."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import pytest
import torch
from mindspore import ops

from mindport.declare import Declaration, Refused, difference
from mindport.evidence import run_compiled, run_gradient, run_sample
from mindport.evidence.corner_samples import corners
from mindport.evidence.run_sample import Result, Subject, TorchRefuses
from mindport.evidence.samples import Sample

pytestmark = pytest.mark.frameworks

X = torch.tensor([[0.5, -1.5, 2.0], [3.0, -0.25, 1.0]])


def subject(name: str, target: Any, **told: Any) -> Subject:
    return Subject(name, Declaration((name,), told.pop("kind", "function"), target, **told))


def forward(name: str, target: Any, *args: Any, edge: str = "", **told: Any) -> Result:
    return run_sample.forward(subject(name, target, **told), Sample(args, edge=edge))


def right(input: Any, other: Any = 0) -> Any:
    return input + other


def test_right_passes() -> None:
    assert forward("torch.add", right, X, X).verdict == "pass"


def test_wrong_value() -> None:
    found = forward("torch.add", lambda input, other: input - other, X, X)
    assert found.verdict == "differs"
    assert "6 of 6 values differ, first at [0, 0]: 1 in torch, 0 in MindSpore" in found.message
    assert found.call.startswith("torch.add(torch.tensor([[0.5, -1.5, 2.0]")


def test_one_wrong_value_among_many() -> None:
    def wrong(input: Any) -> Any:
        return ops.where(input == input.max(), input + 1e-3, input)

    assert "1 of 6 values differ, first at [1, 0]" in forward("torch.clone", wrong, X).message


def test_wrong_dtype() -> None:
    found = forward("torch.argmax", lambda input: ops.argmax(input).astype(ms.int32), X)
    assert (found.verdict, found.message) == ("differs", "dtype int64 in torch, int32 in MindSpore")


def test_wrong_shape() -> None:
    found = forward("torch.sum", lambda input, dim: ops.sum(input, dim, keepdim=True), X, 1)
    assert (found.verdict, found.message) == ("differs", "shape (2,) in torch, (2, 1) in MindSpore")


def test_tensor_where_torch_has_a_number() -> None:
    found = forward("torch.Tensor.item", lambda self: self, torch.tensor(2.0))
    assert found.verdict == "differs" and "torch gives float 2.0, MindSpore gives a tensor" in found.message


def test_list_where_torch_has_a_tuple() -> None:
    found = forward("torch.unbind", lambda input: list(ops.unbind(input)), X)
    assert found.verdict == "differs" and "torch gives a tuple, MindSpore a list" in found.message


def test_nan_is_equal_to_nan_only() -> None:
    bad = torch.tensor([float("nan"), 1.0])
    assert forward("torch.clone", lambda input: input * 1, bad).verdict == "pass"
    assert forward("torch.clone", lambda input: ops.nan_to_num(input), bad).verdict == "differs"


def test_ignored_argument() -> None:
    found = forward("torch.softmax", lambda input, dim: ops.softmax(input, 0), X, 1)
    assert found.verdict == "differs"


def test_in_place_function_that_leaves_its_input_alone() -> None:
    found = forward("torch.Tensor.add_", lambda self, other: self + other, X, X)
    assert found.verdict == "differs" and found.message.startswith("the tensor itself afterwards: ")


def test_large_integers_lost_through_float() -> None:
    large = torch.tensor([2**40 + 1, 2**40 + 3])
    found = forward("torch.clone", lambda input: input.astype(ms.float32).astype(ms.int64), large)
    assert found.verdict == "differs"


def test_refusal_keeps_its_sentence() -> None:
    def refuses(input: Any) -> Any:
        raise Refused("complex input: take real and imaginary part apart")

    found = forward("torch.clone", refuses, X)
    assert (found.verdict, found.message) == ("refused", "complex input: take real and imaginary part apart")


def test_error_of_our_own_is_raises() -> None:
    found = forward("torch.clone", lambda input: input.no_such_method(), X)
    assert found.verdict == "raises" and "no_such_method" in found.message


def test_missing_kernel_is_no_error() -> None:
    def missing(input: Any) -> Any:
        raise RuntimeError("Unsupported op [Roll] on CPU, Please confirm whether the device target setting is correct")

    assert forward("torch.clone", missing, X).verdict == "not run here"


@pytest.mark.parametrize(("eps", "verdict"), [(1, "declared"), (0, "differs")])
def test_declared_difference_excuses_only_where_it_holds(eps: int, verdict: str) -> None:
    def wrong(input: Any, other: Any) -> Any:
        return input + other + 1

    found = forward("torch.add", wrong, X, eps, differs=[difference("one more", when="other == 1")])
    assert found.verdict == verdict


def test_declared_difference_that_cannot_be_evaluated_is_an_error() -> None:
    with pytest.raises(ValueError, match="cannot be evaluated"):
        forward("torch.add", lambda input, other: input, X, X, differs=[difference("x", when="no_such_name > 1")])


def test_condition_cannot_reach_the_system() -> None:
    with pytest.raises(ValueError, match="cannot be evaluated"):
        forward("torch.add", lambda input, other: input, X, X, differs=[difference("x", when="__import__('os')")])


def test_torch_refusing_is_no_outcome() -> None:
    with pytest.raises(TorchRefuses):
        forward("torch.add", right, X, torch.zeros(7))


def square_with_half_gradient(input: Any) -> Any:
    """Right value, half the gradient."""
    return input * ops.stop_gradient(input)


def square(input: Any) -> Any:
    return input * input


def test_wrong_gradient() -> None:
    sample = Sample((X,))
    wrong = subject("torch.square", square_with_half_gradient)
    assert run_sample.forward(wrong, sample).verdict == "pass"
    found = run_gradient.gradient(wrong, sample)
    assert found is not None and found.verdict == "differs"
    good = run_gradient.gradient(subject("torch.square", square), sample)
    assert good is not None and good.verdict == "pass"


@pytest.mark.parametrize("graph", [False, True])
def test_second_gradient(graph: bool) -> None:
    sample = Sample((X,))
    good = run_gradient.gradient(subject("torch.square", square), sample, order=2, graph=graph)
    assert good is not None and good.verdict == "pass"
    wrong = run_gradient.gradient(subject("torch.square", square_with_half_gradient), sample, order=2, graph=graph)
    assert wrong is not None and wrong.verdict == "differs"


def test_no_gradient_where_torch_has_none() -> None:
    assert run_gradient.gradient(subject("torch.argmax", ops.argmax), Sample((X,))) is None


def test_graph_mode() -> None:
    assert run_compiled.graph(subject("torch.square", square), Sample((X,))).verdict == "pass"




def through_a_view(input: Any) -> Any:
    """Writes into a view of the result: MindSpore's graph mode leaves the result as it was."""
    result = input * 1
    row = result[0]
    row[:] = input[0] * input[0]
    return result


def test_right_in_pynative_and_wrong_in_graph_mode() -> None:
    sample, wrong = Sample((X[:1],)), subject("torch.square", through_a_view)
    assert run_sample.forward(wrong, sample).verdict == "pass"
    assert run_compiled.graph(wrong, sample).verdict == "differs"


BIG = torch.zeros(100)


@pytest.mark.parametrize(
    ("target", "verdict"),
    [
        (lambda input: ops.rand(100), "pass"),
        (lambda input: ops.rand(100) * 0.9, "differs"),
        (lambda input: ops.randn(100), "differs"),
        (lambda input: ops.rand(99), "differs"),
        (lambda input: ops.rand(100).astype(ms.float16), "differs"),
    ],
)
def test_distribution(target: Any, verdict: str) -> None:
    assert run_sample.distribution(subject("torch.rand_like", target, random=True), Sample((BIG,))).verdict == verdict


def test_a_gradient_that_is_wrong_when_it_is_taken_again() -> None:
    calls: list[int] = []

    def wrong(input: Any) -> Any:
        calls.append(1)
        return ops.stop_gradient(input) * 2 if len(calls) > 1 else input * 2

    found = run_gradient.gradient(subject("torch.mul", lambda input, other: wrong(input)), Sample((X, 2)))
    assert found is not None and found.verdict == "differs" and "in a later call" in found.message


def test_a_gradient_that_is_wrong_at_zero() -> None:
    subjects = subject("torch.abs", lambda input: ops.where(input >= 0, input, -input))
    verdicts = {s.edge: run_gradient.gradient(subjects, s, finite=True) for s in corners([Sample((X,))])}
    assert {edge for edge, found in verdicts.items() if found is not None and found.verdict == "differs"} >= {"zeros", "bounds", "a row of zeros"}
    assert verdicts["equal"] is not None and verdicts["equal"].verdict == "pass"
