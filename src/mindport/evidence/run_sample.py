"""Runs one sample through torch and through an equivalent, and says how they compare.

Runs inside a worker; imports both frameworks.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mindspore as ms
import numpy as np
import torch

from mindport.declare import Declaration, Refused
from mindport.evidence import compare
from mindport.evidence.bridge import NoCounterpart, tensor_to_torch, to_mindspore
from mindport.evidence.distribution import apart
from mindport.evidence.kernels import not_for_this_dtype, not_run_here
from mindport.evidence.programs import CallText, module, reproduction
from mindport.evidence.samples import STRIDED, UNINITIALIZED, Sample, copied, mapped, resolve, tensors
from mindport.evidence.store import Verdict
from mindport.evidence.vendored_copy import as_vendored

#: A message is a line; MindSpore's own run to pages.
MESSAGE_LENGTH = 300


@dataclass(frozen=True)
class Result:
    """How one sample compared. `call`: the line that repeats it; `message`: what differs, or the error."""

    verdict: Verdict
    call: str = ""
    message: str = ""


class TorchRefuses(Exception):
    """torch itself raises for this sample, so there is nothing to compare with."""


@dataclass(frozen=True)
class Subject:
    """One torch name and the declaration that is meant to compute it."""

    name: str
    declaration: Declaration

    @property
    def in_place(self) -> bool:
        """Does the name end in an underscore of torch's in-place convention?"""
        last = self.name.rpartition(".")[2]
        return last.endswith("_") and not last.startswith("__")

    @property
    def is_attribute(self) -> bool:
        """Is it read, not called?"""
        return self.declaration.kind == "attribute"

    def torch(self, sample: Sample) -> Any:
        """What torch gives; TorchRefuses where it raises."""
        try:
            if self.is_attribute:
                return getattr(sample.args[0], self.name.rpartition(".")[2])
            return resolve(self.name)(*sample.args, **sample.kwargs)
        except Exception as error:
            raise TorchRefuses(str(error)) from error

    def accepts(self, sample: Sample) -> bool:
        """Do the sample's arguments bind to the equivalent's signature (the overload is meant)?"""
        try:
            inspect.signature(self.declaration.target).bind(*sample.args, **sample.kwargs)
        except TypeError:
            return False
        return True

    def told(self, sample: Sample) -> str:
        """The sample's call as a line."""
        if self.is_attribute:
            return reproduction("", sample.args, {}, sample.edge)[1:-1] + f".{self.name.rpartition('.')[2]}"
        return reproduction(self.name, sample.args, sample.kwargs, sample.edge)


def forward(subject: Subject, sample: Sample) -> Result:
    """Compare results in PyNative; of in-place functions also what became of the first argument."""
    given = copied(sample)
    expected = subject.torch(given)
    strided = sample.edge == STRIDED

    def ours() -> str:
        if any(t.numel() == 0 for t in tensors([sample.args, sample.kwargs])):
            _dirty_memory()
        args = to_mindspore(sample.args, strided=strided)
        kwargs = to_mindspore(sample.kwargs)
        actual = subject.declaration.target(*args, **kwargs)
        found = compare.difference(expected, actual, values=subject.name not in UNINITIALIZED)
        if not found and (subject.in_place or given.kwargs.get("inplace")) and isinstance(given.args[0], torch.Tensor):
            found = compare.difference(given.args[0], args[0])
            found = found and f"the tensor itself afterwards: {found}"
        return found

    result = judged(subject.declaration, sample, subject.told(sample), ours)
    if result.verdict == "differs" and not subject.in_place and compare.torch_differs(expected, subject.torch(copied(sample))):
        return distribution(subject, sample)  # torch draws, for these arguments
    return result


def _dirty_memory() -> None:
    """Leave large numbers in freed memory: some kernels do nothing for an empty input and return what was there."""
    for size in (1, 4, 16, 64, 256):
        made = ms.Tensor(np.full((size,), 7e30, np.float32)) + 1
        made.asnumpy()


