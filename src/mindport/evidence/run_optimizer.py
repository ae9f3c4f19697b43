"""Runs optimizers and schedulers beside torch's over many steps, from the same numbers.

Checks: `trace` (parameters after 100 steps of given gradients, and of a quadratic function at the parameters that the
optimizer has reached), `optim_db` (a few steps with each of the options that torch tests itself with), `restored`
(state saved and loaded halfway, the format torch's), `learning rate` (equal, bit by bit).

Parameters are equal to 1e-6 of the largest magnitude that each tensor has had: near zero a relative error of single
elements says nothing, since a sum of terms of that magnitude was rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from mindspore import Parameter, Tensor

from mindport import catalog
from mindport.declare import Declaration
from mindport.evidence.knowledge import declaration
from mindport.evidence.optimizer_samples import OPTIMIZERS, SCHEDULERS, optim_db_options
from mindport.evidence.run_sample import Result, judged
from mindport.evidence.samples import Sample, resolve
from mindport.evidence.steps import Step

STEPS = 100
#: Of the largest value that the parameter has had.
TOLERANCE = 1e-6
#: Muon rounds to bfloat16 within a step: where a sum lies between two of its numbers, one element of an update goes
#: the other way by one part in 256 (measured: 1e-6 to 5e-5 after 100 steps). A wrong formula is wrong by far more.
ROUNDING = {"torch.optim.Muon": 1e-4}
#: Whose gradients are sparse in torch: every other row of them, from another one each time, has none.
SPARSE = frozenset(("torch.optim.SparseAdam",))
SHAPES = ((4, 3), (3,), (5, 2), (2, 3, 4))
MATRICES = ((4, 3), (3, 8), (5, 5), (12, 4))


class Pair:
    """The same parameters and the same optimizer on both sides; two groups, the second with options of its own."""

    def __init__(self, name: str, declared: Declaration, options: dict[str, Any], second: dict[str, Any]) -> None:
        self.random = np.random.default_rng(2013)
        shapes = MATRICES if name.endswith("Muon") else SHAPES
        initial = [self.random.standard_normal(shape).astype(np.float32) for shape in shapes]
        self.theirs = [torch.nn.Parameter(torch.tensor(value)) for value in initial]
        names = ("weight", "gamma", "beta", "last")
        self.ours = [Parameter(Tensor(value), name=each) for value, each in zip(initial, names, strict=True)]
        self.make: tuple[Callable[..., Any], Callable[..., Any]] = (resolve(name), declared.target)
        self.tolerance = ROUNDING.get(name, TOLERANCE)
        self.sparse = name in SPARSE
        self.options, self.second = options, second
        self.torch, self.mindspore = self.made(0), self.made(1)
        self.largest = [float(np.abs(value).max()) for value in initial]

    def made(self, side: int) -> Any:
        """An optimizer of one side over its parameters."""
        members = (self.theirs, self.ours)[side]
        return self.make[side]([{"params": members[:2]}, {"params": members[2:], **self.second}], **self.options)

    def step(self, number: int, kind: str) -> None:
        """One step; a gradient is missing now and then."""
        self.steps = number + 1
        for index, (p, q) in enumerate(zip(self.theirs, self.ours, strict=True)):
            noise = self.random.standard_normal(tuple(p.shape)).astype(np.float32)
            values = noise if kind == "random" else (p.detach().numpy() * (index + 1) + 0.1 * noise).astype(np.float32)
            missing = kind == "random" and number % 7 == 3 and index == 1
            if self.sparse:
                values[number % 2 :: 2] = 0
            p.grad, q.grad = (None, None) if missing else (self.gradient(values, number), Tensor(values))
        self.torch.step()
        self.mindspore.step()
        now = [float(p.detach().abs().max()) for p in self.theirs]
        self.largest = [max(pair) for pair in zip(self.largest, now, strict=True)]

    def gradient(self, values: np.ndarray, number: int) -> torch.Tensor:
        """A gradient as torch has it."""
        if not self.sparse:
            return torch.tensor(values)
        rows = torch.arange(1 - number % 2, len(values), 2)
        return torch.sparse_coo_tensor(rows[None], torch.tensor(values)[rows], values.shape)

    def difference(self) -> str:
        """What departs; "" where nothing does."""
        for index, (p, q) in enumerate(zip(self.theirs, self.ours, strict=True)):
            error = np.abs(p.detach().numpy() - q.asnumpy()).max() / self.largest[index]
            if not error <= self.tolerance:
                return f"parameter {index} differs by {error:.2g} of its largest size after {self.steps} steps"
        return ""


def steps_of(entry: catalog.Entry, declared: Declaration) -> Iterator[Step]:
    """The steps of an optimizer's or a scheduler's entry; none for other entries."""
    for options, second in OPTIMIZERS.get(entry.name, ()):
        told = f"{entry.name}(groups, {', '.join(f'{k}={v!r}' for k, v in options.items())}), second group {second}"
        for check, kind in (("trace", "random"), ("trace", "quadratic"), ("restored", "random")):
            yield Step(check, "float32", told, _bound(_trace, entry.name, declared, options, second, check, kind, told))
    for options in optim_db_options(entry.name):
        told = f"{entry.name}(groups, {', '.join(f'{k}={v!r}' for k, v in options.items())})"
        yield Step("optim_db", "float32", told, _bound(_trace, entry.name, declared, options, {}, "trace", "random", told, 12))
    for told, make in SCHEDULERS.get(entry.name, ()):
        for optimizer in ("torch.optim.SGD", "torch.optim.Adam"):
            for check in ("learning rate", "restored"):
                yield Step(check, "", f"{told}, {optimizer}", _bound(_rates, declared, make, optimizer, check, told))


def _bound(function: Callable[..., Result], *args: Any) -> Callable[[], Result | None]:
    return lambda: function(*args)


def _trace(
    name: str, declared: Declaration, options: dict[str, Any], second: dict[str, Any], check: str, kind: str, told: str,
    steps: int = STEPS,
) -> Result:  # fmt: skip
    def run() -> str:
        pair = Pair(name, declared, options, second)
        for number in range(steps):
            pair.step(number, kind)
            if check == "restored" and number == STEPS // 2:
                theirs, ours = pair.torch.state_dict(), pair.mindspore.state_dict()
                if found := _format(theirs, ours):
                    return found
                pair.mindspore = pair.made(1)
                # A checkpoint of torch continues here.
                pair.mindspore.load_state_dict(_as_mindspore(theirs))
        return pair.difference()

    return judged(declared, Sample(kwargs=dict(options)), told, run)


def _format(theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    """Where a saved state has other keys, shapes or values than torch's."""
    for mine, other in zip(ours["param_groups"], theirs["param_groups"], strict=True):
        if mine != other:
            return f"a saved group is {mine}, torch's is {other}"
    if set(theirs["state"]) != set(ours["state"]):
        return f"state is saved for {sorted(ours['state'])}, by torch for {sorted(theirs['state'])}"
    for key, entries in theirs["state"].items():
        if set(entries) != set(ours["state"][key]):
            return f"saved state has {sorted(ours['state'][key])}, torch's {sorted(entries)}"
        for name, value in entries.items():
            mine = ours["state"][key][name]
            if isinstance(value, torch.Tensor) and not np.allclose(
                mine.asnumpy(), value.numpy(), 1e-5, 1e-7 + TOLERANCE * float(value.abs().max() if value.numel() else 0)
            ):
                return f"saved {name} differs"
    return ""


