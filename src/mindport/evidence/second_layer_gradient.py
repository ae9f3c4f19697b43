"""The second gradient of a layer, as a gradient penalty takes it.

With y the layer's result and g the gradient of y + y * y with respect to its inputs (for a fixed random cotangent), compared
is the gradient of the sum of squares of g with respect to the inputs and the parameters: so it goes through the backward pass
of linear layers, too.
"""

from __future__ import annotations

from typing import Any

import mindspore as ms
import torch

from mindport.declare import Declaration
from mindport.evidence import compare
from mindport.evidence.bridge import to_mindspore
from mindport.evidence.layer_samples import LayerSample
from mindport.evidence.programs import CallText, module
from mindport.evidence.run_layer import built, draws, ours, place, told
from mindport.evidence.run_sample import GRADIENT_LOOSENED, Result, TorchRefuses, judged
from mindport.evidence.samples import copied, tensors


def in_pynative(name: str, declared: Declaration, sample: LayerSample) -> Result | None:
    """Compare in PyNative mode."""
    return second_gradient(name, declared, sample, graph=False)


def in_graph_mode(name: str, declared: Declaration, sample: LayerSample) -> Result | None:
    """Compare with the outermost gradient function compiled by ``ms.jit``."""
    return second_gradient(name, declared, sample, graph=True)


def second_gradient(name: str, declared: Declaration, sample: LayerSample, graph: bool) -> Result | None:
    """Compare the second gradient; None where torch has none (no floating input, a layer that draws or is linear in nothing)."""
    layer = built(name, declared, sample).train()
    if draws(layer, sample):
        layer.eval()
    mode = layer.training
    given = copied(sample.call)
    leaves = [t.requires_grad_() for t in tensors([given.args, given.kwargs]) if t.is_floating_point()]
    state = {key: value.clone() for key, value in layer.state_dict().items()}
    try:
        expected = layer(*given.args, **given.kwargs)
    except Exception as error:
        raise TorchRefuses(str(error)) from error
    result = expected[0] if isinstance(expected, tuple) else expected
    if not leaves or not isinstance(result, torch.Tensor) or not result.requires_grad:
        return None
    cotangent = torch.randn(result.shape, generator=torch.Generator().manual_seed(1))
    named = {n: p for n, p in layer.named_parameters() if place(declared, layer, n) is not None}
    try:
        first = torch.autograd.grad(result + result * result, leaves, cotangent, create_graph=True, allow_unused=True)
        squares = [(g**2).sum() for g in first if g is not None and g.requires_grad]
        if not squares:
            return None
        found = torch.autograd.grad(squares, [*leaves, *named.values()], allow_unused=True)
    except RuntimeError as error:
        return Result("none in torch", told(name, sample), str(error)[:200])
    wanted = [torch.zeros_like(x) if g is None else g for g, x in zip(found, [*leaves, *named.values()], strict=True)]
    again = tuple(2 * to_mindspore(torch.zeros_like(x) if g is None else g.detach()) for g, x in zip(first, leaves, strict=True))
    layer.load_state_dict(state)

    def difference() -> str:
        parent = ours(declared, sample, layer)
        parent.set_train(mode)
        text = CallText(lambda tensor: tensor.is_floating_point())
        call = text.call("target", sample.call.args, sample.call.kwargs)
        picked = "result[0]" if isinstance(expected, tuple) else "result"
        names = ", ".join(text.parameters)
        held = parent.parameters_dict()
        places = [place(declared, layer, n) for n in named]
        weights = ms.ParameterTuple([held[f"layer.{p[0]}"] for p in places if p is not None])
        derive = ms.ops.GradOperation(get_all=True, sens_param=True)
        outer = ms.ops.GradOperation(get_all=True, get_by_list=bool(weights), sens_param=True)
        program = (
            f"def program({names}):\n    result = {call}\n    y = {picked}\n    return y + y * y\n\n"
            f"def first({names}):\n    return derive(program)({names}, sens)\n\n"
            f"def second({names}):\n    return {'outer(first, weights)' if weights else 'outer(first)'}({names}, again)\n"
        )
        made = module(
            program, {"target": parent.layer, "derive": derive, "outer": outer, "weights": weights, "sens": to_mindspore(cotangent), "again": again, **text.constants}
        )
        values = [to_mindspore(t) for t in text.parameters.values()]
        got: Any = (ms.jit(made.second) if graph else made.second)(*values)
        of_inputs, of_weights = got if weights else (got, ())
        for number, value in enumerate(of_inputs):
            if said := compare.difference(wanted[number], value, loosened=GRADIENT_LOOSENED):
                return f"input {number}: {said}"
        for number, (key, where, value) in enumerate(zip(named, places, of_weights, strict=True)):
            right = wanted[len(leaves) + number]
            right = right if where is None or where[1] is None else right.unsqueeze(where[1])
            if said := compare.difference(right, value, loosened=GRADIENT_LOOSENED):
                return f"{key}: {said}"
        return ""

    return judged(declared, sample.build, told(name, sample), difference)
