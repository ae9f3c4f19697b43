"""`x.state_dict()` and `x.load_state_dict(…)` where nothing says what x is: a cell answers with torch's names, anything
else with its own method."""

from mindspore import nn

from mindport.declare import equivalent
from mindport.layers.state_dict import load_state_dict, overridden, state_dict


@equivalent("torch.nn.Module.state_dict_of_unknown")
def any_state_dict(holder, *args, **kwargs):
    """What a cell, an optimizer, a scheduler or another object keeps in files."""
    if isinstance(holder, nn.Cell) and not overridden(holder, "state_dict"):
        return state_dict(holder, *args, **kwargs)
    return holder.state_dict(*args, **kwargs)


@equivalent("torch.nn.Module.load_state_dict_of_unknown")
def any_load_state_dict(holder, *args, **kwargs):
    """Give a cell, an optimizer, a scheduler or another object what it kept."""
    if isinstance(holder, nn.Cell) and not overridden(holder, "load_state_dict"):
        return load_state_dict(holder, *args, **kwargs)
    return holder.load_state_dict(*args, **kwargs)
