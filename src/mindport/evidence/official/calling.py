"""Calls the MindSpore function of a row as someone would who trusts the row: torch's arguments, in torch's order.

Positions stay positions. A keyword stays where MindSpore has a parameter of that name; else it goes to MindSpore's parameter
at torch's position. Nothing else is adapted. Runs inside a worker; imports both frameworks.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import mindspore as ms
import torch

from mindport.declare import Declaration
from mindport.evidence import compare
from mindport.evidence.bridge import tensor_to_mindspore, to_mindspore
from mindport.evidence.layer_samples import LayerSample, Part, layer_samples
from mindport.evidence.programs import reproduction
from mindport.evidence.run_sample import Result, TorchRefuses, judged
from mindport.evidence.samples import OWN, Sample, copied, has_samples, opinfos, plain, resolve
from mindport.inference import torchfacts
from mindport.targets import load

#: Samples of one row, and of a layer.
MOST = 24
MOST_OF_A_LAYER = 10
#: A declaration that declares nothing: verdicts are told without knowledge of ours.
NOTHING = Declaration(("",), "function", None)


def find(name: str) -> Any:
    """The MindSpore object of a dotted name; AttributeError where there is none."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise AttributeError(name)


def steps(torch_name: str, mindspore_name: str) -> Iterator[tuple[str, Callable[[], Result | None]]]:
    """(call as text, what runs it) for each sample; nothing where there are no samples."""
    try:
        theirs = resolve(torch_name)
    except AttributeError:
        return
    if isinstance(theirs, type) and issubclass(theirs, torch.nn.Module):
        for layer in layer_samples(torch_name, MOST_OF_A_LAYER):
            text = reproduction(torch_name, layer.build.args, layer.build.kwargs, "") + reproduction("", layer.call.args, layer.call.kwargs, "")
            yield text, lambda layer=layer: _layer(torch_name, mindspore_name, layer)  # type: ignore[misc]
        return
    if not has_samples(torch_name, None):
        return
    dtypes = (torch.float32, torch.int64, torch.bool, torch.complex64)
    own = torch_name in OWN
    supported = [d for d in dtypes if own or any(d in op.supported_dtypes("cpu") for op in opinfos(torch_name, None))]
    for dtype in supported[:2]:
        for sample in plain(torch_name, None, dtype, MOST if dtype == supported[0] else MOST // 4):
            yield reproduction(torch_name, sample.args, sample.kwargs, ""), lambda sample=sample: _function(torch_name, mindspore_name, sample)  # type: ignore[misc]


def _function(torch_name: str, mindspore_name: str, sample: Sample) -> Result | None:
    """One sample through both; None where torch itself raises or draws at random."""
    last = torch_name.rpartition(".")[2]
    given = copied(sample)
    try:
        theirs = resolve(torch_name)
        expected = theirs(*given.args, **given.kwargs) if callable(theirs) else getattr(given.args[0], last)
        again = copied(sample)
        draws = callable(theirs) and compare.torch_differs(expected, theirs(*again.args, **again.kwargs))
    except Exception as error:
        raise TorchRefuses(str(error)) from error
    in_place = last.endswith("_") and not last.endswith("__")

    def ours() -> str:
        args = to_mindspore(sample.args)
        kwargs = renamed(torch_name, mindspore_name, to_mindspore(sample.kwargs))
        if mindspore_name.startswith("mindspore.Tensor."):
            found = getattr(args[0], mindspore_name.rpartition(".")[2])
            actual = found(*args[1:], **kwargs) if callable(found) else found
        else:
            actual = find(mindspore_name)(*args, **kwargs)
        told = compare.difference(expected, actual, values=not draws, sequences_alike=True)
        if not told and in_place and isinstance(given.args[0], torch.Tensor):
            told = compare.difference(given.args[0], args[0])
            told = told and f"the tensor itself afterwards: {told}"
        return told

    return judged(NOTHING, sample, reproduction(torch_name, sample.args, sample.kwargs, ""), ours)


def renamed(torch_name: str, mindspore_name: str, kwargs: dict[str, Any]) -> dict[str, Any]:
    """torch's keywords under MindSpore's names: the same name, or the one at torch's position."""
    target, api = load().get(mindspore_name), torchfacts.lookup(torch_name)
    if not kwargs or target is None or not target.parameters or api is None:
        return kwargs
    ours = [p.name for p in target.parameters if p.name != "self"]
    order = next((o for o in ([p.name for p in s.parameters] for s in api.signatures) if set(kwargs) <= set(o)), [])
    found = {}
    for name, value in kwargs.items():
        if name not in ours and name in order and order.index(name) < len(ours) and ours[order.index(name)] not in order:
            found[ours[order.index(name)]] = value
        else:
            found[name] = value
    return found


def _layer(torch_name: str, mindspore_name: str, sample: LayerSample) -> Result | None:
    """A layer in evaluation mode with torch's weights, which are moved by their order where the shapes are equal."""
    if any(isinstance(value, Part) for value in (*sample.build.args, *sample.build.kwargs.values())):
        return None
    try:
        layer = resolve(torch_name)(*sample.build.args, **sample.build.kwargs).eval()
        given = copied(sample.call)
        with torch.no_grad():
            expected = layer(*given.args, **given.kwargs)
    except Exception as error:
        raise TorchRefuses(str(error)) from error

    def ours() -> str:
        built = find(mindspore_name)(*to_mindspore(sample.build.args), **renamed(torch_name, mindspore_name, to_mindspore(sample.build.kwargs)))
        built.set_train(False)
        held, wanted = list(built.trainable_params()), [p for p in layer.parameters()]
        if len(held) != len(wanted):
            return f"{len(wanted)} parameters in torch, {len(held)} in MindSpore"
        for one, other in zip(held, wanted, strict=True):
            value = tensor_to_mindspore(other)
            if int(one.size) != other.numel():
                return f"parameter {one.name} has shape {tuple(one.shape)}, torch's {tuple(other.shape)}"
            one.set_data(ms.ops.reshape(value, one.shape))
        return compare.difference(expected, built(*to_mindspore(sample.call.args), **to_mindspore(sample.call.kwargs)), sequences_alike=True)

    call = reproduction(torch_name, sample.build.args, sample.build.kwargs, "") + reproduction("", sample.call.args, sample.call.kwargs, "")
    return judged(NOTHING, sample.call, call, ours)
