"""Samples and scenarios for timm's helpers, layers, losses and measures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.testing import make_tensor

from mindport.evidence.layer_samples import LayerSample, own_layer
from mindport.evidence.own.initializers import parameter
from mindport.evidence.samples import Sample, own
from mindport.evidence.scenarios import Side, scenario

L = "timm.layers."
X = torch.rand(4, 3, 5, 6, generator=torch.Generator().manual_seed(2)) - 0.3


@own(L + "trunc_normal_", L + "trunc_normal_tf_")
def truncated(dtype: torch.dtype) -> Iterator[Sample]:
    """Standard, narrow, and with bounds that cut: absolute ones, or in deviations."""
    if dtype == torch.float32:
        yield Sample((parameter(60, 50),), eager=True)
        yield Sample((parameter(60, 50),), {"std": 0.02}, eager=True)
        yield Sample((parameter(60, 50), 0.5, 2.0, -1.0, 0.5), eager=True)
        yield Sample((torch.full((60, 50), 7.0),), {"mean": 1.0, "std": 0.5}, eager=True)


@scenario(L + "variance_scaling_", L + "lecun_normal_")
def by_fan(side: Side) -> Any:
    """The deviations, and how far the numbers go, of many numbers, to a twentieth; what is given back."""
    choices: list[dict[str, Any]] = [{}]
    if side.name.endswith("variance_scaling_"):
        choices = [{"mode": mode, "distribution": law, "scale": 2.0} for mode in ("fan_in", "fan_out", "fan_avg") for law in ("truncated_normal", "normal", "uniform")]
    found = []
    for options in choices:
        for shape in ((100, 400), (64, 40, 3, 3)):
            weight = side.make("torch.nn.Parameter", side.value(torch.zeros(shape)))
            given = side.call(weight, **options)
            fan = {"fan_in": shape[1], "fan_out": shape[0], "fan_avg": (shape[0] + shape[1]) / 2}[options.get("mode", "fan_in")] * (9 if len(shape) > 2 else 1)
            values = torch.tensor(weight.asnumpy() if side.declared is not None else weight.detach().numpy())
            unit = float(values.std()) * (fan / options.get("scale", 1.0)) ** 0.5
            far = float(values.abs().max() / values.std())
            found.append([given is None, abs(unit - 1) < 0.05, abs(float(values.mean())) < 0.05, far < 1.8, far < 2.4])
    return found


@own(*(f"{L}to_{n}tuple" for n in range(2, 5)))
def tuples(dtype: torch.dtype) -> Iterator[Sample]:
    """Numbers, sequences, text, None."""
    if dtype == torch.float32:
        for value in (3, 2.5, (1, 2), [4, 5, 6], "same", None, range(2)):
            yield Sample((value,), eager=True)


@scenario(L + "to_ntuple")
def functions_of_a_count(side: Side) -> Any:
    """What the functions give."""
    return [side.call(n)(value) for n in (1, 3, 6) for value in (7, "ab", [1, 2])]


@own(L + "make_divisible")
def divisible(dtype: torch.dtype) -> Iterator[Sample]:
    """Around the limits, with fractions, a least value, another limit."""
    if dtype == torch.float32:
        for value in (1, 7, 11.9, 12, 36, 67.2, 100):
            yield Sample((value,), eager=True)
        yield Sample((17, 16), {"min_value": 4, "round_limit": 0.0}, eager=True)
        yield Sample((17, 16, 64), eager=True)


def kept(side: Side, call: Any, x: Any) -> Any:
    """What the rows of ones become, and how many are not zero, to 3 %."""
    rows = call(side.value(x)).sum(1) / 2
    values = [round(float(v), 4) for v in rows.tolist()]
    return sorted(set(values)), round(sum(v > 0 for v in values) / len(values) / 0.06)


@scenario(L + "drop_path")
def dropped(side: Side) -> Any:
    """The rows that are left, scaled or not; everything and nothing dropped; not in training; a gradient of what is kept is scaled as well."""
    ones = torch.ones(6000, 2)
    found = [kept(side, lambda x, p=p, s=s: side.call(x, p, True, s), ones) for p, s in ((0.2, True), (0.45, False), (1.0, True))]
    x = side.value(X)
    gradients = side.gradients(lambda y: side.call(y, 0.2, training=True), ones)[0]
    return found, side.call(x, 0.0, True) is x, side.call(x, 0.7) is x, side.dtype(side.call(side.value(X.half()), 0.5, True)), sorted({round(float(v), 4) for v in gradients[:, 0].tolist()})


@scenario(L + "DropPath")
def dropping_layer(side: Side) -> Any:
    """Rows while training, none in evaluation; what it holds; a probability that is set later."""
    ones = torch.ones(6000, 2)
    layer = side.call(0.3)
    found = [layer.drop_prob, layer.scale_by_keep, layer.training, kept(side, layer, ones)]
    layer.drop_prob = 0.6
    found.append(kept(side, layer, ones))
    side.trains(layer, False)
    return [*found, layer(side.value(X)), kept(side, side.call(drop_prob=0.2, scale_by_keep=False), ones), side.call()(side.value(X)), list(side.state(layer))]


@scenario(L + "Mlp")
def perceptrons(side: Side) -> Any:
    """Widths, biases of one layer alone, as convolutions, an activation and a norm that are given as classes, two rates of dropout: results and gradients in evaluation, names, first values' spread."""
    rows = torch.linspace(-1, 1, 24).reshape(2, 2, 6)
    choices: list[tuple[tuple[Any, ...], dict[str, Any], torch.Tensor]] = [
        ((6,), {}, rows), ((6, 8, 4), {}, rows), ((6,), {"hidden_features": 3, "bias": (True, False)}, rows), ((3, 4), {"use_conv": True, "bias": False}, X),
        ((6, 8, None, "torch.nn.ReLU", "torch.nn.LayerNorm"), {"drop": (0.1, 0.3)}, rows),
    ]  # fmt: skip
    found = []
    for words, options, x in choices:
        made = side.call(*(side.named(word) if isinstance(word, str) else word for word in words), **options)
        torch.manual_seed(3)
        theirs = side.torchs.call(*(side.torchs.named(word) if isinstance(word, str) else word for word in words), **options)
        module = side.with_weights(made, theirs)
        side.trains(module, False)
        found.append([module(side.value(x)), side.gradients(module, x, weights=list(side.parameters(module).values())), list(side.state(module)), module.drop1.p, module.drop2.p])
    wide = side.call(400, 300)
    spread = [float(side.parameters(wide)[f"fc{n}.weight"].std()) * width**0.5 for n, width in ((1, 400), (2, 300))]
    return found, [abs(each - 3**-0.5) < 0.01 for each in spread]


