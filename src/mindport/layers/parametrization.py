"""Parametrizations: a parameter computed from others whenever it is read.

As in torch, the cell's class becomes a subclass with a property in the parameter's place, and what it is computed from
stands under `parametrizations`, with torch's names. Source: torch/nn/utils/parametrize.py, parametrizations.py.
"""

from contextlib import nullcontext

from mindspore import Parameter, nn, ops

from mindport.declare import Refused, equivalent

RECURRENT = "a recurrent layer: MindSpore's cell holds its weights in lists, where a computed weight would not be seen"


def own_name(module, name):
    """The attribute that MindSpore's cell reads: an Embedding's weight has another name there."""
    return "embedding_table" if name == "weight" and isinstance(module, nn.Embedding) else name


class ParametrizationList(nn.Cell):
    """What one parameter is computed from: `original` (or `original0`, `original1`…), and the cells that compute."""

    def __init__(self, parameter, tensor_name, first, inserted_axis):
        super().__init__()
        self.inserted_axis = inserted_axis  # of the originals, for checkpoints
        owner, dot, _ = parameter.name.rpartition(".")
        value = first.right_inverse(parameter) if hasattr(first, "right_inverse") else parameter
        parts = value if isinstance(value, (tuple, list)) else [value]
        self.names = [f"original{i}" for i in range(len(parts))] if isinstance(value, (tuple, list)) else ["original"]
        for name, part in zip(self.names, parts):
            original = Parameter(part.copy(), name=f"{owner}{dot}parametrizations.{tensor_name}.{name}", requires_grad=parameter.requires_grad)
            self.insert_param_to_cell(name, original, check_name_contain_dot=False)
        self.insert_child_to_cell("0", first)

    def __len__(self):
        return len(self._cells)

    def __getitem__(self, index):
        return list(self._cells.values())[index]

    def construct(self):
        first, *others = self._cells.values()
        value = first(*[self._params[name] for name in self.names])
        for cell in others:
            value = cell(value)
        return value


def parametrized_class(cls, name, own):
    """The subclass in which `name` is computed; `own` is the attribute that the cell reads."""

    def computed(self):
        return self.parametrizations._cells[name]()

    def refused(self, value):
        raise Refused("a new value for a parametrized weight: set the originals under .parametrizations")

    names = {name: property(computed, refused), own: property(computed, refused), "__module__": cls.__module__}
    title = cls.__name__ if cls.__name__.startswith("Parametrized") else f"Parametrized{cls.__name__}"
    return type(title, (cls,), names)


class Parametrizations(nn.Cell):
    """What computes a module's parameters, by their names: torch's is a ModuleDict, ``layer.parametrizations["weight"]``."""

    def __getitem__(self, name):
        return self._cells[name]

    def __contains__(self, name):
        return name in self._cells

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells)

    def keys(self):
        return self._cells.keys()

    def values(self):
        return self._cells.values()

    def items(self):
        return self._cells.items()


@equivalent("torch.nn.utils.parametrize.register_parametrization", drops={"unsafe": "nothing is checked"})
def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """Computes module.<tensor_name> by a cell from now on; the module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.parametrize.register_parametrization.html
    """
    if isinstance(module, (nn.RNN, nn.GRU, nn.LSTM)):
        raise Refused(RECURRENT)
    one_dimensional = isinstance(module, (nn.Conv1d, nn.Conv1dTranspose))
    if one_dimensional and not getattr(parametrization, "any_layout", False):
        raise Refused("a one-dimensional convolution: MindSpore's weight has an axis of length 1 more than the parametrization expects")
    if is_parametrized(module, tensor_name):
        known = module.parametrizations._cells[tensor_name]
        known.insert_child_to_cell(str(len(known)), parametrization.set_train(module.training))
        return module
    own = own_name(module, tensor_name)
    if module._params.get(own) is None:
        raise ValueError(f"Module '{type(module).__name__}' does not have a parameter with name '{tensor_name}' here")
    parameter = module._params.pop(own)
    if not is_parametrized(module):
        module.insert_child_to_cell("parametrizations", Parametrizations())
    module.parametrizations.insert_child_to_cell(tensor_name, ParametrizationList(parameter, tensor_name, parametrization, 2 if one_dimensional else None))
    module.parametrizations.set_train(module.training)
    module.__class__ = parametrized_class(type(module), tensor_name, own)
    return module


@equivalent("torch.nn.utils.parametrize.is_parametrized")
def is_parametrized(module, tensor_name=None):
    """Whether some parameter of the module (or that of a name) is computed."""
    held = module._cells.get("parametrizations")
    if held is None:
        return False
    return len(held._cells) > 0 if tensor_name is None else tensor_name in held._cells


@equivalent("torch.nn.utils.parametrize.remove_parametrizations")
def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """The computed value (or the original) becomes the parameter again; the module is the result."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {type(module).__name__} does not have a parametrization on {tensor_name}")
    held = module.parametrizations._cells[tensor_name]
    if not leave_parametrized and held.names != ["original"]:
        raise ValueError("Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of tensors.")
    original = held._params[held.names[0]]
    value = ops.stop_gradient(held()) if leave_parametrized else original
    own = own_name(module, tensor_name)
    name = original.name.replace(f"parametrizations.{tensor_name}.{held.names[0]}", own)
    del module.parametrizations._cells[tensor_name]
    module.__class__ = type(module).__mro__[1]
    if not is_parametrized(module):
        del module._cells["parametrizations"]
    module._params[own] = Parameter(value.copy(), name=name, requires_grad=original.requires_grad)
    return module


@equivalent("torch.nn.utils.parametrize.cached")
def cached():
    """Where torch computes parametrized weights once; here they are computed at each read, to the same values."""
    return nullcontext()