def _as_mindspore(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return Tensor(value.numpy().copy())
    if isinstance(value, dict):
        return {key: _as_mindspore(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_mindspore(item) for item in value]
    return value


class Names:
    """Schedulers of one side by their last names."""

    def __init__(self, ours: bool) -> None:
        self._ours = ours

    def __getattr__(self, name: str) -> Any:
        module = "swa_utils" if name == "SWALR" else "lr_scheduler"
        full = f"torch.optim.{module}.{name}"
        return declaration(catalog.load().find(full)[-1]).target if self._ours else resolve(full)


def _rates(declared: Declaration, make: Callable[[Any, Any], Any], optimizer: str, check: str, told: str) -> Result:
    def run() -> str:
        members = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2))
        theirs = resolve(optimizer)([{"params": members[:1]}, {"params": members[1:], "lr": 0.03}], lr=0.1)
        cells = [Parameter(Tensor(np.ones(2, np.float32)), name=name) for name in "ab"]
        target = declaration(catalog.load().find(optimizer)[-1]).target
        ours = target([{"params": cells[:1]}, {"params": cells[1:], "lr": 0.03}], lr=0.1)
        one, two = make(Names(False), theirs), make(Names(True), ours)
        for number in range(STEPS):
            if (found := _state(ours)) != (expected := _state(theirs)):
                return f"step {number}: {found}, torch has {expected}"
            if one.get_last_lr() != two.get_last_lr():
                return f"step {number}: get_last_lr() is {two.get_last_lr()}, torch's {one.get_last_lr()}"
            theirs.step()
            ours.step()
            given = (abs(0.5 - number / 50) // 0.1,) if type(one).__name__ == "ReduceLROnPlateau" else ()
            one.step(*given)
            two.step(*given)
            if check == "restored" and number == STEPS // 2:
                saved, groups = dict(two.state_dict()), ours.state_dict()
                two = make(Names(True), ours)
                two.load_state_dict(saved)
                ours.load_state_dict(groups)
        return ""

    return judged(declared, Sample(), told, run)


def _state(optimizer: Any) -> list[tuple[Any, ...]]:
    return [(group["lr"], group.get("momentum"), group.get("betas")) for group in optimizer.param_groups]


