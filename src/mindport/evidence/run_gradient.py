"""Compares gradients, and gradients of gradients, of a sample. Runs inside a worker; imports both frameworks.

The second gradient is taken as a network meets it: of ``y + y * y`` with y the function's result, so that it goes
through the function's backward pass also where the function is linear.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mindspore as ms
import torch

from mindport.evidence import compare
from mindport.evidence.bridge import tensor_to_torch, to_mindspore
from mindport.evidence.distribution import apart
from mindport.evidence.programs import CallText, module
from mindport.evidence.run_sample import GRADIENT_LOOSENED, Result, Subject, TorchRefuses, judged
from mindport.evidence.samples import Sample, copied, mapped, resolve, tensors
from mindport.evidence.vendored_copy import as_vendored

#: Gradients of functions that draw are compared by distribution: values drawn on each side, and calls at most.
DRAWS = 2000
MOST_CALLS = 40
#: From here on a gradient is that of a pole.
POLE = 1e9
#: MindSpore keeps what it made of a backward pass: two operators' was right once, and wrong when it was used again.
CALLS = 2
#: What torch says of an argument that a function gives no gradient.
NOT_AN_ARGUMENT = "This input cannot have requires_grad True"


class NotTwice(TorchRefuses):
    """torch has a gradient and no second one."""


@dataclass(frozen=True)
class Problem:
    """What is differentiated: which tensors of the call (in order) are leaves, which parts of the result count."""

    subject: Subject
    sample: Sample
    chosen: frozenset[int]
    places: tuple[tuple[int, ...], ...]
    cotangents: tuple[torch.Tensor, ...]
    complex_ones: frozenset[int]
    order: int

    def torch(self) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
        """Gradients, and the first gradients where the order is 2; zeros where there is none."""
        leaves, expected = _live(self.subject, self.sample, self.chosen)
        outputs = _outputs(expected, self.places)
        if self.order > 1:
            outputs = [o + o * o for o in outputs]
        first = torch.autograd.grad(outputs, leaves, self.cotangents, create_graph=self.order > 1, allow_unused=True)
        if self.order == 1:
            return _zeros(first, leaves), []
        squares = [(g**2).sum() for g in first if g is not None and g.requires_grad]
        if not squares:
            return _zeros([None] * len(leaves), leaves), _zeros(first, leaves)
        try:
            second = torch.autograd.grad(squares, leaves, allow_unused=True)
        except RuntimeError as error:
            raise NotTwice(str(error)) from error
        return _zeros(second, leaves), _zeros(first, leaves)


def _zeros(found: Any, leaves: list[torch.Tensor]) -> list[torch.Tensor]:
    return [torch.zeros_like(x) if g is None else g.detach() for g, x in zip(found, leaves, strict=True)]


def _live(subject: Subject, sample: Sample, chosen: frozenset[int]) -> tuple[list[torch.Tensor], Any]:
    """The leaves and the result that hangs on them."""
    given = copied(sample)
    leaves: list[torch.Tensor] = []
    numbers = itertools.count()

    def leaf(tensor: torch.Tensor) -> torch.Tensor:
        if not tensor.is_floating_point() or next(numbers) not in chosen:
            return tensor
        leaves.append(tensor.requires_grad_())
        return tensor * 1 if subject.in_place or sample.kwargs.get("inplace") else tensor

    live = Sample(mapped(given.args, leaf), mapped(given.kwargs, leaf))
    return leaves, subject.torch(live)


def _chosen(subject: Subject, sample: Sample) -> tuple[frozenset[int], Any]:
    """All float tensors, or those of them that torch differentiates, and the result; TorchRefuses where torch has none."""
    count = sum(t.is_floating_point() for t in tensors([sample.args, sample.kwargs]))
    every = frozenset(range(count))
    try:
        return every, _live(subject, sample, every)[1]
    except TorchRefuses as refusal:
        if NOT_AN_ARGUMENT not in str(refusal):
            raise
    kept = set()
    for number in range(count):
        try:
            _live(subject, sample, frozenset((number,)))
        except TorchRefuses:
            continue
        kept.add(number)
    return frozenset(kept), _live(subject, sample, frozenset(kept))[1]


def gradient(subject: Subject, sample: Sample, *, order: int = 1, graph: bool = False, finite: bool = False) -> Result | None:
    """Compare the gradient of the result with a fixed random cotangent, with respect to every float tensor.

    `order` 2 compares the gradient of the sum of squares of the first gradient. None where torch has no
    gradient there. `finite`: elements whose gradient is infinite in torch, or as good as that, do not count.
    """
    chosen, expected = _chosen(subject, sample)
    places = tuple(p for p in _places(expected) if _at(expected, p).requires_grad)
    if not chosen or not places or _without_gradient(subject, sample, chosen):
        return None
    generator = torch.Generator().manual_seed(1)
    cotangents = tuple(torch.randn(o.shape, generator=generator).to(o.dtype) for o in _outputs(expected, places))
    complex_ones = frozenset(n for n, place in enumerate(places) if _at(expected, place).is_complex())
    problem = Problem(subject, sample, chosen, places, cotangents, complex_ones, order)
    draws = subject.declaration.random or (
        not subject.in_place and compare.torch_differs(expected, subject.torch(copied(sample)))
    )
    try:
        wanted, first = problem.torch()
    except NotTwice as error:
        return Result("none in torch", subject.told(sample), str(error)[:200])
    except RuntimeError as error:
        raise TorchRefuses(str(error)) from error
    if finite:
        wanted = without_poles(wanted)

    def ours() -> str:
        program, values = _program(problem, first, graph)
        if draws:
            return _distributions(problem, wanted, program, values)
        found = [compare.difference(tuple(wanted), tuple(program(*values)), loosened=GRADIENT_LOOSENED, sequences_alike=True) for _ in range(1 if graph else CALLS)]
        return found[0] or (f"in a later call: {found[-1]}" if found[-1] else "")

    return judged(subject.declaration, sample, subject.told(sample), ours)


def without_poles(gradients: list[torch.Tensor]) -> list[torch.Tensor]:
    """NaN, which agrees with everything infinite or undefined, where a gradient is that of a pole."""
    dense = [g if g.layout == torch.strided else g.to_dense() for g in gradients]
    return [torch.where(g.abs() < POLE, g, torch.nan) for g in dense]


def _program(problem: Problem, first: list[torch.Tensor], graph: bool) -> tuple[Callable[..., Any], list[Any]]:
    """The function that gives MindSpore's gradients, and its arguments."""
    subject, sample = problem.subject, problem.sample
    numbers = itertools.count()
    text = CallText(lambda tensor: tensor.is_floating_point() and next(numbers) in problem.chosen)
    call = text.call("target", sample.args, sample.kwargs)
    names = ", ".join(text.parameters)
    lines = [f"def program({names}):"]
    if subject.in_place or sample.kwargs.get("inplace"):
        lines += [f"    {name} = {name} * 1" for name in text.parameters]
    lines += [f"    result = {call}"]
    picked = []
    for number, place in enumerate(problem.places):
        lines.append(f"    r{number} = {_text(place)}")
        if number in problem.complex_ones:
            lines.append(f"    r{number} = ms.ops.stack((ms.ops.real(r{number}), ms.ops.imag(r{number})), axis=-1)")
        picked.append(f"r{number} + r{number} * r{number}" if problem.order > 1 else f"r{number}")
    lines += [f"    return {picked[0] if len(picked) == 1 else '(' + ', '.join(picked) + ')'}", ""]
    sens = tuple(to_mindspore(c) for c in problem.cotangents)
    derive = ms.ops.GradOperation(get_all=True, sens_param=True)
    known = {"target": as_vendored(subject.declaration.target), "derive": derive, **text.constants}
    known |= {"sens": sens[0] if len(sens) == 1 else sens, "again": tuple(2 * to_mindspore(g) for g in first)}
    lines += [f"def first({names}):", f"    return derive(program)({names}, sens)", ""]
    # The gradient of the sum of squares of the first gradient, without a sum (PyNative's second gradient of it is wrong).
    lines += [f"def second({names}):", f"    return derive(first)({names}, again)", ""]
    made = module("\n".join(lines), known)
    found = made.second if problem.order > 1 else made.first
    return ms.jit(found) if graph else found, [to_mindspore(value) for value in text.parameters.values()]


