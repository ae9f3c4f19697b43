"""Sample arguments for a torch name: torch's own (OpInfo), ours, and hard cases derived from them.

Imports torch: inside workers only.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import torch

#: How many samples are made before the ones that run are chosen evenly among them.
MADE = 120
#: What the drawn numbers of all samples start from; a run with another seed proves that nothing fits one seed only.
SEED = int(os.environ.get("MINDPORT_EVIDENCE_SEED", "0"))
#: The name of samples that hold NaN and infinities.
SPECIAL = "nan and inf"
#: The name of samples whose memory is not in the order of their axes.
STRIDED = "strided"
#: Larger samples say nothing more and take long.
MOST_ELEMENTS = 200_000


T = TypeVar("T")


@dataclass(frozen=True)
class Sample:
    """One call: ``name(*args, **kwargs)``. `edge` tells how it was derived ("empty"); "" for a plain sample.

    `eager`: the call stands outside differentiated and compiled code, and is not derived from.
    """

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    edge: str = ""
    eager: bool = False


#: Our own samples: torch name → function of a dtype that yields samples.
OWN: dict[str, Callable[[torch.dtype], Iterator[Sample]]] = {}


def own(*names: str) -> Callable[[Callable[[torch.dtype], Iterator[Sample]]], Callable[[torch.dtype], Iterator[Sample]]]:
    """The decorated generator makes the samples of `names`, in place of OpInfo's."""

    def register(function: Callable[[torch.dtype], Iterator[Sample]]) -> Callable[[torch.dtype], Iterator[Sample]]:
        for name in names:
            OWN[name] = function
        return function

    return register


#: Functions that leave open which of several equal values they point to.
DISTINCT: set[str] = set()


def distinct(*names: str) -> None:
    """Only samples of `names` are run whose first tensor holds no value twice."""
    DISTINCT.update(names)


#: Functions for which a number in a tensor's place means something else.
NO_NUMBERS: set[str] = set()


def no_numbers(*names: str) -> None:
    """The proof of silence puts no numbers in the place of tensors of `names`."""
    NO_NUMBERS.update(names)


#: Functions in which torch itself reads beyond its memory where a tensor is empty.
NOT_EMPTY: set[str] = set()


def not_empty(*names: str) -> None:
    """No tensor of a sample of `names` is empty: torch's process would die of it."""
    NOT_EMPTY.update(names)


#: Functions whose samples hold no NaN and no infinity.
FINITE: set[str] = set()


def finite(*names: str) -> None:
    """No tensor of a sample of `names` holds NaN or infinity: torch's process would die of it."""
    FINITE.update(names)


#: Functions that leave the values of their result open.
UNINITIALIZED: set[str] = set()


def uninitialized(*names: str) -> None:
    """Of the results of `names`, shape and dtype alone are compared."""
    UNINITIALIZED.update(names)


def resolve(name: str) -> Any:
    """The object that a canonical torch name stands for; AttributeError where this torch has none."""
    if f"{name}.".startswith("torchvision."):
        from mindport.evidence.torchvision_source import resolve as of_torchvision

        return of_torchvision(name)
    if f"{name}.".startswith("timm."):
        from mindport.evidence.timm_source import timm

        timm()
    root, *parts = name.split(".")
    try:
        found: Any = torch if root == "torch" else importlib.import_module(root)
    except ModuleNotFoundError as error:
        raise AttributeError(f"{root} is not installed here") from error
    for number, part in enumerate(parts):
        if root != "torch" and not hasattr(found, part):
            importlib.import_module(".".join([root, *parts[: number + 1]]))
        found = getattr(found, part)
    return found


@functools.cache
def opinfo_index() -> dict[str, list[Any]]:
    """OpInfo entries by name and by their aliases' names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db
    found: dict[str, list[Any]] = {}
    for op in op_db:
        for name in {op.name, *(alias.name for alias in op.aliases)}:
            found.setdefault(name, []).append(op)
    return found


def opinfos(name: str, given: str | None) -> list[Any]:
    """The OpInfo entries for a torch name; `given` names one where the torch name does not lead there."""
    index = opinfo_index()
    if given:
        return index.get(given, [])
    short = name.removeprefix("torch.").removeprefix("Tensor.")
    candidates = [short, short.rstrip("_"), f"nn.functional.{short.rstrip('_')}", short.removeprefix("nn.functional.").rstrip("_")]
    return next((index[c] for c in candidates if c in index), [])


def has_samples(name: str, given: str | None) -> bool:
    """Is there anything to run?"""
    return name in OWN or bool(opinfos(name, given))


def plain(name: str, given: str | None, dtype: torch.dtype, most: int) -> list[Sample]:
    """At most `most` samples of one dtype, chosen evenly among those that torch's generators make."""
    found = _made(name, given, dtype, most if name not in DISTINCT else MADE)
    if name in DISTINCT:
        found = [s for s in found if s.args[0].unique().numel() == s.args[0].numel()]
    return evenly(found, most)


