"""Scenarios of orthogonal weights: the three maps, of square, tall and wide matrices, with and without a base."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.parametrized_weights import given
from mindport.evidence.scenarios import Side, scenario

NAME = "torch.nn.utils.parametrizations.orthogonal"
LAYERS: list[tuple[str, tuple[Any, ...], tuple[int, ...]]] = [
    ("torch.nn.Linear", (4, 4), (3, 4)), ("torch.nn.Linear", (3, 5), (2, 3)), ("torch.nn.Linear", (5, 3), (2, 5)), ("torch.nn.Conv2d", (2, 4, 3), (1, 2, 5, 5)),
]  # fmt: skip
WAYS: list[dict[str, Any]] = [
    {}, {"orthogonal_map": "matrix_exp"}, {"orthogonal_map": "cayley"}, {"orthogonal_map": "householder"},
    {"orthogonal_map": "matrix_exp", "use_trivialization": False}, {"orthogonal_map": "cayley", "use_trivialization": False},
    {"orthogonal_map": "householder", "use_trivialization": False},
]  # fmt: skip


@scenario(NAME)
def kept_weight(side: Side) -> Any:
    """The weight made orthogonal, the state's keys, the originals, the output and its gradients."""
    found: list[Any] = []
    for name, args, shape in LAYERS:
        for way in WAYS:
            module = side.layer(name, *args)
            found.append(side.call(module, "weight", **way) is module)
            held = side.state(module)
            parameters = side.parameters(module)
            found += [list(held), list(parameters), held["parametrizations.weight.original"] + 0, module.weight + 0, module(side.value(given(shape)))]
            if way.get("use_trivialization") is False or list(module.weight.shape[-2:]) in ([4, 4], [3, 3]):  # the rest depends on drawn columns
                found.append(side.gradients(lambda x, of=module: (of(x) * of(x).sin()).sum(), given(shape), weights=list(parameters.values())))
    return found


@scenario(NAME)
def moved_weight(side: Side) -> Any:
    """After a change of the originals the weight is orthogonal still, and the same where nothing is drawn."""
    found: list[Any] = []
    for name, args, shape in LAYERS:
        for way in WAYS:
            module = side.call(side.layer(name, *args), **way)
            held = side.state(module)
            original = held["parametrizations.weight.original"]
            moved = torch.arange(float(torch.Size(tuple(original.shape)).numel())).reshape(tuple(original.shape)).cos() * 0.3 - torch.eye(*tuple(original.shape)[-2:])
            side.make("torch.nn.Module.load_state_dict", module, {**held, "parametrizations.weight.original": side.value(moved)})
            weight = torch.tensor(module.weight.tolist())
            tall = weight if weight.shape[-2] >= weight.shape[-1] else weight.mT
            found.append(torch.allclose(tall.mT @ tall, (tall.mT @ tall).detach() * torch.eye(tall.shape[-1]), atol=1e-5))
            if way.get("use_trivialization") is False or weight.shape[-1] == weight.shape[-2]:
                found += [module.weight + 0, module(side.value(given(shape)))]
    return found


@scenario(NAME)
def refused(side: Side) -> Any:
    """Vectors, missing names, unknown maps; removed again."""
    found: list[Any] = []
    for args, way in ((("bias",), {}), (("nothing",), {}), (("weight", "qr"), {})):
        try:
            side.call(side.layer("torch.nn.Linear", 4, 4), *args, **way)
        except ValueError as error:
            found.append(type(error).__name__)
    module = side.call(side.layer("torch.nn.Linear", 4, 4))
    side.make("torch.nn.utils.parametrize.remove_parametrizations", module, "weight")
    return [*found, list(side.state(module)), module.weight + 0]
