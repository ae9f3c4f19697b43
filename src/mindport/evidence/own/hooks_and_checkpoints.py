"""Scenarios of what runs beside a forward or backward pass: hooks on gradients, handles, recomputed parts."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

X = torch.arange(12.0).reshape(3, 4).sin()


@scenario("torch.Tensor.register_hook")
def on_a_tensor(side: Side) -> Any:
    """The gradient is seen, replaced, kept; several hooks, in their order."""
    seen: list[Any] = []

    def compute(x: Any) -> Any:
        inner = x * x.sin()
        side.call(inner, lambda gradient: seen.append(gradient + 0))
        side.call(inner, lambda gradient: gradient * 3)
        side.call(inner, lambda gradient: gradient + 1)
        return inner * inner

    return side.gradients(compute, X), seen


@scenario("torch.Tensor.register_hook", "torch.utils.hooks.RemovableHandle.remove")
def taken_away(side: Side) -> Any:
    """A hook that is removed does nothing."""
    own = side.name.endswith("register_hook")

    def compute(x: Any) -> Any:
        inner = x * 2
        if own:
            side.call(inner, lambda gradient: gradient * 100).remove()
        else:
            side.call(inner.register_hook(lambda gradient: gradient * 100))
        return inner * inner

    return side.gradients(compute, X)


def with_and_without(side: Side, hook: Any) -> tuple[Any, Any]:
    """The input's gradient through a layer that has the hook, and after the hook is removed."""
    net = side.layer("torch.nn.Linear", 4, 3)
    handle = side.call(net, hook)
    hooked = side.gradients(lambda x: net(x * 1).sin(), X)
    handle.remove()
    return hooked, side.gradients(lambda x: net(x * 1).sin(), X)


@scenario("torch.nn.Module.register_full_backward_hook")
def behind_a_module(side: Side) -> Any:
    """What comes in and goes out, replaced on the way; whether a handle comes back."""
    seen: list[Any] = []

    def look(module: Any, inner: Any, outer: Any) -> Any:
        seen.append([type(inner).__name__, len(inner), inner[0] + 0, outer[0] + 0])
        return (inner[0] * 2,)

    return with_and_without(side, look), seen


@scenario("torch.nn.Module.register_full_backward_pre_hook")
def before_a_module(side: Side) -> Any:
    """What comes in, replaced before the module's own backward pass."""
    seen: list[Any] = []

    def look(module: Any, outer: Any) -> Any:
        seen.append(outer[0] + 0)
        return (outer[0] * 2,)

    return with_and_without(side, look), seen


@scenario("torch.utils.checkpoint.checkpoint")
def computed_again(side: Side) -> Any:
    """A function, a module, several arguments, keywords: results and gradients are those of the plain call."""
    net = side.layer("torch.nn.Linear", 4, 3)

    def mixed(a: Any, b: Any, *, scale: float = 1.0) -> Any:
        return (a * b.sin()) * scale

    forms = [
        lambda x: side.call(net, x, use_reentrant=False),
        lambda x: side.call(mixed, x, x * 2, use_reentrant=False, scale=3.0),
        lambda x: side.call(lambda a: (a, a * 2), x, use_reentrant=False)[1] * x,
    ]
    return [[form(side.value(X)), side.gradients(form, X)] for form in forms]


@scenario("torch.utils.checkpoint.checkpoint_sequential")
def computed_again_in_parts(side: Side) -> Any:
    """A Sequential, a list of its modules; one part, several."""
    net = side.make("torch.nn.Sequential", side.layer("torch.nn.Linear", 4, 3), side.make("torch.nn.Tanh"), side.layer("torch.nn.Linear", 3, 2))
    parts = [net[0], net[1], net[2]]
    forms = [lambda x, f=f, n=n: side.call(f, n, x, use_reentrant=False) for f in (net, parts) for n in (1, 2)]
    return [[form(side.value(X)), side.gradients(form, X)] for form in forms]
