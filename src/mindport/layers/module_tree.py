"""The tree below a module: its modules, parameters and buffers, and how they get there.

torch keeps running statistics as buffers, MindSpore as parameters that need no gradient. Names and order are
torch's (`state_names`): user code sorts parameters by them.
"""

from collections.abc import MutableMapping

from mindspore import nn

from mindport.declare import attribute, equivalent
from mindport.equivalents.assigned_modules import set_module
from mindport.layers.own_members import Members, holds_tensors
from mindport.layers.state_names import inner_names, own_buffers, own_parameters, torch_children


@equivalent("torch.nn.Module.modules")
def modules(self):
    """This cell and all inside it, each once, outer before inner."""
    return (cell for _, cell in named_modules(self))


@equivalent("torch.nn.Module.named_modules")
def named_modules(self, memo=None, prefix="", remove_duplicate=True):
    """(name, cell) for this cell and all inside it, each once, outer before inner."""
    memo = set() if memo is None else memo
    if self in memo:
        return
    if remove_duplicate:
        memo.add(self)
    yield prefix, self
    for name, child in torch_children(self):
        if child is not None:
            yield from named_modules(child, memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)


@equivalent("torch.nn.Module.children")
def children(self):
    """The cells that are direct attributes, each once."""
    return (child for _, child in named_children(self))


@equivalent("torch.nn.Module.named_children")
def named_children(self):
    """(name, cell) for the cells that are direct attributes, each once."""
    seen = set()
    for name, child in torch_children(self):
        if child is not None and id(child) not in seen:
            seen.add(id(child))
            yield name, child


@equivalent("torch.nn.Module.named_parameters")
def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
    """(torch's name, parameter) of this cell and, with recurse, of all inside it, running statistics left out."""
    seen = set()
    for path, cell in named_modules(self, None, prefix, remove_duplicate) if recurse else [(prefix, self)]:
        for name, parameter in own_parameters(cell):
            if parameter is None or (remove_duplicate and id(parameter) in seen):
                continue
            seen.add(id(parameter))
            yield f"{path}.{name}" if path else name, parameter


@equivalent("torch.nn.Module.parameters")
def parameters(self, recurse=True):
    """The parameters of this cell and, with recurse, of all inside it, running statistics left out."""
    return (parameter for _, parameter in named_parameters(self, "", recurse))


@equivalent("torch.nn.Module.named_buffers")
def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
    """(torch's name, tensor) for running statistics and registered buffers; there is no num_batches_tracked."""
    seen = set()
    for path, cell in named_modules(self, None, prefix, remove_duplicate) if recurse else [(prefix, self)]:
        for name, tensor in own_buffers(cell):
            if tensor is None or (remove_duplicate and id(tensor) in seen):
                continue
            seen.add(id(tensor))
            yield f"{path}.{name}" if path else name, tensor


@equivalent("torch.nn.Module.buffers")
def buffers(self, recurse=True):
    """Running statistics and registered buffers of this cell and, with recurse, of all inside it."""
    return (tensor for _, tensor in named_buffers(self, "", recurse))


@equivalent("torch.nn.Module.requires_grad_")
def set_requires_grad(self, requires_grad=True):
    """Freezes or unfreezes every parameter; running statistics stay as they are."""
    for _, parameter in named_parameters(self):
        parameter.requires_grad = requires_grad
    return self


@equivalent("torch.nn.Module.register_parameter")
def register_parameter(self, name, param):
    """Makes a Parameter (or None) an attribute of the cell."""
    return self.insert_param_to_cell(name, param)


@equivalent("torch.nn.Module.register_buffer")
def register_buffer(self, name, tensor, persistent=True):
    """Makes a tensor an attribute of the cell that is saved with it (if persistent) and not trained."""
    return self.register_buffer(name, tensor, persistent=persistent)


def name_parameters(module, prefix):
    """The parameters' names begin with `prefix`, in which torch's names may have anything but a point (``layer 1``, ``conv:0``).

    `update_parameters_name` takes letters, digits and ``_``, ``.``, ``-`` only.
    """
    for name, parameter in module.parameters_and_names():
        parameter.is_init = False
        parameter.name = prefix + name


@equivalent("torch.nn.Module.add_module", "torch.nn.Module.register_module")
def add_module(self, name, module):
    """Makes a cell an attribute of this one, and names its parameters after it.

    `insert_child_to_cell` alone leaves the parameters' names as they were, and a `SequentialCell` does not
    run what it inserted.
    """
    if module is None:
        self.insert_child_to_cell(name, None)
        return
    prefix = ""
    for relative, parameter in self.parameters_and_names():
        if parameter.name.endswith(relative):
            prefix = parameter.name[: len(parameter.name) - len(relative)]
            break
    self.insert_child_to_cell(name, module)
    name_parameters(module, f"{prefix}{name}.")
    if isinstance(self, nn.SequentialCell):
        self._is_dynamic_name.append(False)
        self.cell_list = list(self._cells.values())