def _distributions(problem: Problem, wanted: list[torch.Tensor], program: Callable[..., Any], values: list[Any]) -> str:
    """Pool the gradients of many calls on both sides and compare."""
    calls = min(MOST_CALLS, -(-DRAWS // max(1, min(t.numel() for t in wanted))))
    theirs = [wanted] + [problem.torch()[0] for _ in range(calls - 1)]
    ours = []
    for _ in range(calls):
        got = tuple(program(*values))
        if found := compare.difference(tuple(wanted), got, values=False, sequences_alike=True):
            return found
        ours.append([tensor_to_torch(g) for g in got])
    for number in range(len(wanted)):
        if found := apart(torch.stack([g[number] for g in theirs]), torch.stack([g[number] for g in ours])):
            return f"[{number}]: {found}"
    return ""


def _without_gradient(subject: Subject, sample: Sample, chosen: frozenset[int]) -> bool:
    """Has the function that an in-place method is named after no gradient (logical_not)? torch then passes one on unchanged."""
    if not subject.in_place:
        return False
    given = copied(sample)
    numbers = itertools.count()

    def leaf(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.requires_grad_() if tensor.is_floating_point() and next(numbers) in chosen else tensor

    live = Sample(mapped(given.args, leaf), mapped(given.kwargs, leaf))
    try:
        result = resolve(subject.name.rstrip("_"))(*live.args, **live.kwargs)
    except (AttributeError, TypeError, RuntimeError):
        return False
    return isinstance(result, torch.Tensor) and not result.requires_grad


def _places(value: Any) -> list[tuple[int, ...]]:
    """Where the float and complex tensors stand in a result: () for the result itself, (1,) for its second item."""
    if isinstance(value, torch.Tensor):
        return [()] if value.is_floating_point() or value.is_complex() else []
    if isinstance(value, (tuple, list)):
        return [(i, *rest) for i, item in enumerate(value) for rest in _places(item)]
    return []


def _at(value: Any, place: tuple[int, ...]) -> torch.Tensor:
    for index in place:
        value = value[index]
    assert isinstance(value, torch.Tensor)
    return value


def _outputs(result: Any, places: tuple[tuple[int, ...], ...]) -> list[torch.Tensor]:
    """The parts of a result; of complex ones the real and the imaginary part side by side."""
    parts = [_at(result, place) for place in places]
    return [torch.view_as_real(p.resolve_conj()) if p.is_complex() else p for p in parts]


def _text(place: tuple[int, ...]) -> str:
    return "result" + "".join(f"[{index}]" for index in place)