def gradient(subject: Subject, sample: Sample, *, order: int = 1, graph: bool = False) -> Result | None:
    """Compare the gradient of the result with a fixed random cotangent, wrt every float tensor.

    `order` 2 compares the gradient of the sum of squares of the first gradient. None where torch has no
    gradient there.
    """
    given = copied(sample)
    leaves: list[torch.Tensor] = []

    def leaf(tensor: torch.Tensor) -> torch.Tensor:
        if not tensor.is_floating_point():
            return tensor
        leaves.append(tensor.requires_grad_())
        return tensor * 1 if subject.in_place or sample.kwargs.get("inplace") else tensor

    live = Sample(mapped(given.args, leaf), mapped(given.kwargs, leaf))
    expected = subject.torch(live)
    places = _float_places(expected)
    outputs = [_at(expected, place) for place in places]
    if not leaves or not any(o.requires_grad for o in outputs) or _without_gradient(subject, live):
        return None
    if not subject.in_place and compare.torch_differs(expected, subject.torch(copied(sample))):
        return None  # torch draws, for these arguments
    places = [p for p, o in zip(places, outputs, strict=True) if o.requires_grad]
    outputs = [o for o in outputs if o.requires_grad]
    generator = torch.Generator().manual_seed(1)
    cotangents = [torch.randn(o.shape, generator=generator).to(o.dtype) for o in outputs]
    try:
        found = torch.autograd.grad(outputs, leaves, cotangents, create_graph=order > 1, allow_unused=True)
        if order > 1:
            squares = [(g**2).sum() for g in found if g is not None and g.requires_grad]
            if not squares:
                return None
            second = torch.autograd.grad(squares, leaves, allow_unused=True)
            first = found
            found = second
    except RuntimeError as error:
        raise TorchRefuses(str(error)) from error
    wanted = tuple(torch.zeros_like(x) if g is None else g.detach() for g, x in zip(found, leaves, strict=True))

    text = CallText(lambda tensor: tensor.is_floating_point())
    call = text.call("target", sample.args, sample.kwargs)
    changes = subject.in_place or sample.kwargs.get("inplace")
    names = list(text.parameters)
    lines = [f"def program({', '.join(names)}):"]
    lines += [f"    {name} = {name} * 1" for name in names if changes]
    lines += [f"    result = {call}", f"    return {_picked(places)}", ""]
    made = module("\n".join(lines), {"target": as_vendored(subject.declaration.target), **text.constants})
    values = [to_mindspore(text.parameters[name]) for name in names]
    sens = tuple(to_mindspore(c) for c in cotangents)
    sens = sens[0] if len(sens) == 1 else sens

    def ours() -> str:
        derive = ms.ops.GradOperation(get_all=True, sens_param=True)
        derived = derive(made.program)
        if order > 1:
            again = tuple(2 * to_mindspore(torch.zeros_like(x) if g is None else g.detach()) for g, x in zip(first, leaves, strict=True))
            derived = _second(derived, len(values), sens, again)
            if graph:
                derived = ms.jit(derived)
            actual = derived(*values)
        else:
            actual = derived(*values, sens)
        return compare.difference(wanted, tuple(actual), loosened=GRADIENT_LOOSENED, sequences_alike=True)

    return judged(subject.declaration, sample, subject.told(sample), ours)


def _without_gradient(subject: Subject, live: Sample) -> bool:
    """Has the function that an in-place method is named after no gradient (logical_not)? torch then passes one on unchanged."""
    if not subject.in_place:
        return False
    try:
        result = resolve(subject.name.rstrip("_"))(*live.args, **live.kwargs)
    except (AttributeError, TypeError, RuntimeError):
        return False
    return isinstance(result, torch.Tensor) and not result.requires_grad


#: Gradients add up over more terms than results do, in another order.
GRADIENT_LOOSENED = 10.0


def _second(derived: Callable[..., Any], count: int, sens: Any, again: tuple[Any, ...]) -> Callable[..., Any]:
    """The gradient of the sum of squares of the gradient, without a sum (PyNative's second gradient of sum is wrong)."""
    names = ", ".join(f"a{i}" for i in range(count))
    text = (
        f"def first({names}):\n    return derived({names}, sens)\n\n"
        f"def second({names}):\n    return derive(first)({names}, again)\n"
    )
    derive = ms.ops.GradOperation(get_all=True, sens_param=True)
    made = module(text, {"derived": derived, "sens": sens, "again": again, "derive": derive})
    return made.second  # type: ignore[no-any-return]


def graph(subject: Subject, sample: Sample) -> Result:
    """Compare results under ``ms.jit``."""
    given = copied(sample)
    expected = subject.torch(given)
    text = CallText(lambda tensor: True)
    call = text.call("target", sample.args, sample.kwargs)
    names = list(text.parameters)
    # Of a named tuple ms.jit gives the first value only where it is what the compiled function returns.
    parts = [f"result[{i}]" for i in range(len(expected))] if isinstance(expected, tuple) else ["result"]
    returned = f"({', '.join(parts)},)" if isinstance(expected, tuple) and not isinstance(expected, torch.Size) else "result"
    made = module(
        f"def program({', '.join(names)}):\n    result = {call}\n    return {returned}\n",
        {"target": as_vendored(subject.declaration.target), **text.constants},
    )
    values = [to_mindspore(text.parameters[name]) for name in names]

    def ours() -> str:
        return compare.difference(expected, ms.jit(made.program)(*values), sequences_alike=True)

    return judged(subject.declaration, sample, subject.told(sample), ours)


