"""Runs one sample through torch and through an equivalent, and says how they compare.

Runs inside a worker; imports both frameworks.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import mindspore as ms
import numpy as np
import torch

from mindport.declare import Declaration, Refused
from mindport.evidence import compare, everywhere
from mindport.evidence.bridge import NoCounterpart, tensor_to_torch, to_mindspore
from mindport.evidence.distribution import apart
from mindport.evidence.hard_samples import LARGE_NUMBERS, LAYOUTS
from mindport.evidence.kernels import not_for_this_dtype, not_run_here
from mindport.evidence.programs import reproduction
from mindport.evidence.samples import STRIDED, UNINITIALIZED, Sample, copied, resolve, tensors
from mindport.evidence.store import Verdict

#: A message is a line; MindSpore's own run to pages.
MESSAGE_LENGTH = 300
#: How a declared difference says that MindSpore's process may die.
ENDS_THE_PROCESS = "ends the process"
#: Gradients add up over more terms than results do, in another order.
GRADIENT_LOOSENED = 10.0


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
    first = next(iter(tensors([given.args, given.kwargs])), None)
    summed = isinstance(expected, torch.Tensor) and first is not None and expected.shape != first.shape
    largest = max((float(t.abs().max()) for t in tensors([sample.args, sample.kwargs]) if t.numel()), default=0.0) if summed and sample.edge == LARGE_NUMBERS else 0.0
    layout = sample.edge if sample.edge in (STRIDED, *LAYOUTS) else ""

    def ours() -> str:
        if any(t.numel() == 0 for t in tensors([sample.args, sample.kwargs])):
            _dirty_memory()
        args = to_mindspore(sample.args, layout=layout)
        kwargs = to_mindspore(sample.kwargs)
        actual = subject.declaration.target(*args, **kwargs)
        found = compare.difference(expected, actual, values=subject.name not in UNINITIALIZED, terms=largest)
        if not found and (subject.in_place or given.kwargs.get("inplace")) and isinstance(given.args[0], torch.Tensor):
            found = compare.difference(given.args[0], args[0])
            found = found and f"the tensor itself afterwards: {found}"
        if not found and isinstance(given.kwargs.get("out"), torch.Tensor):
            found = compare.difference(given.kwargs["out"], kwargs["out"])
            found = found and f"out afterwards: {found}"
        if found and (reason := everywhere.known(sample, expected, actual, subject.torch)):
            raise everywhere.Everywhere(reason)
        return found

    result = judged(subject.declaration, sample, subject.told(sample), ours)
    single = isinstance(expected, torch.Tensor)
    if result.verdict == "differs" and single and not subject.in_place and compare.torch_differs(expected, subject.torch(copied(sample))):
        return distribution(subject, sample)  # torch draws, for these arguments
    return result


def _dirty_memory() -> None:
    """Leave large numbers in freed memory: some kernels do nothing for an empty input and return what was there."""
    held = [ms.Tensor(np.full((size,), 7e30, np.float32)) + 1 for size in (1, 4, 16, 64, 256) for _ in range(8)]
    held[-1].asnumpy()


def judged(declaration: Declaration, sample: Sample, call: str, ours: Callable[[], str], inputs: tuple[Any, ...] = ()) -> Result:
    """Run our side and turn what happens into a verdict; `sample` is what a declared difference's `when` speaks about.

    `inputs`: what a layer is called with, which its differences may name, too.
    """
    try:
        found = ours()
    except Refused as refusal:
        return Result("refused", call, str(refusal))
    except everywhere.Everywhere as known:
        return Result("declared", call, str(known))
    except NoCounterpart as missing:
        return Result("not run here", call, str(missing))
    except Exception as error:
        message = f"{type(error).__name__}: {_line(str(error))}"
        exotic = declaration.kind != "layer" and not any(t.dtype == torch.float32 for t in tensors([sample.args, sample.kwargs]))
        if not_run_here(str(error)) or exotic and not_for_this_dtype(str(error)):
            return Result("not run here", call, message)
        if isinstance(error, NotImplementedError):  # a refusal as the vendored module writes it
            return Result("refused", call, _line(str(error)))
        if declared := _declared(declaration, sample, inputs):
            return Result("declared", call, f"{declared} ({message})")
        return Result("raises", call, message)
    if not found:
        return Result("pass", call)
    if declared := _declared(declaration, sample, inputs):
        return Result("declared", call, f"{declared} ({found})")
    return Result("differs", call, found)


def _line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip() and not set(line.strip()) <= {"-"}]
    return " ".join(lines)[:MESSAGE_LENGTH]


#: What a `when` may use beside the parameters; the expressions are ours, and still get no more than they need.
_WHEN = {name: getattr(builtins, name) for name in (
    "isinstance", "len", "any", "all", "abs", "min", "max", "tuple", "list", "int", "float", "bool", "str", "dict",
)}  # fmt: skip
#: A vendored function, which is what runs here, asks for the axes itself.
_WHEN["seen_axes"] = lambda tensor, count: True
_WHEN["seen_dtype"] = lambda tensor, *dtypes: True
_WHEN["on_tape"] = False


def accounted(declaration: Declaration, sample: Sample, inputs: tuple[Any, ...] = ()) -> str:
    """The declared difference by which MindSpore's process may die for these arguments, "" where none is.

    Only one that is said to be loud and to end the process: what is declared of a result excuses no death.
    """
    deadly = [d for d in declaration.differs if d.risk == "loud" and ENDS_THE_PROCESS in d.what]
    return _declared(replace(declaration, differs=deadly), sample, inputs)


def _declared(declaration: Declaration, sample: Sample, inputs: tuple[Any, ...]) -> str:
    """The first declared difference that these arguments hit, "" where none does."""
    for difference in declaration.differs:
        if difference.when is None:
            return difference.what
        bound = _signature(declaration).bind(*sample.args, **sample.kwargs)
        bound.apply_defaults()
        values = {"__builtins__": _WHEN, "Tensor": torch.Tensor, "Parameter": torch.nn.Parameter, "ms": torch, "inputs": inputs, **bound.arguments}
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


#: Values drawn on each side before two distributions are compared, and calls made for them at most.
DRAWS = 4000
MOST_CALLS = 100


def distribution(subject: Subject, sample: Sample) -> Result:
    """Compare structure, shape and dtype of one call, and the pooled values of many."""
    expected = subject.torch(copied(sample))

    def ours() -> str:
        def draw() -> Any:
            return subject.declaration.target(*to_mindspore(sample.args), **to_mindspore(sample.kwargs))

        return drawn_alike(subject, sample, expected, draw)

    return judged(subject.declaration, sample, subject.told(sample), ours)


def drawn_alike(subject: Subject, sample: Sample, expected: Any, draw: Callable[[], Any], *, sequences_alike: bool = False) -> str:
    """A sentence where what `draw` gives differs from torch in structure, or in distribution over many calls."""
    values = expected if isinstance(expected, torch.Tensor) and subject.name not in UNINITIALIZED else None
    calls = 1 if values is None or not values.numel() else min(MOST_CALLS, -(-DRAWS // values.numel()))
    drawn = []
    for _ in range(calls):
        actual = draw()
        if found := compare.difference(expected, actual, values=False, sequences_alike=sequences_alike):
            return found
        if values is not None:
            drawn.append(tensor_to_torch(actual))
    if values is None or values.is_complex():
        return ""
    right = [values] + [subject.torch(copied(sample)) for _ in range(calls - 1)]
    return apart(torch.stack(right), torch.stack(drawn))
