"""A module that takes a place in another one by name; a bias that a layer gets, or gives up."""

from mindspore import Parameter, nn, ops

from mindport.equivalents.assigned_buffers import assign_buffer


def set_module(owner, name, value):
    """``setattr(owner, name, value)``; a sequence runs the new module, too, and its parameters have the names of the place.

    MindSpore's `SequentialCell` keeps what it runs in a list of its own, which an attribute does not reach.
    """
    assign_buffer(owner, name, value)
    if isinstance(owner, nn.SequentialCell) and name in owner._cells:
        owner.cell_list = list(owner._cells.values())
        owner._is_dynamic_name += [False] * (len(owner._cells) - len(owner._is_dynamic_name))  # one a part, which `del owner[i]` counts by
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


def set_bias(layer, bias):
    """``layer.bias = bias``: also a layer that was made without one adds it from here on; MindSpore's cells decide by `has_bias`."""
    former = getattr(layer, "bias", None)
    weight = getattr(layer, "weight", None)
    if isinstance(bias, Parameter):
        stem = weight.name[: -len("weight")] if isinstance(weight, Parameter) and weight.name.endswith("weight") else ""
        bias.name = former.name if isinstance(former, Parameter) else f"{stem}bias"
    if getattr(layer, "has_bias", None) is False and bias is not None:
        layer.has_bias = True
        layer.bias_add = getattr(layer, "bias_add", None) or ops.BiasAdd()
    layer.bias = bias


def set_child(owner, name, value):
    """``owner.name = value`` where the class has a method of that name: torch keeps the module among the children, and the name stands for the method."""
    if not isinstance(value, nn.Cell):
        setattr(owner, name, value)
        return
    owner._cells[name] = value
    value.update_parameters_name(f"{name}.")
