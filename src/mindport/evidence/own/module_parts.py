"""Scenarios of what a module holds, by name, of its state in parts, and of the bases of losses."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

M = "torch.nn.Module."
X = torch.rand(4, 3, generator=torch.Generator().manual_seed(4))


def normalised(side: Side) -> Any:
    """A layer with parameters and buffers."""
    layer = side.layer("torch.nn.BatchNorm1d", 3)
    (layer.train if side.declared is None else layer.set_train)()
    layer(side.value(X))
    return layer


@scenario(M + "_parameters", M + "_modules")
def held(side: Side) -> Any:
    """Names in order, of a layer and of a net"""
    return list(side.call(normalised(side))), list(side.call(side.net()))


@scenario(M + "_flat_weights_names")
def listed(side: Side) -> Any:
    """Of a recurrent layer with two layers and directions, and of one without biases"""
    return [side.call(side.layer("torch.nn.GRU", 3, 2, **options)) for options in ({"num_layers": 2, "bidirectional": True}, {"bias": False})]


@scenario(M + "_buffers")
def kept(side: Side) -> Any:
    """Names but for the count of batches, values"""
    found = side.call(normalised(side))
    return {name: value + 0 for name, value in found.items() if name != "num_batches_tracked"}


@scenario(M + "get_buffer")
def one_buffer(side: Side) -> Any:
    """By a path; what is none raises."""
    net = side.make("torch.nn.Sequential", side.layer("torch.nn.Linear", 3, 3), normalised(side))
    found: list[Any] = [side.call(net, "1.running_mean") + 0]
    for wrong in ("1.nothing", "0.weight"):
        try:
            side.call(net, wrong)
        except AttributeError:
            found.append("raises")
    return found


@scenario(M + "state_dict_of_unknown")
def state_of_anything(side: Side) -> Any:
    """Of a net."""
    net = side.make("torch.nn.Sequential", side.layer("torch.nn.Linear", 3, 2))
    return {name: value + 0 for name, value in (net.state_dict() if side.declared is None else side.call(net)).items()}


@scenario(M + "load_state_dict_of_unknown")
def state_given(side: Side) -> Any:
    """Into a net."""
    net = side.make("torch.nn.Sequential", side.layer("torch.nn.Linear", 3, 2))
    given = {"0.weight": side.value(torch.full((2, 3), 0.5)), "0.bias": side.value(torch.ones(2))}
    net.load_state_dict(given) if side.declared is None else side.call(net, given)
    return net(side.value(X))


@scenario(M + "_load_from_state_dict")
def own_state(side: Side) -> Any:
    """One module alone: what is missing, unexpected, of another shape."""
    found: list[Any] = []
    for keys in (("weight", "bias"), ("weight",), ("weight", "bias", "other")):
        layer = side.layer("torch.nn.Linear", 3, 2)
        given = {f"p.{key}": side.value(torch.full((2, 3) if key == "weight" else (2,), 0.25)) for key in keys}
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        side.call(layer, given, "p.", {}, True, missing, unexpected, errors)
        found += [missing, unexpected, len(errors), layer(side.value(X))]
    layer, errors = side.layer("torch.nn.Linear", 3, 2), []
    side.call(layer, {"weight": side.value(torch.ones(5, 3)), "bias": side.value(torch.ones(2))}, "", {}, True, [], [], errors)
    return [*found, len(errors), layer(side.value(X))]


@scenario(M + "_register_load_state_dict_pre_hook")
def hook_before_loading(side: Side) -> Any:
    """A key that has another name, with and without the module; a hook that was removed."""
    found: list[Any] = []
    for with_module in (False, True):
        layer = side.layer("torch.nn.Linear", 3, 2)

        def renamed(*given: Any, first: int = int(with_module)) -> None:
            given[first]["weight"] = given[first].pop("w")
            found.append((len(given) - first, given[first + 1]))

        handle = side.call(layer, renamed, with_module)
        given = {"w": side.value(torch.full((2, 3), 0.25)), "bias": side.value(torch.ones(2))}
        side.named(M + "load_state_dict")(layer, dict(given))
        handle.remove()
        found.extend((layer(side.value(X)), len(layer._load_state_dict_pre_hooks)))
    return found


@scenario(M + "__class__.__name__")
def class_names(side: Side) -> Any:
    """Of layers whose names differ."""
    layers = [side.make(f"torch.nn.{name}", *args) for name, args in (("Linear", (2, 3)), ("Conv2d", (2, 3, 1)), ("ConvTranspose2d", (2, 3, 1)), ("BatchNorm2d", (2,)), ("Sequential", ()))]
    return [type(layer).__name__ if side.declared is None else side.call(layer) for layer in layers]


@scenario("torch.nn.SyncBatchNorm")
def in_one_process(side: Side) -> Any:
    """Evaluation in one process is that of a batch normalisation; its state"""
    made = side.call(3)
    side.trains(made, False)
    return made(side.value(X)), [name for name in side.state(made) if name != "num_batches_tracked"]


@scenario("torch.nn.SyncBatchNorm.convert_sync_batchnorm")
def converted(side: Side) -> Any:
    """Evaluation of a net gives the same afterwards."""
    net = side.make("torch.nn.Sequential", side.layer("torch.nn.Linear", 3, 3), normalised(side))
    made = side.call(net)
    side.trains(made, False)
    return made(side.value(X))


@scenario("torch.nn.modules.loss._Loss", "torch.nn.modules.loss._WeightedLoss")
def bases(side: Side) -> Any:
    """The reduction that it remembers; a weight that is part of its state."""
    found: list[Any] = [side.call().reduction, side.call(reduction="sum").reduction]
    if side.name.endswith("_WeightedLoss"):
        made = side.call(side.value(torch.ones(3)))
        found += [list(side.state(made)), made.weight + 0, side.call().weight]
    return found


@scenario("torch.nn.AdaptiveLogSoftmaxWithLoss")
def adaptive(side: Side) -> Any:
    """Outputs and loss, log probabilities, predictions; gradients; both divisions, with and without the head's bias."""
    found: list[Any] = []
    x = torch.rand(6, 32, generator=torch.Generator().manual_seed(6)) - 0.5
    target = side.value(torch.tensor([0, 3, 5, 9, 11, 4]))
    for cutoffs, options in (([4, 8], {}), ([3], {"div_value": 2.0, "head_bias": True})):
        layer = side.layer("torch.nn.AdaptiveLogSoftmaxWithLoss", 32, 12, cutoffs, **options)
        output, loss = layer(side.value(x), target)
        found += [output, loss, layer.log_prob(side.value(x)), layer.predict(side.value(x)), list(side.state(layer))]
        found += side.gradients(lambda given, layer=layer: layer(given, target)[1], x)
    return found


