"""Gradients by parameters, or by the tensors of a row, that the tape differentiates again: one operation each, as `tape_derivatives`.

``torch.autograd.grad(loss, net.parameters(), create_graph=True)``: `function` computes the loss again, of tensors that it is handed.
https://docs.pytorch.org/docs/2.13/generated/torch.autograd.grad.html
"""

from mindspore import Parameter, Tensor

from mindport.equivalents.own_construct import outside_of_construct
from mindport.equivalents.placed_parameters import CALLING, held_in_place, in_place, parameters_for
from mindport.equivalents.reached_code import Reached
from mindport.equivalents.read_from_around import check_unreached
from mindport.equivalents.tape_derivatives import on_tape


class OfTensors:
    """A loss as a function of a row, handed to what takes its gradient: `function` computes it of tensors, and of the row itself if it reads it."""

    def __init__(self, function, *tensors, reads_row=False):
        self.function, self.tensors, self.reads_row = function, tensors, reads_row

    def __call__(self, row):
        return self.function(*((row,) if self.reads_row else ()), *self.tensors)


def gradients_by_parameters(function, parameters, *tensors):
    """The gradients of ``function(*tensors)`` by parameters that it reads, or by a single one, as a tuple. Raises RuntimeError where the tensors are computed from them."""
    wanted, standing = (parameters,) if isinstance(parameters, Tensor) else tuple(parameters), None
    check_unreached(function, wanted, tensors)
    if not all(isinstance(parameter, Parameter) for parameter in wanted):
        wanted, standing = held_in_place(outside_of_construct(function), wanted, tensors)
    return as_row(on_tape(function, None, wanted, standing=standing)(*tensors))


def gradients_by_members(function, row, *tensors):
    """The gradients of ``function(row, *tensors)`` by the tensors or parameters of a list, tuple or dictionary, as a tuple; `OfTensors` brings its own."""
    if isinstance(function, OfTensors):
        taken = gradients_by_members if function.reads_row else gradients_by_parameters
        return taken(function.function, row, *function.tensors)
    members = tuple(row.values() if hasattr(row, "values") else row)
    check_unreached(function, members, tensors)
    function = outside_of_construct(function)
    names, count = tuple(row) if hasattr(row, "values") else None, len(members)
    reached = Reached(function)
    if CALLING in reached.names:
        stand_ins = parameters_for(function, members)
        of_the_rest = with_row(function, stand_ins if names is None else dict(zip(names, stand_ins)))
        standing = in_place(function, reached, of_the_rest, stand_ins, members, tensors)
        return as_row(on_tape(of_the_rest, None, stand_ins, (function.__code__, names), standing)(*tensors))
    if all(isinstance(member, Parameter) for member in members):
        return as_row(on_tape(with_row(function, row), None, members, function.__code__)(*tensors))
    if any(isinstance(member, Parameter) for member in members):
        raise RuntimeError(f"the gradient of {function.__qualname__} is wanted by parameters and other tensors at once: take one after the other")
    return as_row(on_tape(in_one_row(function, names, count), tuple(range(count)), (), (function.__code__, names))(*members, *tensors))


def with_row(function, row):
    """The function of what follows a row of parameters."""
    row = dict(row) if hasattr(row, "values") else tuple(row)

    def of_the_rest(*tensors):
        return function(row, *tensors)

    of_the_rest.__qualname__ = function.__qualname__
    return of_the_rest


def in_one_row(function, names, count):
    """The function of the row's members, one by one."""

    def of_members(*tensors):
        members = tensors[:count]
        # dict(zip(names, members)) would be a constant to the graph: gradients of 0, without an error
        return function(members if names is None else {name: member for name, member in zip(names, members)}, *tensors[count:])

    of_members.__qualname__ = function.__qualname__
    return of_members


def as_row(gradients):
    """A gradient alone, or several, as a tuple."""
    return gradients if isinstance(gradients, tuple) else (gradients,)