@own_layer(L + "LayerNorm2d")
def channel_norms() -> Iterator[LayerSample]:
    """With and without weights, another eps."""
    yield LayerSample(Sample((3,)), Sample((X,)))
    yield LayerSample(Sample((3, 0.1)), Sample((X,)))
    yield LayerSample(Sample((3,), {"affine": False}), Sample((X,)))


@own_layer("timm.loss.LabelSmoothingCrossEntropy")
def smoothed() -> Iterator[LayerSample]:
    """A rate by default, by place, none."""
    scores, classes = make_tensor((6, 5), dtype=torch.float32, device="cpu"), torch.tensor([0, 4, 2, 2, 1, 3])
    for words in ((), (0.3,), (0.0,)):
        yield LayerSample(Sample(words), Sample((scores, classes)))


@own_layer("timm.loss.SoftTargetCrossEntropy")
def soft() -> Iterator[LayerSample]:
    """Probabilities, over rows and over places of rows."""
    for shape in ((6, 5), (2, 3, 4)):
        yield LayerSample(Sample(), Sample((make_tensor(shape, dtype=torch.float32, device="cpu"), torch.rand(shape).softmax(-1))))


@own("timm.utils.accuracy")
def right_ones(dtype: torch.dtype) -> Iterator[Sample]:
    """One, several and more than all classes."""
    if dtype in (torch.float32, torch.float64):
        scores = torch.randn(40, 6, generator=torch.Generator().manual_seed(1)).to(dtype)
        classes = torch.arange(40) % 6
        yield Sample((scores, classes), eager=True)
        yield Sample((scores, classes), {"topk": (1, 5)}, eager=True)
        yield Sample((scores, classes, (2, 8)), eager=True)


@scenario("timm.utils.AverageMeter")
def told(side: Side) -> Any:
    """Numbers and tensors, several at once, nothing, after a reset."""
    meter = side.call()
    found = [meter.avg]
    for value, count in ((2.0, 1), (4.0, 3), (side.value(torch.tensor(0.5)), 4), (1.0, 0)):
        meter.update(value, count)
        found.append([float(meter.val), float(meter.avg), float(meter.sum), meter.count])
    meter.reset()
    return [*found, meter.avg, meter.sum, meter.count, meter.val]
