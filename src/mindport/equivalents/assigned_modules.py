"""A module that takes a place in another one by name."""

from mindspore import nn


def set_module(owner, name, value):
    """``setattr(owner, name, value)``; a sequence runs the new module, too, and its parameters have the names of the place.

    MindSpore's `SequentialCell` keeps what it runs in a list of its own, which an attribute does not reach.
    """
    setattr(owner, name, value)
    if isinstance(owner, nn.SequentialCell) and name in owner._cells:
        owner.cell_list = list(owner._cells.values())
    if isinstance(owner, nn.Cell) and isinstance(value, nn.Cell):
        _name_parameters(owner, name, value)


def _name_parameters(owner, name, value):
    """The parameters' names begin like those of the modules beside them: cells name only what joins them."""
    own = {id(parameter) for _, parameter in value.parameters_and_names()}
    for dotted, parameter in owner.parameters_and_names():
        if id(parameter) not in own and parameter.name.endswith(f".{dotted}"):
            value.update_parameters_name(f"{parameter.name[: -len(dotted)]}{name}.")
            return


def remove_bias(layer):
    """``layer.bias = None``: the layer goes on without it; MindSpore's cells decide by `has_bias`."""
    layer.bias = None
    if hasattr(layer, "has_bias"):
        layer.has_bias = False
