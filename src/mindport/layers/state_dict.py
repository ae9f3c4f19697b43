"""state_dict and load_state_dict with torch's names, so that code which reads, filters or edits the keys works unchanged,
and files written by PyTorch load."""

from collections import OrderedDict, namedtuple
from collections.abc import Mapping

import numpy as np
from mindspore import Tensor, _no_grad, nn

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.inplace import overwrite
from mindport.layers.state_names import extra_axis, own_buffers, own_parameters, torch_children, torch_view

UNCOUNTED = difference(
    "batch normalisation keeps no num_batches_tracked: its key is not in the dictionary, and is passed over when loading",
    when="'BatchNorm' in str(self)", risk="style", zh="没有 num_batches_tracked",
)
EXTRA_STATE = "_extra_state"


class IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What loading found missing and unexpected."""

    __slots__ = ()

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()


def overridden(cell, name):
    """Whether the user's class defines a method of nn.Cell anew."""
    return getattr(type(cell), name) is not getattr(nn.Cell, name)


def own_state(cell):
    """(torch's name, tensor) of what a cell itself keeps in files, in torch's order."""
    return [(n, t) for n, t in [*own_parameters(cell), *own_buffers(cell, True)] if t is not None]


@equivalent("torch.nn.Module.state_dict", differs=[UNCOUNTED])
def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
    """Parameters and persistent buffers by torch's names; the values share the cell's storage.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html#torch.nn.Module.state_dict
    """
    if args:
        destination = args[0]
        prefix = args[1] if len(args) > 1 else prefix
        keep_vars = args[2] if len(args) > 2 else keep_vars
    destination = OrderedDict() if destination is None else destination
    for hook in self._state_dict_pre_hooks.values():
        hook(self, prefix, keep_vars)
    for name, tensor in own_state(self):
        destination[prefix + name] = torch_view(self, name, tensor)
    if overridden(self, "get_extra_state"):
        destination[prefix + EXTRA_STATE] = self.get_extra_state()
    for name, child in torch_children(self):
        if child is not None and overridden(child, "state_dict"):
            child.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        elif child is not None:
            state_dict(child, destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
    for hook in self._state_dict_hooks.values():
        result = hook(self, destination, prefix, {})
        destination = destination if result is None else result
    return destination


def copied(cell, name, tensor, value):
    """Write `value` into a cell's tensor; the reason as a text where it does not fit."""
    if not isinstance(value, Tensor):
        return f"expected torch.Tensor or Tensor-like object from checkpoint but received {type(value)}"
    axis = extra_axis(cell, name)
    shape = torch_view(cell, name, tensor).shape
    if len(shape) == 0 and value.shape == (1,):
        value = value.reshape(())
    if axis is not None and value.shape == tensor.shape:
        shape = tensor.shape  # MindSpore's own layout
    if value.shape != shape:
        return (
            f"size mismatch for {{}}: copying a param with shape {list(value.shape)} from checkpoint, "
            f"the shape in current model is {list(shape)}."
        )
    # `overwrite` also reaches a parameter that an assignment by index has made a view, where ops.assign raises an error, and a buffer that is
    # a part of another tensor (``i, j = torch.triu_indices(n, n)``), where the kernel of copy_ raises one
    with _no_grad():
        overwrite(tensor, value.reshape(tensor.shape))
    return ""


@equivalent("torch.nn.Module._load_from_state_dict")
def load_own_state(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
    """Copies what the dictionary has for this cell alone, and notes what is missing, unexpected or does not fit."""
    for hook in self._load_state_dict_pre_hooks.values():
        hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
    if hasattr(self, "take_sizes"):  # a lazy layer takes the sizes of what it loads
        self.take_sizes({key[len(prefix) :]: value for key, value in state_dict.items() if key.startswith(prefix)})
    stored = dict(own_state(self))
    for name, tensor in stored.items():
        key = prefix + name
        if key not in state_dict:
            if strict:
                missing_keys.append(key)
            continue
        problem = copied(self, name, tensor, state_dict[key])
        if problem:
            error_msgs.append(problem.format(key))
    known = {*stored, "num_batches_tracked"} if "running_mean" in stored else set(stored)
    if overridden(self, "set_extra_state"):
        known.add(EXTRA_STATE)
        if prefix + EXTRA_STATE in state_dict:
            self.set_extra_state(state_dict[prefix + EXTRA_STATE])
        elif strict:
            missing_keys.append(prefix + EXTRA_STATE)
    children = {name for name, _ in torch_children(self)}
    for key in state_dict if strict else ():
        if key.startswith(prefix):
            first, dot, _ = key[len(prefix) :].partition(".")
            if first not in (children if dot else known):
                unexpected_keys.append(key)


@equivalent("torch.nn.Module._register_load_state_dict_pre_hook")
def register_load_hook(self, hook, with_module=False):
    """Calls hook(state_dict, prefix, …) before this cell is loaded, with the cell first where `with_module` asks for it; the handle removes it."""
    return self.register_load_state_dict_pre_hook(hook if with_module else lambda cell, *given: hook(*given))


def load_tree(cell, state, prefix, missing, unexpected, errors):
    """Load a cell and all inside it."""
    if overridden(cell, "_load_from_state_dict"):
        cell._load_from_state_dict(state, prefix, {}, True, missing, unexpected, errors)
    else:
        load_own_state(cell, state, prefix, {}, True, missing, unexpected, errors)
    for name, child in torch_children(cell):
        if child is not None:
            below = f"{prefix}{name}."
            load_tree(child, {k: v for k, v in state.items() if k.startswith(below)}, below, missing, unexpected, errors)
    for hook in cell._load_state_dict_post_hooks.values():
        if hook(cell, IncompatibleKeys(missing, unexpected)) is not None:
            raise RuntimeError("a hook after loading changes the lists of keys in place and returns nothing")


@equivalent("torch.nn.Module.load_state_dict")
def load_state_dict(self, state_dict, strict=True, assign=False):
    """Copies values into parameters and buffers by torch's names; the result names missing and unexpected keys.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html#torch.nn.Module.load_state_dict
    """
    if assign:
        raise Refused("assign=True replaces the parameters: MindSpore copies into them")
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    missing, unexpected, errors = [], [], []
    state = OrderedDict((k, Tensor(v) if isinstance(v, np.ndarray) else v) for k, v in state_dict.items())
    load_tree(self, state, "", missing, unexpected, errors)
    if strict and missing:
        errors.insert(0, "Missing key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in missing)))
    if strict and unexpected:
        errors.insert(0, "Unexpected key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in unexpected)))
    if errors:
        raise RuntimeError("Error(s) in loading state_dict for {}:\n\t{}".format(type(self).__name__, "\n\t".join(errors)))
    return IncompatibleKeys(missing, unexpected)
