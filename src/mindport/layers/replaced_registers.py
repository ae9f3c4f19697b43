"""``module._parameters = new``: a dictionary in which torch keeps a module's parts, replaced by another one.

https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html; a cell would keep an attribute of that name, and compute with what it held before.
"""

from mindspore import Parameter, nn

from mindport.layers.module_tree import _modules, _parameters


def replace_register(module, name, new):
    """The module holds what the new dictionary holds, in its order; another object keeps an attribute."""
    if not isinstance(module, nn.Cell):
        setattr(module, name, new)
        return
    given = dict(new)  # it may be made of what is held
    if name == "_parameters" and not all(value is None or isinstance(value, Parameter) for value in given.values()):
        raise NotImplementedError("a cell holds Parameters alone: hand tensors that carry a history to torch.func.functional_call")
    held = _parameters(module) if name == "_parameters" else _modules(module)
    if list(held) != list(given):
        for kept in list(held):
            del held[kept]
    for place, value in given.items():
        held[place] = value
