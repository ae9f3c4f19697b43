"""Where PyNative's lost terms are none: linear steps behind which the gradient is constant, and products of two axes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.analysis.axes import Axes
from mindport.analysis.constant_cotangent import constant, loses_terms, only_where_constant
from mindport.analysis.links import Links
from mindport.analysis.questions.second_order import behind, section, taken
from mindport.report.analysis import analyze
from mindport.source.discover import discover
from tests.analysis.dynamic_shape.running import subject_of

_PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.rest = nn.Sequential(nn.LeakyReLU(0.2), nn.Linear(8, 4), nn.Tanh(), nn.Linear(4, 1))

    def forward(self, x):
        BODY


def penalty(net, real, fake):
    x = (real + fake).requires_grad_(True)
    score = net(x)
    TAKE
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


def train(net: Critic):
    return penalty(net, torch.randn(4, 6), torch.randn(4, 6))
"""
_TAKE = "grad = torch.autograd.grad(score.sum(), x, create_graph=True)[0]"


def _facts(body: str, take: str) -> tuple[dict[str, list[ast.AST]], set[int], Axes, dict[str, list[object]]]:
    subject = subject_of(_PROGRAM.replace("BODY", body.replace("\n", "\n        ")).replace("TAKE", take.replace("\n", "\n    ")))
    (place,) = taken(subject)
    links = Links(subject)
    reached = behind(links, place)
    ends = constant(links, reached, place.file, place.call, place.starts, place.weights)
    return {n: [node for _, node in p] for n, p in reached.uses.items()}, ends, Axes(links, reached), reached.uses  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("body", "take", "name"),
    [
        ("return self.rest(self.first(x)).squeeze(1)", _TAKE, "torch.Tensor.sum"),
        ("return self.rest(self.first(x)).mean(dim=1)", _TAKE, "torch.Tensor.mean"),
        ("h = self.first(x)\nh = self.rest(h)\nout = h.mean(dim=1)\nreturn 2.0 * out", _TAKE, "torch.Tensor.mean"),
        ("return torch.cat((self.rest(self.first(x)), self.first(x).mean(dim=1, keepdim=True)), 1).sum(1)", _TAKE, "torch.Tensor.mean"),
        ("return self.rest(self.first(x)).mean(1)", "grad = torch.autograd.grad(outputs=score, inputs=x, grad_outputs=torch.ones_like(score), create_graph=True)[0]", "torch.Tensor.mean"),
        ("return self.rest(self.first(x)).mean(1)", "ones = torch.ones(score.size())\ngrad = torch.autograd.grad(score, x, ones, create_graph=True)[0]", "torch.Tensor.mean"),
    ],
)  # fmt: skip
def test_a_linear_end_has_a_constant_gradient(body: str, take: str, name: str) -> None:
    _, ends, _, uses = _facts(body, take)
    assert only_where_constant(uses, name, ends)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "take", "name"),
    [
        ("return torch.tanh(self.first(x).mean(dim=1))", _TAKE, "torch.Tensor.mean"),
        ("h = self.first(x).mean(dim=1)\nreturn h * h", _TAKE, "torch.Tensor.mean"),
        ("h = self.first(x).mean(dim=1)\nreturn h + torch.exp(h)", _TAKE, "torch.Tensor.mean"),
        ("h = self.first(x).mean(dim=1)\nreturn h * x[:, 0]", _TAKE, "torch.Tensor.mean"),
        ("h = x\nfor _ in range(2):\n    h = self.first(h).mean(dim=1)\nreturn h", _TAKE, "torch.Tensor.mean"),
        ("return self.rest(self.first(x)).mean(1)", "grad = torch.autograd.grad(score, x, grad_outputs=score * 2, create_graph=True)[0]", "torch.Tensor.mean"),
        ("return self.rest(self.first(x)).mean(1)", "grad = torch.autograd.grad((score ** 2).sum(), x, create_graph=True)[0]", "torch.Tensor.mean"),
        ("return self.rest(self.first(x)).mean(1)", "again = net(torch.tanh(score.unsqueeze(1)))\ngrad = torch.autograd.grad(again.sum(), x, create_graph=True)[0]", "torch.Tensor.mean"),
        ("return self.rest(self.first(x)).var(dim=1)", _TAKE, "torch.Tensor.var"),
    ],
)  # fmt: skip
def test_no_other_place_is_taken_for_one(body: str, take: str, name: str) -> None:
    _, ends, _, uses = _facts(body, take)
    assert not only_where_constant(uses, name, ends)  # type: ignore[arg-type]


def _axes(body: str) -> list[int | None]:
    _, _, axes, uses = _facts(body, _TAKE)
    return [axes.given(file, node, "torch.nn.Linear") for file, node in uses["torch.nn.Linear"] if not axes.called_alone(file, node)]  # type: ignore[misc, arg-type]


@pytest.mark.parametrize("body", ["return self.rest(F.relu(self.first(x)))", "h = x.reshape(x.size(0), -1)\nh = torch.relu(self.first(h))\nreturn self.rest(h)"])
def test_two_axes_are_followed_through_layers(body: str) -> None:
    assert _axes(body) == [2, 2, 2]


