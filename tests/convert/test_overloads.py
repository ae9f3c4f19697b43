"""A function of several forms as a value, or with starred arguments: the form is chosen when it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """
import torch

make = torch.arange
fns = {"range": torch.arange, "line": torch.linspace}


def steps(*args, **kwargs):
    return torch.arange(*args, **kwargs)


drawn = (lambda *a: torch.randint(*a))(2, 3, (4,))
kept = [
    make(4), make(1, 4), make(0, 1, 0.25), make(end=3), fns["range"](2, 8, 2), steps(3), steps(1, 3), steps(5, dtype=torch.float32),
    steps(0, 4, step=2), drawn, (torch.randint)(1, (3,)),
]
"""


NUMPY = """
import torch

stack = torch.stack
reduce_sum = lambda x, *args, **kwargs: x.sum(*args, **kwargs)
largest = lambda x, *args, **kwargs: x.argmax(*args, **kwargs)


def mean(x, **options):
    return torch.mean(x, **options)


a = torch.arange(6.0).reshape(2, 3)
x = torch.nonzero(a)
kept = [stack((a, a), axis=-1), stack((a, a), 1), reduce_sum(a, axis=1), reduce_sum(a, 0, keepdim=True), largest(a, axis=1), mean(a, axis=0, keepdims=True)]
"""


def test_functions_without_numpy_names_are_passed_on_as_they_are(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\nstack = torch.stack\nf = lambda x, **k: x.sum(**k)\nprint(stack([torch.ones(1)], dim=0), f(torch.ones(2), dim=0))\n")
    assert "numpy_named" not in text


@pytest.mark.frameworks
def test_numpy_names_behind_other_names(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, NUMPY)
    equal_tensors(torch_side.kept, mindspore_side.kept)


def test_nothing_stays(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "mindport: MP" not in text and "make = whichever(arange, arange_from)" in text


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.kept, mindspore_side.kept)
    with pytest.raises(TypeError, match="fit none of its 2 forms"):
        mindspore_side.make()


@pytest.mark.frameworks
def test_the_names_are_those_that_conversion_knows() -> None:
    """The vendored table cannot import inference's: both say the same."""
    from mindport.equivalents.numpy_names import TORCH_NAMES
    from mindport.inference.torchfacts import NUMPY_NAMES

    assert TORCH_NAMES == NUMPY_NAMES
