"""Scenarios of modules that are compiled, and of questions about the machine."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

X = torch.rand(4, 3, generator=torch.Generator().manual_seed(4)) - 0.5


@scenario("torch.jit.script", "torch.jit.trace", "torch.jit.freeze")
def compiled(side: Side) -> Any:
    """A net gives the same compiled, for this input and another one."""
    net = side.make("torch.nn.Sequential", side.layer("torch.nn.Linear", 3, 5), side.make("torch.nn.Tanh"), side.layer("torch.nn.Linear", 5, 2))
    side.trains(net, False)
    x = side.value(X)
    if side.name.endswith("freeze"):
        made = side.call(side.make("torch.jit.script", net))
    else:
        made = side.call(net, x) if side.name.endswith("trace") else side.call(net)
    return made(x), made(x * 2)


@scenario("torch.hub.get_dir", "torch.hub._get_torch_home")
def folders(side: Side) -> Any:
    """Where downloads are kept."""
    return side.call()


@scenario("torch.get_default_device", "torch.backends.mkldnn.is_available", "torch.cuda.empty_cache", "torch.distributed.is_torchelastic_launched")
def asked(side: Side) -> Any:
    """On a machine with a CPU alone; a device by its text."""
    found = side.call()
    return found if isinstance(found, (bool, int, type(None))) else str(found)
