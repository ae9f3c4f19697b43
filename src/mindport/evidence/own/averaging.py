"""Scenarios of averaged models: the same averages and statistics on both sides."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

SWA = "torch.optim.swa_utils."


def fill(side: Side, module: Any, seed: int) -> Any:
    """The same numbers in the parameters of either side, in order."""
    numbers = torch.Generator().manual_seed(seed)
    members = list(side.make("torch.nn.Module.parameters", module))
    for p in members:
        value = torch.rand(tuple(p.shape), generator=numbers) + 0.5
        if side.declared is None:
            p.data.copy_(value)
        else:
            p.copy_(side.value(value))
    return module


def normalised(side: Side) -> Any:
    """A linear layer with batch normalisation."""
    return side.make("torch.nn.Sequential", side.make("torch.nn.Linear", 4, 3), side.make("torch.nn.BatchNorm1d", 3))


def told(values: Any) -> list[Any]:
    """Tensors as lists of numbers, rounded where the sixth digit is noise."""
    return [[round(float(x), 5) for x in value.flatten().tolist()] for value in values]


@scenario(SWA + "AveragedModel", SWA + "AveragedModel.update_parameters", SWA + "AveragedModel.n_averaged", SWA + "AveragedModel.module")
def averages(side: Side) -> Any:
    """averages of five models by each rule, buffers copied and averaged"""
    rules: list[dict[str, Any]] = [
        {}, {"avg_fn": side.make(SWA + "get_ema_avg_fn", 0.9)}, {"multi_avg_fn": side.make(SWA + "get_ema_multi_avg_fn", 0.8)},
        {"multi_avg_fn": side.make(SWA + "get_ema_multi_avg_fn", 0.5), "use_buffers": True}, {"avg_fn": side.make(SWA + "get_swa_avg_fn")},
    ]  # fmt: skip
    seen: list[Any] = []
    for rule in rules:
        model = fill(side, normalised(side), 1)
        made = side.call if side.name.endswith("AveragedModel") else lambda *a, **k: side.make(SWA + "AveragedModel", *a, **k)
        averaged = made(model, **rule)
        for turn in range(5):
            fill(side, model, turn)
            side.make("torch.nn.Module.train", model)
            model(side.value(torch.arange(20.0).reshape(5, 4) * (turn + 1)))
            if side.name.endswith("update_parameters"):
                side.call(averaged, model)
            else:
                averaged.update_parameters(model)
        side.make("torch.nn.Module.eval", averaged)
        inner = side.call(averaged) if side.name.endswith(".module") and side.declared is not None else averaged.module
        count = side.call(averaged) if side.name.endswith("n_averaged") else averaged.n_averaged
        floats = [b for b in side.make("torch.nn.Module.buffers", inner) if "loat" in str(b.dtype)]
        members = [*side.make("torch.nn.Module.parameters", inner), *floats]
        result = averaged(side.value(torch.ones(2, 4)))
        seen.append((int(count), told([*members, result])))
    return seen


@scenario(SWA + "get_swa_multi_avg_fn")
def plain_averages(side: Side) -> Any:
    """the plain average of tensors, step by step"""
    averages = [side.value(torch.ones(3)), side.value(torch.arange(4.0))]
    for number in range(1, 4):
        side.call()(averages, [side.value(torch.full((3,), 5.0)), side.value(torch.ones(4) * number)], number)
    return told(averages)


@scenario(SWA + "update_bn")
def statistics(side: Side) -> Any:
    """running statistics over batches of several sizes, given as tensors and as tuples; the mode is kept"""
    seen: list[Any] = []
    for training in (True, False):
        model = fill(side, normalised(side), 3)
        side.make("torch.nn.Module.train", model, training)
        rows = [torch.rand(size, 4, generator=torch.Generator().manual_seed(size)) * size for size in (6, 3, 9)]
        loader = [side.value(r) if training else (side.value(r), side.value(torch.ones(1))) for r in rows]
        side.call(loader, model)
        floats = [b for b in side.make("torch.nn.Module.buffers", model) if "loat" in str(b.dtype)]
        seen.append((model.training, told(floats)))
    plain = fill(side, side.net(), 3)
    side.call([], plain)
    return seen


@scenario(SWA + "get_swa_avg_fn", SWA + "get_ema_avg_fn", SWA + "get_ema_multi_avg_fn")
def rules(side: Side) -> Any:
    """averages of tensors by each rule, step by step"""
    averages = [side.value(torch.ones(3)), side.value(torch.arange(3.0))]
    rule = side.call(*(() if "swa" in side.name.rpartition(".")[2] else (0.9,)))
    for number in range(1, 4):
        current = [side.value(torch.full((3,), 5.0)), side.value(torch.ones(3) * number)]
        if "multi" in side.name:
            rule(averages, current, number)
        else:
            averages = [rule(average, value, number) for average, value in zip(averages, current, strict=True)]
    return told(averages)
