"""Tensors by functions and methods of which torch annotates no result."""

from __future__ import annotations

import ast

import pytest

from mindport.inference import Project
from mindport.inference import values as v
from mindport.source.file import SourceFile

_HEAD = "import torch\nfrom torch import distributions as d\nfrom torch.distributions import Categorical\n\n\ndef f(x: torch.Tensor, y: torch.Tensor):\n    "


def _last(line: str) -> v.Value:
    file = SourceFile.of(_HEAD + line, "module.py")
    statement = file.tree.body[-1].body[-1]  # type: ignore[attr-defined]
    assert isinstance(statement, ast.Return) and statement.value is not None
    return Project([file]).facts(file).value(statement.value)


@pytest.mark.parametrize(
    "text",
    [
        "(x.norm(2, dim=1) - 1) ** 2", "torch.norm(x)", "Categorical(logits=x).entropy()", "d.Normal(x, y).rsample()", "d.Normal(x, y).log_prob(x).sum(-1)",
        "d.Independent(d.Normal(x, y), 1).log_prob(x)", "x.unique()", "torch.unique_consecutive(x)", "torch.cdist(x, y)", "torch.tensordot(x, y, 1)",
        "torch.block_diag(x, y)", "torch.atleast_2d(x)", "torch.nn.functional.logsigmoid(x)", "x.unflatten(0, (2, 2))",
    ],
)  # fmt: skip
def test_the_result_is_a_tensor(text: str) -> None:
    assert isinstance(_last("return " + text), v.TensorValue)


@pytest.mark.parametrize("text", ["torch.atleast_2d(x, y)", "x.unique(return_inverse=True)", "x.unique_consecutive(return_counts=True)", "torch.unique(x, return_inverse=True)"])
def test_the_result_is_several_tensors(text: str) -> None:
    found = _last("return " + text)
    assert isinstance(found, v.Sequence) and found.type == "tuple"


def test_whether_one_or_several_is_not_claimed_where_it_is_not_said() -> None:
    assert not isinstance(_last("pair = torch.get()\n    return torch.atleast_1d(pair)"), v.TensorValue)


@pytest.mark.parametrize(
    "text",
    ["torch.where(x > y)[0]", "torch.stack(torch.where(x > y), 1)", "x.nonzero(as_tuple=True)[1]", "torch.argwhere(x)", "torch.cat([x.argmax(1), y.argmin(1)])"],
)
def test_places_are_whole_numbers(text: str) -> None:
    found = _last("return " + text)
    assert isinstance(found, v.TensorValue) and found.dtype == "torch.int64"


def test_a_choice_between_tensors_is_one_tensor() -> None:
    assert isinstance(_last("return torch.where(x > y, x, y)"), v.TensorValue)


@pytest.mark.parametrize("call", ["numpy().all()", "detach().cpu().numpy().any()", "numpy().mean()", "numpy().transpose(0, 1)"])
def test_what_a_tensors_method_gives_in_place_of_a_tensor_has_no_tensors_methods(call: str) -> None:
    """A value that is a tensor, or something unknown: its array is an array in either case."""
    text = f"import torch\n\n\ndef made(model):\n    if model.kept:\n        return model.get()\n    return torch.eye(3)\n\n\ndef run(model):\n    return made(model).{call}\n"
    file = SourceFile.of(text, "module.py")
    method = call.split(".")[-1].partition("(")[0]
    assert f"torch.Tensor.{method}" not in {use.name for use in Project([file]).facts(file).uses}