@equivalent("torch.nn.Module.get_submodule")
def get_submodule(self, target):
    """The cell at a dotted path."""
    return self.get_sub_cell(target)


@equivalent("torch.nn.Module.set_submodule")
def set_submodule(self, target, module, strict=False):
    """Puts a cell at a dotted path; a sequence runs it."""
    if target == "":
        raise ValueError("Cannot set the submodule without a target name!")
    if not isinstance(module, nn.Cell):
        raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
    path, _, name = target.rpartition(".")
    parent = self.get_sub_cell(path) if path else self
    if strict and not hasattr(parent, name):
        raise AttributeError(f"{type(parent).__name__} has no attribute `{name}`")
    if hasattr(parent, name) and not isinstance(getattr(parent, name), nn.Cell):
        raise AttributeError(f"`{name}` is not an nn.Module")
    set_module(parent, name, module)


@equivalent("torch.nn.Module.get_buffer")
def get_buffer(self, target):
    """The buffer at a dotted path, torch's name last."""
    path, _, name = target.rpartition(".")
    found = dict(own_buffers(self.get_sub_cell(path) if path else self))
    if name not in found:
        raise AttributeError(f"`{name}` is not a buffer of {target}")
    return found[name]


@equivalent("torch.nn.Module.get_parameter")
def get_parameter(self, target):
    """The parameter at a dotted path, torch's name last."""
    path, _, name = target.rpartition(".")
    found = dict(own_parameters(self.get_sub_cell(path) if path else self))
    if name not in found:
        raise AttributeError(f"`{name}` is not an nn.Parameter of {target}")
    return found[name]


class Children(MutableMapping):
    """A cell's children by torch's names. What is written takes its place's name, and a `SequentialCell` runs it."""

    def __init__(self, cell):
        self.cell = cell

    def __getitem__(self, name):
        return dict(torch_children(self.cell))[name]

    def __iter__(self):
        return iter([name for name, _ in torch_children(self.cell)])

    def __len__(self):
        return len(torch_children(self.cell))

    def __reversed__(self):
        return reversed(list(self))

    def keys(self):
        """As a dictionary's: they can be gone through from the end, which a mapping's own cannot."""
        return dict(torch_children(self.cell)).keys()

    def values(self):
        return dict(torch_children(self.cell)).values()

    def items(self):
        return dict(torch_children(self.cell)).items()

    def __setitem__(self, name, module):
        if inner_names(self.cell):
            raise TypeError("this layer's children are MindSpore's own: they cannot be replaced")
        if name not in self.cell._cells:
            add_module(self.cell, name, module)
            return
        before = self.cell._cells[name]
        prefix = f"{name}."
        if any(part is not None and holds_tensors(part) for part in (before, module)):  # they have no names
            self.cell._cells[name] = module
            self.renewed()
            return
        if before is not None:
            for relative, parameter in before.parameters_and_names():
                prefix = parameter.name[: len(parameter.name) - len(relative)] if parameter.name.endswith(relative) else prefix
                break
        self.cell._cells[name] = module
        if module is not None:
            name_parameters(module, prefix)
        self.renewed()

    def __delitem__(self, name):
        if isinstance(self.cell, nn.SequentialCell):
            del self.cell._is_dynamic_name[list(self.cell._cells).index(name)]
        del self.cell._cells[name]
        self.renewed()

    def copy(self):
        return dict(torch_children(self.cell))

    def renewed(self):
        """What a `SequentialCell` runs is what it holds."""
        if isinstance(self.cell, nn.SequentialCell):
            self.cell.cell_list = list(self.cell._cells.values())


@attribute("torch.nn.Module._modules")
def _modules(self):
    """The direct children by name, to be read and written."""
    return Children(self)


@attribute("torch.nn.Module._parameters")
def _parameters(self):
    """The cell's own parameters by torch's names, to be read and written."""
    return Members(self, own_parameters)


@attribute("torch.nn.Module._flat_weights_names")
def _flat_weights_names(self):
    """The names of a recurrent layer's parameters, as torch's layer lists them: ``weight_ih_l0``, …"""
    return [name for name, _ in own_parameters(self)]


@attribute("torch.nn.Module._all_weights")
def _all_weights(self):
    """The names of a recurrent layer's parameters, a list for each layer and direction."""
    names = [name for name, _ in own_parameters(self)]
    return [[name for name in names if name.partition("_l")[2] == place] for place in dict.fromkeys(name.partition("_l")[2] for name in names)]


@attribute("torch.nn.Module.all_weights")
def all_weights(self):
    """A recurrent layer's parameters, a list for each layer and direction."""
    held = dict(own_parameters(self))
    return [[held[name] for name in names] for names in _all_weights(self)]


@attribute("torch.nn.Module._flat_weights")
def _flat_weights(self):
    """A recurrent layer's parameters, in one list."""
    return [parameter for _, parameter in own_parameters(self)]


@attribute("torch.nn.Module._buffers")
def _buffers(self):
    """The cell's own buffers by torch's names, to be read and written."""
    return Members(self, own_buffers)
