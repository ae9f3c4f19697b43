"""Calling a module: the shapes of what it gives, and its multiply-adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mindport.analysis import torch_names
from mindport.analysis.network_run import attributes, layer_shapes
from mindport.analysis.network_run.layer_rules import PREFIX
from mindport.analysis.network_run.values import Instance, Scope, Tensor, Undecided

if TYPE_CHECKING:
    from mindport.analysis.network_run.statements import Run

#: Results of one module that are kept.
_MOST_OUTPUTS = 4


def called(run: Run, module: Instance, args: tuple[Any, ...], keywords: dict[str, Any], scope: Scope) -> Any:
    """``module(*args, **keywords)``; what it gave is kept with it."""
    if not module.module:
        return run.call(attributes.read(run, module, "__call__"), args, keywords, scope)
    result = _forward(run, module, args, keywords, scope)
    module.calls += 1
    if len(module.outputs) < _MOST_OUTPUTS:
        module.outputs.append(result)
    return result


def _forward(run: Run, module: Instance, args: tuple[Any, ...], keywords: dict[str, Any], scope: Scope) -> Any:
    if module.cls is not None:
        for owner in module.cls.mro:
            if "__call__" in owner.methods:
                raise Undecided(f"{module.kind} has a __call__ of its own")
            if "forward" in owner.methods:
                return run.call(attributes.read(run, module, "forward"), args, keywords, scope)
    if module.layer == PREFIX + torch_names.SEQUENTIAL:
        value = args[0] if args else None
        for number, (_, child) in enumerate(module.children()):
            value = run.call(child, (value,) if number or len(args) == 1 else args, {}, scope)
        if module.unknown:
            return Tensor(None)
        return value
    if not module.layer:
        raise Undecided(f"{module.kind} has no forward")
    result, macs = layer_shapes.result(module.layer, module.arguments, args, keywords)
    module.macs = None if macs is None or module.macs is None else module.macs + macs
    return result
