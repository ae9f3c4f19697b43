"""Samples and scenarios for timm's helpers, layers, losses and measures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
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


@scenario("timm.data.Mixup")
def mixed(side: Side) -> Any:
    """Pictures and targets of every mode, with mixing, boxes, both, boxes between limits, some alone, dense targets; the pictures are changed in place; an odd batch."""
    choices: list[dict[str, Any]] = [
        {}, {"mixup_alpha": 0.0, "cutmix_alpha": 1.0}, {"mixup_alpha": 0.8, "cutmix_alpha": 1.0}, {"cutmix_minmax": (0.2, 0.8), "mixup_alpha": 0.0},
        {"mixup_alpha": 0.4, "cutmix_alpha": 0.7, "prob": 0.6, "switch_prob": 0.7, "label_smoothing": 0.0, "correct_lam": False},
    ]  # fmt: skip
    found: list[Any] = []
    for mode in ("batch", "pair", "elem"):
        for seed, options in enumerate(choices * 2):
            made = side.call(mode=mode, num_classes=5, **options)
            np.random.seed(seed)
            pictures = side.value(torch.rand(4, 2, 8, 6, generator=torch.Generator().manual_seed(seed)))
            given, targets = made(pictures, side.value(torch.tensor([1, 4, 0, 2])))
            found.append([given is pictures, pictures + 0, targets, float(np.random.rand())])
    dense = side.call(num_classes=3, multi_label=True)
    found.append(dense(side.value(torch.rand(4, 1, 2, 2, generator=torch.Generator().manual_seed(1))), side.value(torch.eye(4, 3)))[1])
    dense.mixup_enabled = False
    found.append(list(dense(side.value(torch.ones(2, 1, 2, 2)), side.value(torch.eye(2, 3)))))
    try:
        dense(side.value(torch.ones(3, 1, 2, 2)), side.value(torch.eye(3)))
    except AssertionError:
        found.append("odd")
    return found


@scenario("timm.utils.ModelEma", "timm.utils.ModelEma.ema", "timm.utils.unwrap_model", "timm.utils.get_state_dict")
def average(side: Side) -> Any:
    """The state of the average behind updates, buffers included, of a model, and of one in a wrapper; it is evaluated, wants no gradient, and is another object; what is unwrapped."""
    made = side.call if side.name.endswith("ModelEma") else lambda *given, **options: side.make("timm.utils.ModelEma", *given, **options)
    parts = [side.layer("torch.nn.Linear", 4, 3), side.layer("torch.nn.BatchNorm1d", 3)]
    model = side.trains(side.make("torch.nn.Sequential", *parts))
    kept_mean = made(model, decay=0.8)
    other = side.layer("torch.nn.Linear", 4, 3)
    for turn in range(3):
        model(side.value(torch.arange(20.0).reshape(5, 4) * (turn + 1)))
        side.make("torch.nn.init.constant_", model[0].weight, 0.5 * turn)
        kept_mean.update(model)
    held = side.call(kept_mean) if side.name.endswith(".ema") and side.declared is not None else kept_mean.ema
    state = {name: value + 0 for name, value in side.state(held).items() if "num_batches" not in name}
    found = [state, held is model, held.training, model.training, [p.requires_grad for p in side.parameters(held).values()], kept_mean.decay]
    wrapper = side.make("torch.nn.Module")
    wrapper.module = other
    if side.name.endswith("unwrap_model"):
        found += [side.call(wrapper) is other, side.call(kept_mean) is held, side.call(other) is other]
    if side.name.endswith("get_state_dict"):
        found += [list(side.call(wrapper)), sorted(name for name in side.call(kept_mean) if "num_batches" not in name), list(side.call(wrapper, lambda whole: whole))]
    late = made(other, decay=0.5)
    side.make("torch.nn.init.constant_", other.weight, 2.0)
    late.update(wrapper)
    return [*found, late.ema.weight + 0]


@scenario("timm.scheduler.CosineLRScheduler")
def scheduled(side: Side) -> Any:
    """The rates of two groups (one scaled) over epochs and over updates: warm-up, its own or in front, restarts that grow and shrink, k-decay; lengths, what is saved and taken back."""
    choices: list[dict[str, Any]] = [
        {"t_initial": 5}, {"t_initial": 8, "lr_min": 1e-4, "warmup_t": 3, "warmup_lr_init": 1e-5}, {"t_initial": 6, "warmup_t": 2, "warmup_prefix": True, "k_decay": 0.7},
        {"t_initial": 2, "cycle_mul": 2.0, "cycle_decay": 0.5, "cycle_limit": 3, "lr_min": 1e-3}, {"t_initial": 3, "cycle_limit": 2, "t_in_epochs": False},
    ]  # fmt: skip
    found: list[Any] = []
    for options in choices:
        first, second = side.layer("torch.nn.Linear", 2, 2), side.layer("torch.nn.Linear", 2, 2)
        groups = [{"params": list(side.parameters(first).values())}, {"params": list(side.parameters(second).values()), "lr": 0.5, "lr_scale": 0.1}]
        optimizer = side.make("torch.optim.SGD", groups, lr=0.1)
        made = side.call(optimizer, **options)
        seen = [[group["lr"] for group in optimizer.param_groups]]
        for turn in range(1, 12):
            made.step(turn)
            made.step_update(turn)
            seen.append([group["lr"] for group in optimizer.param_groups])
        found += [seen, made.get_cycle_length(), made.get_cycle_length(2)]
        state = made.state_dict()
        again = side.call(optimizer, 4)
        again.load_state_dict(state)
        again.step(2)
        found += [sorted(state), [group["lr"] for group in optimizer.param_groups]]
    return found
