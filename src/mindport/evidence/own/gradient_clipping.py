"""Scenarios of gradient clipping and of parameters as one vector."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.optimizers import leaves, told
from mindport.evidence.scenarios import Side, scenario

U = "torch.nn.utils."


@scenario(U + "clip_grad_norm_", U + "clip_grad_norm", U + "clip_grad_value_", U + "clip_grads_with_norm_", U + "get_total_norm")
def clipping(side: Side) -> Any:
    """what is returned, and the gradients after, for several limits and norms, of one parameter and of none"""
    seen: list[Any] = []
    name = side.name.rpartition(".")[2]
    for limit in (0.5, 100.0):
        for norm in (2.0, 1.0, float("inf")):
            members = leaves(side)
            if name.startswith("clip_grad_norm"):
                result = side.call(members, limit, norm)
            elif name == "clip_grad_value_":
                result = side.call(members, limit)
            elif name == "clip_grads_with_norm_":
                result = side.call(members, limit, side.value(torch.tensor(norm if norm < 9 else 7.0)))
            else:
                result = side.call([p.grad for p in members[:2]], norm)
            seen.append((None if result is None else told([result]), told([getattr(p, "grad", None) for p in members])))
    if name == "clip_grad_norm_":
        infinite = leaves(side)
        infinite[0].grad = side.value(torch.full((2, 3), float("inf")))
        try:
            side.call(infinite, 1.0, error_if_nonfinite=True)
        except RuntimeError:
            seen.append("refused")
        seen.append(told([side.call(leaves(side)[0], 1.0), side.call(leaves(side)[2:], 1.0)]))
    return seen


@scenario(U + "parameters_to_vector", U + "vector_to_parameters")
def one_vector(side: Side) -> Any:
    """parameters to a vector and back"""
    members = leaves(side)
    joined = side.make(U + "parameters_to_vector", members)
    vector = side.value(torch.arange(13.0))
    if side.name.endswith("parameters_to_vector"):
        return told([side.call(members), joined])
    side.call(vector, members)
    return told([*members, joined])


@scenario("torch._utils._flatten_dense_tensors", "torch._C._nn.flatten_dense_tensors", "torch._utils._unflatten_dense_tensors", "torch._C._nn.unflatten_dense_tensors")
def one_flat_tensor(side: Side) -> Any:
    """several tensors, one of them empty, and one alone; a flat tensor that is longer, and a part that is changed"""
    several = [side.value(torch.arange(6.0).reshape(2, 3)), side.value(torch.zeros(0, 2)), side.value(torch.tensor(7.0)), side.value(torch.arange(4.0))]
    if "unflatten" not in side.name:
        return told([side.call(several), side.call(several[3:])])
    flat = side.value(torch.arange(13.0))
    parts = side.call(flat, several)
    parts[0][0] = -1.0
    return [told(parts), told([flat])]