@pytest.mark.parametrize("body", ["return self.rest(self.first(x.view(2, 2, 6)))", "return self.rest(self.first(x.unsqueeze(1)))"])
def test_more_axes_are_seen(body: str) -> None:
    assert set(_axes(body)) == {3}


@pytest.mark.parametrize("body", ["return self.rest(self.first(x[0]))", "for h in x:\n    y = self.first(h)\nreturn self.rest(y)", "return self.rest(self.first(unknown(x)))"])
def test_what_is_not_known_is_not_two(body: str) -> None:
    assert None in _axes(body) and 2 not in _axes(body)


def test_a_reduction_without_keepdim_loses_terms() -> None:
    def call(text: str) -> list[ast.AST]:
        return [ast.parse(text, mode="eval").body]

    assert loses_terms(call("h.var(dim=1)"), "torch.Tensor.var")
    assert not loses_terms(call("h.var(dim=1, keepdim=True)"), "torch.Tensor.var")
    assert not loses_terms(call("h.tanh()"), "torch.Tensor.tanh")


def test_steps_that_change_axes_lose_terms() -> None:
    assert all(loses_terms([], name) for name in ("torch.Tensor.view", "torch.Tensor.flatten", "torch.squeeze", "torch.nn.Conv1d"))
    assert not loses_terms([], "torch.nn.Conv2d")


def test_a_view_is_harmless_behind_the_last_nonlinear_step_alone() -> None:
    for body, harmless in (("return self.rest(self.first(x)).view(-1)", True), ("return self.rest(torch.tanh(self.first(x)).view(4, 8))", False)):
        _, ends, _, uses = _facts(body, _TAKE)
        assert only_where_constant(uses, "torch.Tensor.view", ends) is harmless  # type: ignore[arg-type]


def test_a_layer_whose_weight_is_made_anew_is_on_the_way() -> None:
    program = _PROGRAM.replace("nn.Linear(6, 8)", "nn.utils.weight_norm(nn.Linear(6, 8))").replace("BODY", "return self.rest(self.first(x))").replace("TAKE", _TAKE)
    assert "torch.nn.utils.weight_norm" in next(a for a in section(subject_of(program)).answers if a.row == "F4").value


def test_a_parametrization_that_nothing_has_run_is_not_known_to_work() -> None:
    layer = "nn.utils.parametrizations.orthogonal(nn.Linear(6, 8))"
    program = _PROGRAM.replace("nn.Linear(6, 8)", layer).replace("BODY", "return self.rest(self.first(x))").replace("TAKE", _TAKE)
    value = next(a for a in section(subject_of(program)).answers if a.row == "F4").value
    assert "nothing is known for certain of torch.nn.utils.parametrizations.orthogonal" in value or value.startswith("no run has measured")


def test_tensors_of_whole_numbers_carry_no_gradient(tmp_path: Path) -> None:
    """The grid of a translation blocked LightweightGAN: meshgrid has no second gradient, and none goes through it."""
    take = "grad = torch.autograd.grad(score.sum(), x, create_graph=True)[0]"
    for given, there in (("rows, _ = torch.meshgrid(torch.arange(3, dtype=torch.long), torch.arange(2))\n        return self.rest(self.first(x[rows, 0]))", False), ("a, b = torch.meshgrid(x[0], x[1])\n        return self.rest(a * b)", True)):
        (tmp_path / "net.py").write_text(_PROGRAM.replace("BODY", given).replace("TAKE", take))
        found = analyze(discover([tmp_path])).report.found()
        assert any(item.code == "MP411" and "meshgrid" in item.message for item in found) is there


@pytest.mark.parametrize(
    ("selects", "named"),
    [
        ("i, j = (d < 3.0).nonzero(as_tuple=True); e = d[i, j]", "torch.Tensor.nonzero"),
        ("i, j = torch.where(d < 3.0); e = d[i, j]", "torch.where"),
        ("e = torch.masked_select(d, d < 3.0)", "torch.masked_select"),
        ("e = d[d < 3.0]", "d[d < 3.0]"),
        ("e = torch.where(d < 3.0, d, 0.0)", ""),
        ("e = d * (d < 3.0)", ""),
    ],
)
def test_sizes_that_values_decide_are_told_where_they_are_differentiated_twice(selects: str, named: str, tmp_path: Path) -> None:
    """Compiled, MindSpore 2.10 has "Primitive ShapeCalc's bprop not defined" for each of the four."""
    (tmp_path / "program.py").write_text(f"""import torch
from torch import nn


class Potential(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Linear(1, 1)

    def forward(self, pos):
        d = (pos[:, None] - pos[None]).pow(2).sum(-1)
        {selects}
        return self.scale(e.reshape(-1, 1)).sum()


pos = torch.linspace(0, 1, 12).reshape(4, 3).requires_grad_(True)
force = torch.autograd.grad(Potential()(pos), pos, create_graph=True)[0]
""")
    told = [item.message for item in analyze(discover([tmp_path])).report.found() if item.code == "MP411" and "decide how many" in item.message]
    assert [named in message for message in told] == ([True] if named else [])
