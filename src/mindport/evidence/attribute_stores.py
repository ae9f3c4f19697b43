"""Whether a layer follows an attribute that is set after it was made: ``conv.stride = (1, 1)``. Imports both frameworks.

torch's layers compute with what their attributes hold when they are called; MindSpore's cells give most of it to an
operator when they are made.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import torch

from mindport.declare import Declaration
from mindport.evidence import compare
from mindport.evidence.bridge import to_mindspore
from mindport.evidence.layer_samples import LayerSample
from mindport.evidence.run_layer import _called, built, ours
from mindport.evidence.run_sample import TorchRefuses
from mindport.evidence.samples import Sample, resolve

#: Samples that are tried until one says something, at most.
MOST_RUN = 4
#: Arguments that make a layer draw.
DRAWING = ("p", "dropout")
_REDUCTIONS = ("mean", "sum", "none")
#: Attributes whose texts a layer chooses by.
_TEXTS = {"padding_mode": ("zeros", "circular"), "mode": ("nearest", "bilinear", "linear"), "approximate": ("none", "tanh")}
#: What attributes are set to that hold None.
_IN_PLACE_OF_NONE = {"align_corners": True, "divisor_override": 3, "max_norm": 1.0, "dim": 0}


def store_outcome(
    name: str, declared: Declaration, plain: Callable[..., Any] | None, following: Callable[..., Any] | None, attribute: str, written: str, samples: list[LayerSample]
) -> str:
    """``plain``: MindSpore's own class and the vendored one compute as torch's does after the attribute `attribute`, there
    called `written`, was set; ``vendored``: only the vendored class does; ``follows``: only `following` does, the vendored class
    that derives anew what its constructor derived (None: the attribute is no argument); ``none``; ``unknown`` where torch takes no such value, or draws."""
    ran: set[bool] = set()
    targets = {"plain": plain or declared.target, "vendored": declared.target}
    if following is not None:
        targets["follows"] = following
    followed = dict.fromkeys(targets, True)
    for sample in samples[:MOST_RUN]:
        if len(ran) == 2:
            break
        ran.clear()
        if attribute not in DRAWING:
            sample = _without_draws(name, sample)
        for training in (False, True):
            usual = _expected(name, declared, sample, "", None, training)  # None: it draws, for one
            able = {
                kind: made for kind, target in targets.items()
                if (made := Declaration(declared.names, "layer", target, state=declared.state)) and (usual is None or _computes(name, made, sample, "", None, training, usual))
            }  # fmt: skip
            for value in _changed(name, declared, attribute, sample):
                expected = _expected(name, declared, sample, attribute, value, training)
                for kind in targets if expected is not None and able else ():
                    ran.add(training)
                    place = attribute if kind == "follows" else written
                    followed[kind] = followed[kind] and kind in able and _computes(name, able[kind], sample, place, value, training, expected)
    if len(ran) < 2:
        return "unknown"
    if followed["vendored"]:
        return "plain" if followed["plain"] else "vendored"
    return "follows" if followed.get("follows") else "none"


def _changed(name: str, declared: Declaration, attribute: str, sample: LayerSample) -> Iterator[Any]:
    try:
        value = getattr(built(name, declared, sample), attribute, None)
    except (TorchRefuses, LookupError):
        return
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case float():
            yield 3.0 if attribute == "scale_factor" else value * 0.5 + 0.25
            if attribute in DRAWING:
                yield 0.0  # what draws can't be compared otherwise
                yield 1.0
        case tuple() if value and all(type(item) is int for item in value):
            yield tuple(item + 1 for item in value)
            yield tuple(item - 1 for item in value)
        case str() if attribute in _TEXTS:
            yield from (text for text in _TEXTS[attribute] if text != value)
        case None if attribute in _IN_PLACE_OF_NONE:
            yield _IN_PLACE_OF_NONE[attribute]
        case str() if value in _REDUCTIONS:
            yield _REDUCTIONS[_REDUCTIONS.index(value) - 1]


def _expected(name: str, declared: Declaration, sample: LayerSample, attribute: str, value: Any, training: bool) -> Any:
    """torch's results of two steps and of one in evaluation mode after them; None where it refuses or draws."""
    try:
        layer = built(name, declared, sample).train(training)
        if attribute:
            setattr(layer, attribute, value)
        results = [_called(layer, sample), _called(layer, sample), _called(layer.eval(), sample)]
    except (TorchRefuses, AttributeError, TypeError):
        return None
    first, second = (list(_tensors(result)) for result in results[:2])
    if not first or not all(torch.equal(a.nan_to_num(), b.nan_to_num()) for a, b in zip(first, second, strict=True)):
        return None
    return results


def _without_draws(name: str, sample: LayerSample) -> LayerSample:
    """The layer of a sample with a probability of nothing."""
    parameters = inspect.signature(resolve(name)).parameters
    drawing = [p for p in DRAWING if p in parameters and (p == "dropout" or "Dropout" in name)]
    given = dict(zip(parameters, sample.build.args, strict=False)) | sample.build.kwargs
    return LayerSample(Sample((), {**given, **dict.fromkeys(drawing, 0.0)}), sample.call) if drawing else sample


def _tensors(result: Any) -> Iterator[torch.Tensor]:
    if isinstance(result, torch.Tensor):
        yield result
    elif isinstance(result, tuple | list):
        for part in result:
            yield from _tensors(part)


def _computes(name: str, declared: Declaration, sample: LayerSample, written: str, value: Any, training: bool, expected: list[Any]) -> bool:
    """Whether ours gives these results, after the attribute `written` was set where one is named."""
    try:
        parent = ours(declared, sample, built(name, declared, sample))
        parent.set_train(training)
        *path, last = written.split(".")
        owner = parent.layer
        for part in path:
            owner = getattr(owner, part)
        if written:
            setattr(owner, last, value)

        def called() -> Any:
            return parent.layer(*to_mindspore(sample.call.args), **to_mindspore(sample.call.kwargs))

        results = [called(), called(), called() if not parent.set_train(False).training else None]
        return not any(compare.difference(right, left) for right, left in zip(expected, results, strict=True))
    except Exception:  # whatever it is, the layer did not do what torch's does
        return False
