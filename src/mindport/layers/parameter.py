"""Trainable tensors, alone and in containers."""

from collections import OrderedDict

from mindspore import Parameter, nn

from mindport.declare import Refused, absent, constant, equivalent, layer
from mindport.layers.contents_in_graphs import ContentsInGraphs

constant("torch.nn.Parameter", Parameter)
constant("torch.nn.parameter.Parameter", Parameter)

absent(
    "torch.nn.parameter.UninitializedParameter", "torch.nn.UninitializedParameter", "torch.nn.UninitializedBuffer",
    "torch.nn.parameter.UninitializedBuffer",
    why="a parameter without a shape does not exist in MindSpore: give the sizes",
)


@equivalent("torch.nn.Parameter", "torch.nn.parameter.Parameter")
def new_parameter(data=None, requires_grad=True):
    """A tensor that its module trains; as a module's attribute it takes that attribute's name."""
    if data is None:
        raise Refused("a Parameter without data: give a tensor")
    return Parameter(data, requires_grad=requires_grad)


@equivalent("torch.nn.Parameter_in_place_of")
def parameter_in_place_of(data, requires_grad=True):
    """A parameter that another one's place is given to: its name is written where it is made."""
    return Parameter(data, requires_grad=requires_grad)


absent(
    "torch.nn.Buffer", "torch.nn.parameter.Buffer",
    why="MindSpore has no class of buffers, and only what is assigned to an attribute is converted: call self.register_buffer(name, tensor) in __init__", rung="equivalent",
)


@layer("torch.nn.ParameterList")
class ParameterList(ContentsInGraphs, nn.Cell):
    """A list whose parameters belong to the module that holds it; they are named 0, 1, 2…

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ParameterList.html
    """

    def __init__(self, values=None):
        super().__init__()
        self.placed = {}  # what a functional call puts in parameters' places, by name
        self.extend(() if values is None else values)

    def contents_in_graphs(self):
        return tuple(self)

    def __len__(self):
        return len(self._params)

    def __bool__(self):
        return len(self._params) > 0

    def __iter__(self):
        return iter([self.placed.get(name, parameter) for name, parameter in self._params.items()])

    def __getitem__(self, index):
        items = list(self)
        return ParameterList(items[index]) if isinstance(index, slice) else items[index]  # a slice's are new parameters where tensors are in their places, in torch, too

    def __setitem__(self, index, value):
        self._params[str(index % len(self))] = value if isinstance(value, Parameter) else Parameter(value)

    def append(self, value):
        parameter = value if isinstance(value, Parameter) else Parameter(value)
        self.insert_param_to_cell(str(len(self)), parameter)
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self


@layer("torch.nn.ParameterDict")
class ParameterDict(ContentsInGraphs, nn.Cell):
    """A dict whose parameters belong to the module that holds it.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ParameterDict.html
    """

    def __init__(self, parameters=None):
        super().__init__()
        self.placed = {}  # what a functional call puts in parameters' places, by name
        self.update({} if parameters is None else parameters)

    def contents_in_graphs(self):
        return {**self._params, **self.placed}

    def __len__(self):
        return len(self._params)

    def __bool__(self):
        return len(self._params) > 0

    def __iter__(self):
        return iter(self._params)

    def __contains__(self, key):
        return key in self._params

    def __getitem__(self, key):
        return self.placed[key] if key in self.placed else self._params[key]

    def __setitem__(self, key, value):
        self.insert_param_to_cell(key, value if isinstance(value, Parameter) else Parameter(value))

    def __delitem__(self, key):
        del self._params[key]

    def keys(self):
        return self._params.keys()

    def values(self):
        return self.contents_in_graphs().values()

    def items(self):
        return self.contents_in_graphs().items()

    def update(self, parameters):
        # torch takes a plain dict in the order of its sorted names.
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            parameters = parameters.items()
        elif hasattr(parameters, "items"):
            parameters = sorted(parameters.items(), key=lambda item: item[0])
        for key, value in parameters:
            self[key] = value

    def get(self, key, default=None):
        return self[key] if key in self else default

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key):
        parameter = self[key]
        del self[key]
        return parameter

    def popitem(self):
        key = list(self._params)[-1]
        return key, self.pop(key)

    def clear(self):
        self._params.clear()


@equivalent("torch.nn.ParameterList.append")
def append(self, value):
    """Takes another parameter in, at the end."""
    return self.append(value)


@equivalent("torch.nn.ParameterList.extend")
def extend(self, values):
    """Takes more parameters in, at the end."""
    return self.extend(values)


@equivalent("torch.nn.ParameterDict.items")
def items(self):
    """(name, parameter) in order of insertion."""
    return self.items()


@equivalent("torch.nn.ParameterDict.keys")
def keys(self):
    """The names in order of insertion."""
    return self.keys()


@equivalent("torch.nn.ParameterDict.values")
def values(self):
    """The parameters in order of insertion."""
    return self.values()


@equivalent("torch.nn.ParameterDict.update")
def update(self, parameters):
    """Adds or replaces parameters."""
    return self.update(parameters)


@equivalent("torch.nn.ParameterDict.get")
def get(self, key, default=None):
    """The parameter of this name, or what is given instead."""
    return self.get(key, default)


@equivalent("torch.nn.ParameterDict.setdefault")
def setdefault(self, key, default=None):
    """The parameter of this name; where there is none, what is given becomes it."""
    if default is None:
        raise Refused("an entry without a tensor: MindSpore's cells keep parameters only")
    return self.setdefault(key, default)


@equivalent("torch.nn.ParameterDict.pop")
def pop(self, key):
    """Takes a parameter out by name."""
    return self.pop(key)


@equivalent("torch.nn.ParameterDict.popitem")
def popitem(self):
    """Takes the last parameter out, with its name."""
    return self.popitem()


@equivalent("torch.nn.ParameterDict.clear")
def clear(self):
    """Takes all parameters out."""
    return self.clear()