def judged(declaration: Declaration, sample: Sample, call: str, ours: Callable[[], str]) -> Result:
    """Run our side and turn what happens into a verdict; `sample` is what a declared difference's `when` speaks about."""
    try:
        found = ours()
    except Refused as refusal:
        return Result("refused", call, str(refusal))
    except NoCounterpart as missing:
        return Result("not run here", call, str(missing))
    except Exception as error:
        message = f"{type(error).__name__}: {_line(str(error))}"
        exotic = declaration.kind != "layer" and not any(t.dtype == torch.float32 for t in tensors([sample.args, sample.kwargs]))
        if not_run_here(str(error)) or exotic and not_for_this_dtype(str(error)):
            return Result("not run here", call, message)
        if isinstance(error, NotImplementedError):  # a refusal as the vendored module writes it
            return Result("refused", call, _line(str(error)))
        if declared := _declared(declaration, sample):
            return Result("declared", call, f"{declared} ({message})")
        return Result("raises", call, message)
    if not found:
        return Result("pass", call)
    if declared := _declared(declaration, sample):
        return Result("declared", call, f"{declared} ({found})")
    return Result("differs", call, found)


def _line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip() and not set(line.strip()) <= {"-"}]
    return " ".join(lines)[:MESSAGE_LENGTH]


#: What a `when` may use beside the parameters; the expressions are ours, and still get no more than they need.
_WHEN = {name: getattr(builtins, name) for name in (
    "isinstance", "len", "any", "all", "abs", "min", "max", "tuple", "list", "int", "float", "bool", "str", "dict",
)}  # fmt: skip


def _declared(declaration: Declaration, sample: Sample) -> str:
    """The first declared difference that these arguments hit, "" where none does."""
    for difference in declaration.differs:
        if difference.when is None:
            return difference.what
        bound = _signature(declaration).bind(*sample.args, **sample.kwargs)
        bound.apply_defaults()
        values = {"__builtins__": _WHEN, "Tensor": torch.Tensor, "ms": torch, **bound.arguments}
        try:
            holds = bool(eval(difference.when, values))
        except Exception as error:
            holds = False
            raise ValueError(f"the condition {difference.when!r} cannot be evaluated: {error}") from error
        if holds:
            return difference.what
    return ""


def _signature(declaration: Declaration) -> inspect.Signature:
    """Of the function, or of a layer's ``__init__`` without ``self``."""
    if declaration.kind != "layer":
        return inspect.signature(declaration.target)
    known = inspect.signature(declaration.target.__init__)
    return known.replace(parameters=list(known.parameters.values())[1:])


def _float_places(value: Any) -> list[tuple[int, ...]]:
    """Where the float tensors stand in a result: () for the result itself, (1,) for its second item."""
    if isinstance(value, torch.Tensor):
        return [()] if value.is_floating_point() else []
    if isinstance(value, (tuple, list)):
        return [(i, *rest) for i, item in enumerate(value) for rest in _float_places(item)]
    return []


def _at(value: Any, place: tuple[int, ...]) -> torch.Tensor:
    for index in place:
        value = value[index]
    assert isinstance(value, torch.Tensor)
    return value


def _picked(places: list[tuple[int, ...]]) -> str:
    texts = ["result" + "".join(f"[{i}]" for i in place) for place in places]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


#: Values drawn on each side before two distributions are compared, and calls made for them at most.
DRAWS = 4000
MOST_CALLS = 100


def distribution(subject: Subject, sample: Sample) -> Result:
    """Compare structure, shape and dtype of one call, and the pooled values of many."""
    expected = subject.torch(copied(sample))
    values = expected if isinstance(expected, torch.Tensor) and subject.name not in UNINITIALIZED else None
    calls = 1 if values is None or not values.numel() else min(MOST_CALLS, -(-DRAWS // values.numel()))

    def ours() -> str:
        drawn = []
        for _ in range(calls):
            actual = subject.declaration.target(*to_mindspore(sample.args), **to_mindspore(sample.kwargs))
            if found := compare.difference(expected, actual, values=False):
                return found
            if values is not None:
                drawn.append(tensor_to_torch(actual))
        if values is None or values.is_complex():
            return ""
        right = [values] + [subject.torch(copied(sample)) for _ in range(calls - 1)]
        return apart(torch.stack(right), torch.stack(drawn))

    return judged(subject.declaration, sample, subject.told(sample), ours)
