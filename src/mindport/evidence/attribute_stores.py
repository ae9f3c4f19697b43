"""Whether a layer follows an attribute that is set after it was made: ``conv.stride = (1, 1)``. Imports both frameworks.

torch's layers compute with what their attributes hold when they are called; MindSpore's cells give most of it to an
operator when they are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from mindport.declare import Declaration
from mindport.evidence import compare
from mindport.evidence.bridge import to_mindspore
from mindport.evidence.layer_samples import LayerSample
from mindport.evidence.run_layer import _called, built, ours
from mindport.evidence.run_sample import TorchRefuses

#: Samples that are run, at most.
MOST_RUN = 1
_REDUCTIONS = ("mean", "sum", "none")


def store_outcome(
    name: str, declared: Declaration, plain: Callable[..., Any] | None, attribute: str, written: str, samples: list[LayerSample]
) -> str:
    """``plain``: MindSpore's own class and the vendored one compute as torch's does after the attribute `attribute`, there
    called `written`, was set; ``vendored``: only the vendored class does; ``none``; "" where torch takes no such value."""
    ran = False
    followed = {"vendored": True, "plain": True}
    targets = {"vendored": declared.target, "plain": plain or declared.target}
    for sample in samples[:MOST_RUN]:
        for training in (False, True):
            usual = _expected(name, declared, sample, "", None, training)
            if usual is None:
                continue
            able = {
                kind: made for kind, target in targets.items()
                if _computes(name, made := Declaration(declared.names, "layer", target, state=declared.state), sample, "", None, training, usual)
            }  # fmt: skip
            for value in _changed(name, declared, attribute, sample):
                expected = _expected(name, declared, sample, attribute, value, training)
                for kind, made in able.items() if expected is not None else ():
                    ran = True
                    followed[kind] = followed[kind] and _computes(name, made, sample, written, value, training, expected)
    if not ran:
        return ""
    return "plain" if all(followed.values()) else "vendored" if followed["vendored"] else "none"


def _changed(name: str, declared: Declaration, attribute: str, sample: LayerSample) -> Iterator[Any]:
    try:
        value = getattr(built(name, declared, sample), attribute, None)
    except (TorchRefuses, LookupError):
        return
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case float():
            yield value * 0.5 + 0.25
            if attribute == "p":
                yield 0.0  # what draws can't be compared otherwise
                yield 1.0
        case tuple() if value and all(type(item) is int for item in value):
            yield tuple(item + 1 for item in value)
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
    if not isinstance(results[0], torch.Tensor) or not torch.equal(results[0].nan_to_num(), results[1].nan_to_num()):
        return None
    return results


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
