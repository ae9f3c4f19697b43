"""Reads every plain attribute of torch's layers beside ours: ``python -m mindport.evidence.run_attributes``.

Imports both frameworks. What the outcomes mean: `layer_attributes`. A kept attribute counts only where the layer still
computes torch's results with it: MindSpore's cells may compute with an attribute of the same name.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import math
import re
from collections.abc import Iterator
from typing import Any

import mindspore as ms
import msgspec
import torch

from mindport import catalog
from mindport.catalog import Entry
from mindport.declare import Declaration, Layout, Refused
from mindport.evidence import compare, layer_attributes
from mindport.evidence.attribute_stores import store_outcome
from mindport.evidence.bridge import to_mindspore
from mindport.evidence.knowledge import declaration
from mindport.evidence.layer_samples import OWN_LAYERS, LayerSample, layer_samples, module_index
from mindport.evidence.lazy_layers import sized_here
from mindport.evidence.run_layer import _called, _parts, built, ours
from mindport.evidence.run_sample import TorchRefuses
from mindport.evidence.samples import Sample, resolve
from mindport.layers.kept_arguments import keeping

#: Values of constructor parameters that the samples are varied by.
VARIANTS: dict[str, tuple[Any, ...]] = {
    "padding": (1, "same"), "stride": (2,), "dilation": (2,), "ceil_mode": (True,), "padding_mode": ("reflect",), "affine": (False,),
    "track_running_stats": (False,), "elementwise_affine": (False,), "bias": (False,), "inplace": (True,), "reduction": ("sum", "none"),
    "batch_first": (True,), "bidirectional": (True,), "dropout": (0.25,), "num_layers": (2,), "output_padding": (1,), "eps": (1e-3,),
    "momentum": (0.3,), "p": (0.2,), "return_indices": (True,), "count_include_pad": (False,), "divisor_override": (3,), "dim": (0, 1),
    "negative_slope": (0.2,), "alpha": (0.5,), "beta": (0.5,), "margin": (0.5,), "norm_first": (True,), "nonlinearity": ("relu",),
    "ignore_index": (1,), "label_smoothing": (0.1,), "log_target": (True,), "full": (True,), "padding_idx": (0,), "num_parameters": (2,),
    "approximate": ("tanh",), "add_bias_kv": (True,), "activation": ("gelu",), "kdim": (4,), "max_norm": (1.0,), "output_size": (1, (1, 2), (1, 2, 1)), "value": (2.0,),
}  # fmt: skip
#: Parameters that take a number for each axis.
OF_AXES = ("kernel_size", "stride", "padding", "dilation", "output_padding")
#: Samples of a layer that are run, at most.
MOST_RUN = 2
MISSING = object()
#: What torch's layers note about their own way to compute.
OF_TORCH = frozenset(("use_nested_tensor", "activation_relu_or_gelu"))


def main() -> None:
    """Run all layers, or those named, and write the data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="torch names of layers; all of the module database where none is given")
    parser.add_argument("--reads", action="store_true", help="leave out what setting an attribute does: far less work")
    options = parser.parse_args()
    names = options.names
    import mindport.evidence.own  # noqa: F401

    for name in names or sorted({*module_index(), *OWN_LAYERS}):
        entry = next((e for e in catalog.load().find(name) if e.kind == "layer"), None)
        if entry is not None and name.startswith("torch.nn."):
            outcomes = layer_outcomes(name, entry, stores=not options.reads)
            if outcomes:  # written after each layer: a run that is ended early leaves what it found
                layer_attributes.load.cache_clear()
                found = dict(layer_attributes.load())
                if options.reads:
                    outcomes = {a: o for a, o in found.get(name, {}).items() if a.endswith(" =")} | outcomes
                found[name] = outcomes
                text = msgspec.json.format(msgspec.json.encode(dict(sorted(found.items()))), indent=1)
                layer_attributes.DATA.write_bytes(text + b"\n")


def layer_outcomes(name: str, entry: Entry, *, stores: bool) -> dict[str, str]:
    """Attribute → outcome."""
    declared = declaration(entry)
    samples = layer_samples(name, 8)
    pairs = [made for sample in [*samples, *varied(name, samples)] if (made := both(name, declared, sample)) is not None]
    outcomes: dict[str, str] = {}
    for attribute in sorted({a for layer, *_ in pairs for a in public(layer)}):
        held = entry.state.get(attribute, "") is not None or attribute in inspect.signature(resolve(name)).parameters
        if held and (outcome := _outcome(entry, declared, attribute, pairs)):
            outcomes[attribute] = outcome
    kept = {a: o for a, o in outcomes.items() if layer_attributes.is_kept(o)}
    if kept and not computes(name, declared, samples, kept):
        for attribute, rule in kept.items():
            if not computes(name, declared, samples, {attribute: rule}):
                outcomes[attribute] = "none"
    plain = (lambda *args, **kwargs: constructed(declared.target, args, kwargs)[1]) if has_plain(declared.target) else None
    tensors = {a for layer, *_ in pairs for a in (*layer._parameters, *layer._buffers)}
    for attribute in [a for a in outcomes if a not in tensors] if stores else ():
        follower = following(declared, attribute, outcomes)
        outcomes[layer_attributes.stored(attribute)] = store_outcome(name, declared, plain, follower, attribute, written(entry, attribute), samples)
    return outcomes


