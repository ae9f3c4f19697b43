"""Modules that a loss is computed by and whose parameters the optimizer does not hold.

A worker's network computes the loss, and its gradients are handed to a network that others share, which the optimizer holds (A3C).
torch's backward pass fills `.grad` of whatever the loss was computed from; here gradients are taken of parameters that are named.
"""

from mindspore import nn


def of_strange_modules(forward, known):
    """Parameters of the modules that a local function names, where none of these modules has one of the `known` parameters."""
    named = {id(parameter) for parameter in known}
    modules = modules_of(forward)
    if any(id(parameter) in named for module in modules for parameter in module.get_parameters()):
        return []
    return [parameter for module in modules for parameter in module.get_parameters()]


def modules_of(forward):
    """The modules that a function names itself, or as attributes of objects that it names."""
    code = getattr(forward, "__code__", None)
    if code is None:
        return []
    held = [forward.__globals__.get(name) for name in code.co_names]
    for cell in forward.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:  # a name that is bound later
            continue
    found = {}
    for value in held:
        parts = [value] if isinstance(value, nn.Cell) else [getattr(value, "__dict__", {}).get(name) for name in code.co_names]
        found.update((id(part), part) for part in parts if isinstance(part, nn.Cell))
    return list(found.values())
