"""The checks that a layer goes through. Runs inside a worker; imports both frameworks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from mindport.declare import Declaration
from mindport.evidence.corner_samples import corners
from mindport.evidence.layer_samples import LayerSample, layer_samples
from mindport.evidence.registered import with_rules
from mindport.evidence.run_layer import (
    evaluation,
    gradient,
    graph,
    has_state,
    initial,
    statistics,
    told,
    training,
)
from mindport.evidence.run_sample import Result, TorchRefuses, accounted
from mindport.evidence.samples import evenly, tensors
from mindport.evidence.second_layer_gradient import in_graph_mode, in_pynative
from mindport.evidence.steps import CORNER, CORNER_SAMPLES, Step

#: Limits for one layer.
EVAL_SAMPLES = 24
TRAIN_SAMPLES = 12
GRADIENT_SAMPLES = 6
GRAPH_SAMPLES = 2
SECOND_SAMPLES = 2
INITIAL_SAMPLES = 2


def layer_steps(name: str, declared: Declaration) -> Iterator[Step]:
    """The steps of a layer entry."""
    samples = layer_samples(name, EVAL_SAMPLES)
    usual = max((_rank(s) for s in samples), default=0)
    held = any(has_state(name, declared, s) for s in samples[:3])
    plans: list[tuple[str, Callable[..., Result | None], int]] = [
        ("eval", evaluation, EVAL_SAMPLES), ("train", training, TRAIN_SAMPLES), ("gradient", gradient, GRADIENT_SAMPLES),
    ]  # fmt: skip
    if held:
        plans += [("statistics", statistics, GRADIENT_SAMPLES), ("initial", initial, INITIAL_SAMPLES)]
    plans += [
        ("graph", graph, GRAPH_SAMPLES), ("second gradient", in_pynative, SECOND_SAMPLES),
        ("second gradient, graph", with_rules(in_graph_mode), SECOND_SAMPLES),
    ]  # fmt: skip
    common = [s for s in samples if not _uncommon(s, usual, name.endswith("Loss"))]
    for check, run, most in plans:
        drawn = samples if run is evaluation else common
        for sample in drawn[:: max(1, len(drawn) // most)][:most]:
            yield step(_uncommon(sample, usual, name.endswith("Loss")) or check, run, name, declared, sample)
    for sample in evenly(common, CORNER_SAMPLES):
        for call in corners([sample.call]):
            yield step(CORNER, partial(gradient, finite=True), name, declared, replace(sample, call=call))


def step(check: str, run: Callable[..., Result | None], name: str, declared: Declaration, sample: LayerSample) -> Step:
    """One sample as a step."""
    death = partial(accounted, declared, sample.build, sample.call.args)
    return Step(check, "float32", told(name, sample), _bound(run, name, declared, sample), death)


def _rank(sample: LayerSample) -> int:
    return max((t.dim() for t in tensors([sample.call.args, sample.call.kwargs])), default=0)


def _uncommon(sample: LayerSample, usual: int, loss: bool) -> str:
    """Another name for the check where the call is one that few programs make."""
    if "input" in sample.call.kwargs:
        return "keyword input"
    if _rank(sample) == 0 and usual > 0:
        return "edge"
    return "unbatched" if _rank(sample) == usual - 1 and usual > 2 and not loss else ""


def _bound(run: Callable[..., Result | None], name: str, declared: Declaration, sample: LayerSample) -> Callable[[], Result | None]:
    def call() -> Result | None:
        try:
            return run(name, declared, sample)
        except TorchRefuses:
            return None

    return call
