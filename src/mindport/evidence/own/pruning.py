"""Scenarios of torch.nn.utils.prune: masks, values, names, gradients' reach, one pruning after another, removal."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.utils import prune

from mindport.evidence.scenarios import Side, scenario

NAME = "torch.nn.utils.prune."
CASES: list[tuple[str, tuple[Any, ...], tuple[int, ...]]] = [
    ("torch.nn.Linear", (5, 4), (3, 5)), ("torch.nn.Conv2d", (2, 4, 3), (1, 2, 5, 5)), ("torch.nn.Conv1d", (2, 4, 3), (1, 2, 6)),
]


def modules(side: Side) -> list[Any]:
    """A module of each kind with the same weights on both sides, and an input for it."""
    return [(side.layer(name, *args), side.value(torch.arange(float(torch.Size(shape).numel())).reshape(shape).sin())) for name, args, shape in CASES]


def seen(side: Side, module: Any, x: Any) -> list[Any]:
    """What can be seen of a module: its state, the names, the output, whether it is pruned."""
    held = side.state(module)
    return [list(held), [value + 0 for value in held.values()], list(side.parameters(module)), module(x), side.make(NAME + "is_pruned", module)]


@scenario(NAME + "l1_unstructured")
def smallest(side: Side) -> Any:
    """A share, a number, the bias, all, none; other scores; wrong amounts."""
    found: list[Any] = []
    for module, x in modules(side):
        scores = side.value(torch.arange(float(torch.Size(module.weight.shape).numel() if side.declared is None else module.weight.size)))
        shape = tuple(side.state(module)["weight"].shape)
        found.append(side.call(module, "weight", 0.3) is module)
        found += seen(side, module, x)
        found.append(side.call(module, "bias", amount=2) is module)
        found += seen(side, module, x)
        side.call(module, "weight", amount=4, importance_scores=scores.reshape(shape))
        found += seen(side, module, x)
        side.call(module, name="weight", amount=1.0)
        found += seen(side, module, x)
    for amount in (1.5, -1, 10000, "all"):
        try:
            side.call(modules(side)[0][0], "weight", amount)
        except (ValueError, TypeError) as error:
            found.append(type(error).__name__)
    return found


@scenario(NAME + "ln_structured")
def channels(side: Side) -> Any:
    """Axes, norms, one after another and after single elements."""
    found: list[Any] = []
    for n in (1, 2, 3, float("inf"), float("-inf"), "fro"):
        for dim in (0, 1, -2):
            for module, x in modules(side)[: 1 if n == "fro" else 3]:  # torch takes this norm over two axes at most
                side.make(NAME + "l1_unstructured", module, "weight", 3)
                side.call(module, "weight", amount=0.4, n=n, dim=dim)
                found += seen(side, module, x)
                side.call(module, "weight", 1, n, dim)
                found += seen(side, module, x)
    for name, dim in (("bias", 0), ("weight", 7)):
        try:
            side.call(modules(side)[0][0], name, 0.5, 2, dim)
        except (ValueError, IndexError) as error:
            found.append(type(error).__name__)
    return found


@scenario(NAME + "random_unstructured", NAME + "random_structured")
def drawn(side: Side) -> Any:
    """How many go, which values are left of them."""
    found: list[Any] = []
    rest = (0,) if side.name.endswith("random_structured") else ()
    for module, x in modules(side):
        for amount in (0.5, 1, 0):
            side.call(module, "weight", amount, *rest)
            held = side.state(module)
            mask, original = held["weight_mask"], held["weight_orig"]
            found += [int(mask.sum()), sorted({float(value) for value in mask.reshape((-1,)).tolist()}), original + 0, list(side.parameters(module))]
            found.append(bool(((module.weight.reshape((-1,)) - (mask * original).reshape((-1,))).abs() < 1e-7).all()))
            found.append(list(module(x).shape))
    return found


@scenario(NAME + "custom_from_mask", NAME + "identity")
def given(side: Side) -> Any:
    """A mask that is given, twice."""
    found: list[Any] = []
    module, x = modules(side)[0]
    for step in (2, 3):
        mask = (torch.arange(20).reshape(4, 5) % step > 0).float()
        side.call(module, "weight", *(() if side.name.endswith("identity") else (side.value(mask),)))
        found += seen(side, module, x)
    return found


@scenario(NAME + "global_unstructured")
def several(side: Side) -> Any:
    """Parameters of several modules, twice, with other scores."""
    found: list[Any] = []
    pairs = modules(side)
    chosen = [(module, name) for module, _ in pairs for name in ("weight", "bias")]
    method = side.declared and __import__("mindport.layers.pruning_methods", fromlist=["L1Unstructured"]).L1Unstructured or prune.L1Unstructured
    for amount in (0.2, 7):
        found.append(side.call(chosen, pruning_method=method, amount=amount))
        for module, x in pairs:
            found += seen(side, module, x)
    scores = {(pairs[0][0], "weight"): side.value(torch.full((4, 5), 9.0))}
    side.call(iter(chosen) if side.declared is not None else chosen, method, scores, amount=0.5)
    for module, x in pairs:
        found += seen(side, module, x)
    return found


@scenario(NAME + "remove", NAME + "is_pruned")
def removed(side: Side) -> Any:
    """Pruned, and plain again; what was never pruned raises."""
    found: list[Any] = []
    for module, x in modules(side):
        if side.name.endswith("is_pruned"):
            found.append(side.call(module))
        side.make(NAME + "l1_unstructured", module, "weight", 0.5)
        side.make(NAME + "l1_unstructured", module, "bias", 1)
        if side.name.endswith("is_pruned"):
            found.append(side.call(module))
            continue
        for name in ("weight", "bias"):
            found.append(side.call(module, name) is module)
            found += seen(side, module, x)
        try:
            side.call(module, "weight")
        except ValueError:
            found.append("not pruned")
    return found


@scenario(NAME + "BasePruningMethod")
def ones_own(side: Side) -> Any:
    """A method of one's own, every other element."""
    base = side.declared.target if side.declared is not None else prune.BasePruningMethod

    class EveryOther(base):  # type: ignore[misc, valid-type]
        """Every other element goes."""

        PRUNING_TYPE = "unstructured"

        def compute_mask(self, t: Any, default_mask: Any) -> Any:
            """Zeros at even places."""
            flat = default_mask.reshape((-1,)) + 0
            flat[::2] = 0
            return flat.reshape(default_mask.shape)

    found: list[Any] = []
    for module, x in modules(side):
        for _ in range(2):
            found.append(EveryOther.apply(module, "weight").__class__.__name__)
            found += seen(side, module, x)
    return found


