"""Scenarios of torch._foreach_…: lists of tensors with numbers, tensors and lists; what stands in the tensors after the in-place forms."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

_made = torch.Generator().manual_seed(5)
LISTS = [[torch.rand(2, 3, generator=_made) + 0.2, torch.rand(4, generator=_made) + 0.2] for _ in range(3)]
PAIRS = ("add", "sub", "mul", "div", "maximum", "minimum", "clamp_min", "clamp_max", "pow")
SINGLE = ("sqrt", "neg", "abs", "exp", "log", "reciprocal", "sign", "rsqrt", "sigmoid", "tanh")
ROWS: dict[str, list[tuple[Any, ...]]] = {
    **{name: [(LISTS[0], 0.5), (LISTS[0], [0.5, 2.0]), (LISTS[0], LISTS[1])] for name in PAIRS},
    **{name: [([one - 0.5 if name in ("neg", "abs", "sign") else one for one in LISTS[0]],)] for name in SINGLE},
    "addcmul": [(*LISTS, 0.3), (*LISTS, [0.3, 2.0]), (*LISTS,)], "addcdiv": [(*LISTS, 0.3), (*LISTS, [0.3, 2.0]), (*LISTS,)],
    "lerp": [(LISTS[0], LISTS[1], 0.3), (LISTS[0], LISTS[1], LISTS[2])],
}  # fmt: skip


def _copied(value: Any) -> Any:
    return [_copied(one) for one in value] if isinstance(value, list) else value.clone() if isinstance(value, torch.Tensor) else value


def of(name: str, in_place: bool) -> None:
    """Register the scenario of one function."""

    def told(side: Side) -> Any:
        """numbers, lists and tensors"""
        found = []
        for row in ROWS[name]:
            args = [side.value(_copied(one)) for one in row]
            result = side.call(*args)
            found.append([args[0], [result[0] is args[0][0]] if in_place else list(result)])
        return found

    scenario(f"torch._foreach_{name}{'_' if in_place else ''}")(told)


for _name in ROWS:
    of(_name, False)
    of(_name, True)


@scenario("torch._foreach_add", "torch._foreach_sub")
def with_alpha(side: Side) -> Any:
    """other tensors times alpha"""
    return list(side.call(side.value(LISTS[0]), side.value(LISTS[1]), alpha=0.5))


@scenario("torch._foreach_norm")
def norms(side: Side) -> Any:
    """orders"""
    return [list(side.call(side.value(LISTS[0]), order)) for order in (2, 1, float("inf"), 3)] + [list(side.call(side.value(LISTS[0])))]


@scenario("torch._foreach_copy_")
def copies(side: Side) -> Any:
    """another list's values"""
    held = side.value(_copied(LISTS[0]))
    side.call(held, side.value(LISTS[1]))
    return held


@scenario("torch._foreach_zero_")
def zeros(side: Side) -> Any:
    """zeros"""
    held = side.value(_copied(LISTS[0]))
    side.call(held)
    return held


@scenario("torch.utils._foreach_utils._group_tensors_by_device_and_dtype")
def grouped(side: Side) -> Any:
    """tensors of two kinds, lists without tensors, places"""
    tensors = [torch.ones(1), torch.ones(2).double(), torch.full((3,), 2.0)]
    lists = [[side.value(one) for one in tensors], [side.value(one * 2) for one in tensors], []]
    found = side.call(lists, True), side.call(lists)
    return [sorted(([len(each) for each in members], [one.tolist() for one in members[1]], places) for members, places in groups.values()) for groups in found]
