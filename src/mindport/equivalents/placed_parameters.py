"""Derivatives by tensors that a module is called with (`functional_call`): Parameters stand in their places while the derivative runs.

A graph reads the parameters of a cell, not what Python puts in their places for a call. Where a derivative is wanted by such tensors, a
Parameter with the same numbers takes the place of each, in the module as well: with it the module is called as it is, and the derivative by the
Parameter is the one by the tensor. Which tensor stands where, a run of the function says (`noted`).
"""

from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops import PrimitiveWithInfer

from mindport.equivalents.graph_constants import Constants
from mindport.equivalents.reached_code import Reached
from mindport.equivalents.reached_parameters import restore

#: What calls a module with other tensors, by the name that it has in every project.
CALLING = "functional_call"


class Placing:
    """What goes on: runs that note which tensors stand where (`noted`), and derivatives for which Parameters stand there (`standing`)."""

    noted, standing = [], []
    #: Parameters that stand for tensors, by the derivative's function and their shapes: graphs hold on to them.
    kept = {}


class Standing(PrimitiveWithInfer):
    """Whether Parameters stand in the places of tensors now: a constant in what is compiled."""

    def __init__(self):
        super().__init__("Standing")
        self.set_const_prim(True)

    def __infer__(self):
        return {"dtype": None, "shape": None, "value": bool(Placing.standing)}

    def __call__(self):
        return bool(Placing.standing)


is_standing = Standing()


def called_in_graph(module, args, kwargs):
    """A module called with other tensors, as a graph computes it: they stand in their places."""
    if not is_standing():
        raise NotImplementedError("no graph calls a module with other tensors than its parameters: take derivatives of it by the dictionary of tensors")
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    return module(*args) if kwargs is None else module(*args, **kwargs)


def note_places(found):
    """Tells the run that is noted what stands where: (cell, attribute, value) of each."""
    if Placing.noted:
        Placing.noted[-1].extend(found)


class InPlace:
    """While a derivative runs: Parameters with the numbers of a row's tensors, where the function's modules have parameters of their own.

    `throughout`: also while the function runs operator by operator, which else calls its modules with them. `named`: a file's names for tensors, each
    with its file's names and what stands there.
    """

    def __init__(self, stand_ins, members, places, throughout=False, named=()):
        self.places, self.throughout, self.named = places, throughout, named
        self.values = [(parameter, ops.stop_gradient(member).copy()) for parameter, member in zip(stand_ins, members) if parameter is not member]
        self.members = {id(parameter): member for parameter, member in zip(stand_ins, members)}

    def __enter__(self):
        for parameter, value in self.values:
            ops.assign(parameter, value)
        self.own = []
        for cell, attribute, parameter in self.places:
            held = cell._params if attribute in cell._params else cell._buffers
            self.own.append((held, attribute, held[attribute]))
            held[attribute] = parameter
        for held, name, standing in self.named:
            self.own.append((held, name, held[name]))
            held[name] = standing
        Placing.standing.append(self)

    def __exit__(self, *problem):
        Placing.standing.pop()
        for held, attribute, tensor in reversed(self.own):
            held[attribute] = tensor
        return False


def parameters_for(function, members):
    """Parameters for the members of a row, which one of them may be itself: the same for each derivative of the function's code by a row of this kind."""
    kinds = tuple((tuple(member.shape), str(member.dtype)) for member in members)
    place = function.__code__, kinds
    if place not in Placing.kept:
        Placing.kept[place] = [Parameter(Tensor(member.asnumpy(), member.dtype), name=f"stands_for_{len(Placing.kept)}_{number}") for number, member in enumerate(members)]
    return [member if isinstance(member, Parameter) else parameter for member, parameter in zip(members, Placing.kept[place])]


def held_in_place(function, members, tensors):
    """The same of tensors that the function's modules hold in the places of parameters (copies that a step adapts). Raises RuntimeError where none holds one."""
    stand_ins = parameters_for(function, members)
    reached, numbers = Reached(function), {id(member): parameter for member, parameter in zip(members, stand_ins)}
    cells = [held for held in Constants(function, tensors, reached.places.values(), reached.names).objects if isinstance(held, nn.Cell)]
    places = [(cell, attribute, numbers[id(value)]) for cell in cells for attribute, value in cell._params.items() if id(value) in numbers]
    if not {id(parameter) for parameter in stand_ins} <= {id(parameter) for _, _, parameter in places}:
        raise RuntimeError(f"the gradient of {function.__qualname__} is wanted by tensors that are no parameters: give the row's name to what computes it")
    return stand_ins, InPlace(stand_ins, members, places, throughout=True)


def in_place(function, reached, of_row, stand_ins, members, tensors):
    """What stands where, as a run of ``of_row(*tensors)`` says; `reached`: the code that the function may run. Raises RuntimeError where the modules are called with something else."""
    for parameter, member in zip(stand_ins, members):
        if parameter is not member:
            ops.assign(parameter, ops.stop_gradient(member))
    state = [p for p in Constants(of_row, tensors, reached.places.values(), reached.names).parameters if not p.requires_grad]
    before = [p.asnumpy().copy() for p in state]
    Placing.noted.append([])
    try:
        of_row(*tensors)
    finally:
        restore(state, before)
        places = Placing.noted.pop()
    taken = {}
    for cell, attribute, value in places:
        is_own = value is cell._params.get(attribute) or value is cell._buffers.get(attribute)
        if not is_own and not any(value is parameter for parameter in stand_ins) or taken.setdefault((id(cell), attribute), value) is not value:
            raise RuntimeError(
                f"{function.__qualname__} calls a module with other tensors than those that its gradient is wanted by, or with two of them for one parameter "
                f"({attribute}): compute one module's call in one function, with the tensors of its dictionary as they are"
            )
    return InPlace(stand_ins, members, [each for each in places if any(each[2] is parameter for parameter in stand_ins)])