def varied(name: str, samples: list[LayerSample]) -> Iterator[LayerSample]:
    """The first sample's constructor arguments with one changed."""
    parameters = inspect.signature(resolve(name)).parameters
    rank = re.search(r"([123])d$", name)
    for sample in samples[:1]:
        given = inspect.signature(resolve(name)).bind_partial(*sample.build.args, **sample.build.kwargs).arguments
        if any(parameters[p].kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD for p in given):
            return
        for parameter in parameters:
            values = VARIANTS.get(parameter, ())
            if parameter == "padding" and "Transpose" in name:
                values = tuple(value for value in values if not isinstance(value, str))  # torch takes a text for a list of letters
            if rank and parameter in OF_AXES:
                values += ((1, 2, 1)[: int(rank[1])], 1)
            for value in values:
                yield LayerSample(Sample((), {**given, parameter: value}), sample.call)


def both(name: str, declared: Declaration, sample: LayerSample) -> tuple[torch.nn.Module, Any, Any, LayerSample] | None:
    """torch's layer, the vendored one, and MindSpore's own as convert would write it (None where it never does)."""
    try:
        layer = built(name, declared, sample)
        vendored, plain = constructed(declared.target, _parts(sample.build.args), _parts(sample.build.kwargs))
    except (TorchRefuses, Refused, NotImplementedError, ValueError, TypeError, AttributeError, LookupError, RuntimeError):
        return None
    return layer, sized_here(vendored, sample.call), plain, sample