@scenario(M + "_conv_forward")
def with_other_weights(side: Side) -> Any:
    """Of three layers, with a border, with and without a bias"""
    found = []
    for name, shape, options in (("Conv1d", (2, 2, 6), {"dilation": 2}), ("Conv2d", (2, 2, 5, 6), {"padding": 1, "padding_mode": "circular"}), ("Conv2d", (1, 2, 5, 5), {"stride": 2}), ("Conv3d", (1, 2, 3, 4, 3), {})):
        count = len(shape) - 2
        x, weight = (torch.rand(size, generator=torch.Generator().manual_seed(5)) for size in (shape, (3, 2, *[2] * count)))
        layer = side.layer(f"torch.nn.{name}", 2, 3, 2, **options)
        asked = layer._conv_forward if side.declared is None else partial(side.call, layer)
        found += [asked(side.value(x), side.value(weight), bias) for bias in (None, side.value(torch.arange(3.0)))]
    return found


@scenario(M + "_check_input_dim")
def of_so_many_axes(side: Side) -> Any:
    """Of normalisations that take the input, and that do not"""
    found = []
    for name, count in (("BatchNorm1d", 2), ("BatchNorm1d", 4), ("BatchNorm2d", 4), ("BatchNorm2d", 3), ("InstanceNorm2d", 3), ("InstanceNorm2d", 2), ("BatchNorm3d", 5)):
        layer = side.layer(f"torch.nn.{name}", 2)
        asked = layer._check_input_dim if side.declared is None else partial(side.call, layer)
        try:
            found.append(asked(side.value(torch.ones([2] * count))))
        except ValueError:
            found.append("raises")
    return found
