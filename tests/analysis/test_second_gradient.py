"""What samples say of a call: a word that chooses another algorithm decides whether a failing sample is the project's case."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from mindport import catalog
from mindport.analysis.second_gradient import second_gradient
from mindport.catalog import Entry
from mindport.evidence.store import Failure, Outcome

_GRAPH = "second gradient, graph"
_CONVOLUTION = ("torch.nn.Conv2d", "torch.nn.Conv2d(6, 4, 3, padding=1, padding_mode='reflect')(torch.randn(2, 6, 9, 8))")
_GELU = ("torch.nn.functional.gelu", "torch.nn.functional.gelu(torch.randn(10, 10), approximate='tanh')")
_SIZES = ("torch.nn.ConvTranspose2d", "torch.nn.ConvTranspose2d(4, 6, 3, output_padding=(1, 2))(torch.randn(2, 4, 5, 4))")
_MAXIMUM = ("torch.max", "torch.max(torch.randn(5, 5, 5), 1)")
_NUMBER = ("torch.Tensor.index_select", "torch.tensor(-8.4784).index_select(0, torch.tensor([0]))")
_PADDED = ("torch.nn.functional.pad", "torch.nn.functional.pad(torch.randn(3, 3, 5, 5), (0, 2, 0, 1), 'reflect')")


class _Evidence:
    """One sample passes and one, of this call, does not."""

    def __init__(self, failing: str) -> None:
        self.failing = failing

    def outcome(self, entry: Entry) -> Outcome:
        counts = {_GRAPH: {"float32": {"pass": 1, "not run here": 1} if self.failing else {"pass": 2}}}
        failures = [Failure(_GRAPH, "float32", "not run here", self.failing, "no bprop")] if self.failing else []
        return Outcome("", "", "", {}, counts, failures)


class _Subject:
    def __init__(self, failing: str) -> None:
        self.catalog, self.evidence = catalog.load(), _Evidence(failing)


def _said(sample: tuple[str, str], *calls: str) -> str | None:
    name, failing = sample
    subject: Any = _Subject(failing)
    return second_gradient(subject, name, [ast.parse(call, mode="eval").body for call in calls])[1]


@pytest.mark.parametrize(
    ("sample", "calls", "expected"),
    [
        (_CONVOLUTION, ("nn.Conv2d(3, 4, 3)", "self.one(x)"), "right"),
        (_CONVOLUTION, ("nn.Conv2d(3, 4, 3, padding_mode='reflect')",), "no kernel"),
        (_CONVOLUTION, ("nn.Conv2d(3, 4, 3, padding_mode=mode)",), "right in part"),
        (_CONVOLUTION, ("nn.Conv2d(3, 4, 3, **options)",), "right in part"),
        (_CONVOLUTION, ("nn.Conv2d(3, 4, 3)", "nn.Conv2d(3, 4, 3, padding_mode='circular')"), "right in part"),
        (_GELU, ("F.gelu(x)",), "right"),
        (_GELU, ("F.gelu(x, approximate='tanh')",), "no kernel"),
        (_SIZES, ("nn.ConvTranspose2d(3, 4, 3)",), "right"),
        (_SIZES, ("nn.ConvTranspose2d(3, 4, 3, output_padding=1)",), "no kernel"),
        (_SIZES, ("nn.ConvTranspose2d(3, 4, 3, dilation=2)",), "right in part"),
        (_MAXIMUM, ("x.max()",), "right"),
        (_MAXIMUM, ("x.max(dim=2)",), "no kernel"),
        (_NUMBER, ("x.index_select(1, i)",), "right"),
        (_PADDED, ("F.pad(x, (1, 1))",), "right"),
        (_PADDED, ("F.pad(x, (1, 1), mode='reflect')",), "no kernel"),
        (("torch.nn.functional.pad", ""), ("F.pad(x, (1, 1))",), "right"),
        (("torch.nn.functional.pad", ""), ("F.pad(x, (1, 1), mode='reflect')",), "right in part"),
        (("torch.nn.functional.pad", ""), ("F.pad(x, (1, 1), 'reflect')",), "right in part"),
    ],
)
def test_a_word_decides(sample: tuple[str, str], calls: tuple[str, ...], expected: str) -> None:
    assert _said(sample, *calls) == expected


def test_a_default_word_that_failed_is_asked_for_by_saying_nothing() -> None:
    sample = ("torch.nn.functional.interpolate", "torch.nn.functional.interpolate(torch.randn(2, 3, 4), (3,), mode='nearest')")
    assert _said(sample, "F.interpolate(x, scale_factor=2)") == "no kernel"
    assert _said(sample, "F.interpolate(x, scale_factor=2, mode='bilinear')") == "right in part"


class _OfFunctions:
    """Functions were differentiated twice, layers only once."""

    def outcome(self, entry: Entry) -> Outcome:
        check = "gradient" if entry.kind == "layer" else _GRAPH
        return Outcome("", "", "", {}, {check: {"float32": {"pass": 1}}})


@pytest.mark.parametrize(("layer", "said"), [("torch.nn.Tanh", "right"), ("torch.nn.ReLU", "right"), ("torch.nn.Linear", "not measured")])
def test_a_layer_without_parameters_is_judged_by_its_function(layer: str, said: str) -> None:
    subject: Any = _Subject("")
    subject.evidence = _OfFunctions()
    assert second_gradient(subject, layer)[1] == said
