"""A module called with other tensors in the places of its parameters and buffers, for the one call.

Source: torch/nn/utils/stateless.py. https://docs.pytorch.org/docs/2.13/generated/torch.func.functional_call.html
"""

from mindspore import Tensor, nn, ops

from mindport.declare import Refused, equivalent
from mindport.equivalents.nested_derivatives import running
from mindport.equivalents.placed_parameters import called_in_graph, note_places
from mindport.layers.module_tree import named_modules
from mindport.layers.parameter import ParameterDict, ParameterList
from mindport.layers.parametrization import RECURRENT
from mindport.layers.state_names import RENAMED, extra_axis


def tensor_places(module):
    """torch's name → (cell, attribute, tensor) of all parameters and buffers that cells read by an attribute of their own."""
    found = {}
    for path, cell in named_modules(module, remove_duplicate=False):
        renamed = {}
        for cls, names in RENAMED:
            if isinstance(cell, cls):
                renamed = names
        for attribute, tensor in [*cell._params.items(), *cell._buffers.items()]:
            if tensor is not None:
                found[".".join(filter(None, (path, renamed.get(attribute, attribute))))] = (cell, attribute, tensor)
    return found


def placed_at(places, given, tie_weights):
    """(cell, attribute, value) for each given tensor, and for the other names of a tensor that has several."""
    found, taken = [], set()
    for name, value in given.items():
        if name not in places:  # torch, too, passes over names that a module does not have, if the module is there
            continue
        cell, attribute, own = places[name]
        if isinstance(cell, (nn.RNN, nn.GRU, nn.LSTM)):
            raise Refused(RECURRENT)
        axis = extra_axis(cell, attribute)
        value = value.expand_dims(axis) if axis is not None and value.ndim == own.ndim - 1 else value
        found.append((cell, attribute, value))
        taken.add(name)
        for other, (holder, place, tensor) in places.items() if tie_weights else ():
            if tensor is own and other not in given and other not in taken:
                found.append((holder, place, value))
                taken.add(other)
    return found


@equivalent("torch.func.functional_call", "torch.nn.utils.stateless.functional_call")
def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """What the module gives with the dictionaries' tensors, by torch's names, in the places of its own.

    Raises AttributeError for a name in a module that is not there, RuntimeError with `strict` for names that are missing or too many.
    """
    if running():  # a graph reads all of a function's text
        return called_with(module, parameter_and_buffer_dicts, args, kwargs, tie_weights, strict)
    return called_in_graph(module, args, kwargs)


def called_with(module, dicts, args, kwargs, tie_weights, strict):
    """`functional_call`, run operator by operator."""
    given = dict(dicts) if hasattr(dicts, "items") else {name: value for each in dicts for name, value in each.items()}
    places, paths = tensor_places(module), {path for path, _ in named_modules(module, remove_duplicate=False)}
    for name in given:
        if name.rpartition(".")[0] not in paths:
            raise AttributeError(f"the module has no module {name.rpartition('.')[0]!r}")
    if strict and set(given) != set(places):
        raise RuntimeError(f"Error(s) in functional_call: missing {sorted(set(places) - set(given))}, unexpected {sorted(set(given) - set(places))}")
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    before, found = [], placed_at(places, given, tie_weights)
    note_places(found)
    try:
        for cell, attribute, value in found:
            read = cell.placed if isinstance(cell, (ParameterList, ParameterDict)) else cell.__dict__
            before.append((read, attribute, read.get(attribute)))
            read[attribute] = value
        return module(*args, **(kwargs or {}))
    finally:
        for read, attribute, held in reversed(before):
            if held is None:
                read.pop(attribute, None)
            else:
                read[attribute] = held


@equivalent("torch.func.stack_module_state")
def stack_module_state(models):
    """The parameters and the buffers of several models of one kind, each stacked along a new first axis, by torch's names."""
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if any(type(model) is not type(models[0]) for model in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    trees = [tensor_places(model) for model in models]
    parameters, buffers = {}, {}
    for name, (cell, attribute, tensor) in trees[0].items():
        axis = extra_axis(cell, attribute)
        rows = [tree[name][2] if axis is None else ops.squeeze(tree[name][2], axis) for tree in trees]
        known = attribute in cell._params and tensor.requires_grad
        (parameters if known else buffers)[name] = Tensor(ops.stack([ops.stop_gradient(row) for row in rows]))
    return parameters, buffers