def _made(name: str, given: str | None, dtype: torch.dtype, most: int) -> list[Sample]:
    torch.manual_seed(SEED)
    if name in OWN:
        made = list(itertools.islice(OWN[name](dtype), MADE))
        return evenly([s for s in made if _small(s)], most)
    found: list[Sample] = []
    infos = [op for op in opinfos(name, given) if dtype in op.supported_dtypes("cpu")]
    for op in infos:
        made = []
        for sample in itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=False), MADE):
            one = Sample((sample.input, *sample.args), dict(sample.kwargs))
            if _small(one):
                made.append(one)
        found += evenly(made, max(1, most // len(infos)))
    return evenly(found, most)


def evenly(made: list[T], most: int) -> list[T]:
    """At most `most` of the list, spread over it."""
    if len(made) <= most:
        return made
    return [made[number * len(made) // most] for number in range(most)]


def tensors(value: Any) -> list[torch.Tensor]:
    """The tensors in nested tuples, lists and dicts, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for item in value for t in tensors(item)]
    if isinstance(value, dict):
        return [t for item in value.values() for t in tensors(item)]
    return []


def mapped(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The same structure with every tensor changed."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, tuple) and not isinstance(value, torch.Size):
        return tuple(mapped(item, change) for item in value)
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    if isinstance(value, dict):
        return {key: mapped(item, change) for key, item in value.items()}
    return value


def copied(sample: Sample) -> Sample:
    """The sample with tensors of its own, so that an in-place call leaves the original alone."""
    return replace(sample, args=mapped(sample.args, _copy), kwargs=mapped(sample.kwargs, _copy))


def _copy(tensor: torch.Tensor) -> torch.Tensor:
    """The same values in memory of its own that is laid out alike, steps and shared rows included."""
    if tensor.layout == torch.strided and not tensor.is_contiguous() and not (tensor.is_conj() or tensor.is_neg() or tensor.requires_grad):
        return torch.empty(0, dtype=tensor.dtype).set_(tensor.untyped_storage().clone(), tensor.storage_offset(), tensor.size(), tensor.stride())
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(tensor.detach().clone(), tensor.requires_grad)
    return tensor.detach().clone(memory_format=torch.preserve_format)


def _small(sample: Sample) -> bool:
    return sum(t.numel() for t in tensors([sample.args, sample.kwargs])) <= MOST_ELEMENTS


def edges(samples: list[Sample], dtype: torch.dtype) -> Iterator[Sample]:
    """Hard cases made from plain samples; whether torch accepts them shows when they run."""
    fit = [s for s in samples if not s.eager and s.args and isinstance(s.args[0], torch.Tensor) and s.args[0].numel() > 2 and s.args[0].dim() > 0]
    if not fit:
        return
    first = fit[0]
    yield _changed(first, lambda t: t.flatten()[0].clone() if t.numel() else t, "0-d")
    yield _changed(first, lambda t: t[:0] if t.dim() else t, "empty")
    deep = next((s for s in fit if s.args[0].dim() > 1), None)
    if deep is not None:
        yield _changed(deep, lambda t: t.transpose(0, -1).contiguous().transpose(0, -1) if t.dim() > 1 else t, STRIDED)
    if first.args[0].is_floating_point():
        yield replace(first, args=(_special(first.args[0]), *first.args[1:]), edge=SPECIAL)
        yield replace(first, args=(_nan_at_the_end(first.args[0]), *first.args[1:]), edge=SPECIAL)
    if len(first.args) > 1 and isinstance(first.args[1], torch.Tensor) and first.args[1].shape == first.args[0].shape:
        yield replace(first, args=(first.args[0], first.args[1][:1], *first.args[2:]), edge="broadcast")


def large_integers(samples: list[Sample]) -> Iterator[Sample]:
    """An int64 sample with values that float32 cannot hold."""
    for sample in samples[:1]:
        if sample.args and isinstance(sample.args[0], torch.Tensor) and sample.args[0].numel():
            large = sample.args[0] + (2**40 + 1)
            yield replace(sample, args=(large, *sample.args[1:]), edge="large integers")


def _changed(sample: Sample, change: Callable[[torch.Tensor], torch.Tensor], edge: str) -> Sample:
    return Sample(mapped(sample.args, change), mapped(sample.kwargs, change), edge)


def _nan_at_the_end(tensor: torch.Tensor) -> torch.Tensor:
    """Kernels that compare begin with the first element, and keep NaN there alone."""
    changed = tensor.clone(memory_format=torch.contiguous_format)
    changed.view(-1)[-1] = float("nan")
    return changed


def _special(tensor: torch.Tensor) -> torch.Tensor:
    changed = tensor.clone(memory_format=torch.contiguous_format)
    changed.view(-1)[:3] = torch.tensor([float("nan"), float("inf"), float("-inf")], dtype=tensor.dtype)
    return changed