def constructed(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """The vendored layer, and its MindSpore base made with what ``super().__init__`` gets."""
    base = cls.__mro__[1]
    given: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    construct_with = base.__init__

    def noted(self: Any, *args: Any, **kwargs: Any) -> None:
        given.append((args, kwargs))
        construct_with(self, *args, **kwargs)

    base.__init__ = noted
    try:
        vendored = cls(*args, **kwargs)
    finally:
        base.__init__ = construct_with
    if not has_plain(cls):
        return vendored, None
    return vendored, base(*given[0][0], **given[0][1])


def has_plain(cls: type) -> bool:
    """Whether MindSpore has a class of its own for the layer."""
    base = cls.__mro__[1]
    return base is not ms.nn.Cell and base.__module__.startswith("mindspore.")


def public(layer: torch.nn.Module) -> Iterator[str]:
    """Names of public attributes with plain values: numbers, texts, tuples, None."""
    parameters = inspect.signature(type(layer)).parameters
    names = {*vars(layer), *getattr(layer, "__constants__", ()), *parameters, *layer._parameters, *layer._buffers}
    for name in names:
        if not name.startswith("_") and name != "training" and name not in OF_TORCH and not hasattr(torch.nn.Module, name):
            value = getattr(layer, name, MISSING)
            if is_plain(value) or (isinstance(value, torch.Tensor) and (name in layer._parameters or name in layer._buffers)):
                yield name


def is_plain(value: Any) -> bool:
    """A number, a text, None, or a tuple or list of these."""
    if isinstance(value, (tuple, list)):
        return all(is_plain(item) for item in value)
    return value is None or isinstance(value, (bool, int, float, str))


def same(right: Any, left: Any) -> bool:
    """Whether a program can't tell the values apart; of tensors only whether there is one of the same number of elements."""
    if isinstance(right, torch.Tensor) or isinstance(left, ms.Tensor):
        return isinstance(right, torch.Tensor) and isinstance(left, ms.Tensor) and right.numel() == left.size
    if isinstance(right, (tuple, list)):
        return isinstance(left, (tuple, list)) and isinstance(right, tuple) == isinstance(left, tuple) and len(right) == len(left) and all(map(same, right, left))
    if isinstance(right, bool) or isinstance(left, bool) or right is None or left is None:
        return right is left
    if isinstance(right, float) and isinstance(left, float):
        return math.isclose(right, left, rel_tol=1e-12)  # 1 - (1 - momentum)
    return bool(is_plain(left) and right == left)


def _outcome(entry: Entry, declared: Declaration, attribute: str, pairs: list[tuple[torch.nn.Module, Any, Any, LayerSample]]) -> str:
    here = written(entry, attribute)
    wanted = [(getattr(layer, attribute, MISSING), vendored, plain, sample) for layer, vendored, plain, sample in pairs]
    if any(value is not MISSING and not is_plain(value) and not isinstance(value, torch.Tensor) for value, *_ in wanted):
        return ""  # a module, sometimes
    held = [w for w in wanted if w[0] is not MISSING]
    tensors = [w for w in held if isinstance(w[0], torch.Tensor)]

    def answers(cell: Any, name: str, value: Any) -> bool:
        return same(value, read(cell, name))

    if all(answers(vendored, here, value) and (plain is None or answers(plain, here, value)) for value, vendored, plain, _ in held):
        return "plain"
    if all(answers(vendored, attribute, value) for value, vendored, _, _ in held):
        return "vendored"
    if tensors and all(answers(vendored, here, value) and (plain is None or answers(plain, here, value)) for value, vendored, plain, _ in tensors):
        return "filled"
    return next((rule for rule in _rules(held[0][0]) if all(_follows(rule, declared, attribute, value, sample) for value, _, _, sample in held)), "none")


def written(entry: Entry, attribute: str) -> str:
    """The attribute's name in converted text."""
    stored = entry.state.get(attribute)
    return stored.name if isinstance(stored, Layout) else stored or entry.attributes.get(attribute, attribute)


def read(cell: Any, name: str) -> Any:
    """What ``cell.name`` gives, nested names too."""
    for part in name.split("."):
        cell = getattr(cell, part, MISSING)
    return cell


def _rules(value: Any) -> Iterator[str]:
    yield "given"
    yield from ("axes 1", "axes 2", "axes 3")
    if is_plain(value):
        yield f"constant {value!r}"


def _follows(rule: str, declared: Declaration, attribute: str, value: Any, sample: LayerSample) -> bool:
    try:
        kept = keeping_for({attribute: rule})(derived(declared.target))(*_parts(sample.build.args), **_parts(sample.build.kwargs))
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return same(value, getattr(kept, attribute, MISSING))


def derived(cls: type) -> type:
    """A subclass to decorate: the class itself serves other readings."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        cls.__init__(self, *args, **kwargs)  # type: ignore[misc]

    __init__.__signature__ = inspect.signature(cls.__init__)  # type: ignore[misc, attr-defined]
    return type(cls.__name__, (cls,), {"__init__": __init__})


def following(declared: Declaration, attribute: str, outcomes: dict[str, str]) -> Any:
    """The vendored class under the decorator that follows an attribute, and keeps all that it is read for; None where it is no argument of the constructor."""
    if attribute not in inspect.signature(declared.target.__init__).parameters or outcomes[attribute] == "none":
        return None
    return keeping_for({a: o for a, o in outcomes.items() if layer_attributes.is_kept(o)}, (attribute,))(derived(declared.target))


def keeping_for(rules: dict[str, str], follows: tuple[str, ...] = ()) -> Any:
    """The decorator for some attributes."""
    axes = {a: int(rule.removeprefix("axes ")) for a, rule in rules.items() if rule.startswith("axes ")}
    constants = {a: ast.literal_eval(rule.removeprefix("constant ")) for a, rule in rules.items() if rule.startswith("constant ")}
    return keeping(*(a for a, rule in rules.items() if rule == "given"), axes=axes, follows=follows, **constants)


def computes(name: str, declared: Declaration, samples: list[LayerSample], kept: dict[str, str]) -> bool:
    """Whether the layer with these attributes still computes what torch's does, as it did without."""
    cls = keeping_for(kept)(derived(declared.target))
    for sample in samples[:MOST_RUN]:
        try:
            layer = built(name, declared, sample).eval()
            expected = _called(layer, sample)
        except TorchRefuses:
            continue
        changed = Declaration(declared.names, "layer", cls, state=declared.state)
        if not _difference(declared, sample, layer, expected) and _difference(changed, sample, layer, expected):
            return False
    return True


def _difference(declared: Declaration, sample: LayerSample, layer: torch.nn.Module, expected: Any) -> str:
    try:
        parent = ours(declared, sample, layer)
        parent.set_train(False)
        return compare.difference(expected, parent.layer(*to_mindspore(sample.call.args), **to_mindspore(sample.call.kwargs)))
    except Exception as error:  # whatever it is, the layer did not do what torch's does
        return str(error) or "raises"


if __name__ == "__main__":
    main()
