"""Modules that are put at a dotted path."""

from __future__ import annotations

from typing import Any

from mindport.evidence.scenarios import Side, scenario


@scenario("torch.nn.Module.set_submodule")
def placed(side: Side) -> Any:
    """a part of a sequence, a new part, a place that is none, the empty name, what is no module; no result"""
    net, relu = side.net(), side.make("torch.nn.ReLU")
    result = side.call(net, "0.0", relu)
    refused = []
    for arguments in (("0.9", relu, True), ("", relu), ("0.1", 3)):
        try:
            side.call(net, *arguments)
        except (AttributeError, ValueError) as error:
            refused.append(type(error).__name__)
    side.call(net, "last", side.make("torch.nn.Sigmoid"))
    return result, net[0][0] is relu, type(net.last).__name__, refused, len(list(side.parameters(net)))