@scenario(NAME + "RandomUnstructured", NAME + "RandomStructured")
def drawn_alone(side: Side) -> Any:
    """How many elements go, of what is there still."""
    t = side.value(torch.arange(12.0).reshape(3, 4).cos())
    method = side.call(0.5)
    mask = method.compute_mask(t, t * 0 + 1)
    return [int(mask.sum()), method.PRUNING_TYPE, list(mask.shape), side.dtype(mask), method.amount]


@scenario(*(NAME + name for name in ("L1Unstructured", "Identity", "CustomFromMask", "PruningContainer", "LnStructured")))
def by_themselves(side: Side) -> Any:
    """Masks of tensors that belong to no module."""
    t = side.value(torch.arange(12.0).reshape(3, 4).cos())
    rows: dict[str, list[tuple[Any, ...]]] = {
        "L1Unstructured": [(3,), (0.5,)], "Identity": [()], "PruningContainer": [], "LnStructured": [(0.3, 2), (1, 1, 0)],
        "CustomFromMask": [(side.value((torch.arange(12).reshape(3, 4) % 2).float()),)],
    }
    found: list[Any] = []
    for args in rows[side.name.rpartition(".")[2]]:
        method = side.call(*args)
        found += [method.prune(t), method.compute_mask(t, t * 0 + 1), method.PRUNING_TYPE]
    if side.name.endswith("PruningContainer"):
        container = side.call()
        container._tensor_name = "weight"
        for args in ((2,), (3,)):
            method = side.make(NAME + "L1Unstructured", *args)
            method._tensor_name = "weight"
            container.add_pruning_method(method)
        found += [len(container), container.compute_mask(t, t * 0 + 1), container[1].amount, len(list(container))]
    return found
