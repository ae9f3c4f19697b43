"""Derivatives that are differentiated again, on the tape: each is one operation there, whose backward pass is compiled.

The tape's own record of a gradient loses terms, compiled gradients of gradients do not (docs/differences/graphs.md). The
operation computes ``ms.grad(function)(*args)``; on the way back the derivative is computed once more, with what starts the
backward pass, and differentiated by the arguments and by the parameters that the function reaches.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.equivalents.compiled_gradients import MOST_GRAPHS, Inside, derivative_by
from mindport.equivalents.graph_constants import Constants, standing
from mindport.equivalents.reached_code import Reached

#: How far apart two computations of one derivative may be: their graphs are optimised on their own.
CLOSE = 1e-4


def started(gradient, count):
    """The derivatives as one number, each counted as often as the backward pass starts with it."""

    def number(*args):
        found = gradient(*args[:count])
        values = found if isinstance(found, tuple) else (found,)
        total = 0
        for value, start in zip(values, args[count:]):
            total = total + (value * start).sum()
        return total, values

    return number


class DerivativeGraphs:
    """A derivative and its backward pass, compiled: right for as long as what they were compiled with is equal."""

    def __init__(self, function, positions, constants, args):
        if any(value.requires_grad for value in constants.contents if isinstance(value, Tensor)):
            raise RuntimeError(f"{function.__qualname__} holds a tensor that wants a gradient: make it one of its arguments")
        self.constants = constants
        self.parameters = [p for p in constants.parameters if p.requires_grad]
        self.state = [p for p in constants.parameters if not p.requires_grad]
        self.wanted = tuple(i for i, value in enumerate(args) if value.is_floating_point() or value.is_complex())
        gradient = ms.grad(function, positions)
        self.forward = ms.jit(gradient)
        self.back = ms.jit(ms.grad(started(gradient, len(args)), self.wanted, ms.ParameterTuple(self.parameters) or None, has_aux=True))

    def pull(self, args, starts):
        """The gradients by the arguments and by the parameters, and the derivatives themselves once more."""
        with Inside():
            found, (values,) = self.back(*args, *starts)
        by_args, by_parameters = found if self.parameters else (found, ())
        by_args = dict(zip(self.wanted, by_args if isinstance(by_args, tuple) else (by_args,)))
        return [*(by_args.get(i) for i in range(len(args))), *by_parameters], values


class OnTape(ms._Function):
    """A derivative as one operation: its inputs are the function's arguments, and the parameters that it reaches."""

    @staticmethod
    def forward(ctx, graphs, count, *inputs):
        ctx.graphs, ctx.args = graphs, inputs[:count]
        ctx.state = [p.asnumpy().copy() for p in graphs.state]  # statistics, that computing moves on
        with Inside():
            found = graphs.forward(*ctx.args)
        ctx.values = found if isinstance(found, tuple) else (found,)
        return found

    @staticmethod
    def backward(ctx, *starts):
        graphs = ctx.graphs
        now = [p.asnumpy().copy() for p in graphs.state]
        restore(graphs.state, ctx.state)
        starts = [ops.zeros_like(value) if start is None else start for start, value in zip(starts, ctx.values)]
        found, values = graphs.pull(ctx.args, starts)
        restore(graphs.state, now)
        if not all(are_close(value.asnumpy(), before.asnumpy()) for value, before in zip(values, ctx.values)):
            raise RuntimeError(
                "a derivative gives other numbers when it is computed again for its gradient: its function draws random numbers, "
                "or parameters changed before backward"
            )
        return (None, None, *found)


def are_close(value, before):
    """Whether two computations gave the same, as far as their graphs round alike."""
    largest = np.max(np.abs(before), initial=0, where=np.isfinite(before))
    return np.allclose(value, before, CLOSE, CLOSE * largest, equal_nan=True)


def restore(parameters, values):
    """Gives parameters former values, in their memory: the graphs hold on to it."""
    for parameter, value in zip(parameters, values):
        ops.assign(parameter, Tensor(value, parameter.dtype))


class Derivatives:
    """The graphs of one function of a program."""

    #: Of all functions, by code and positions: in a class, for what a graph holds is compared, and classes count by identity.
    known = {}

    def __init__(self):
        self.places, self.names, self.graphs = {}, set(), []

    def find(self, function, positions, args):
        """The graphs that compute the derivative as it stands, made where there are none."""
        if not self.names:
            reached = Reached(function)
            self.names, self.places = reached.names, reached.places
        found, now = standing(self.graphs, function, args, self.places, self.names)
        if found is None:
            found = DerivativeGraphs(function, positions, now or Constants(function, args, self.places.values(), self.names), args)
            self.graphs = [*self.graphs[-MOST_GRAPHS + 1 :], found]
        return found


def on_tape(function, positions):
    """The gradient as one operation on the tape."""

    def run(*args):
        graphs = Derivatives.known.setdefault((function.__code__, positions), Derivatives()).find(function, positions, args)
        return OnTape.apply(graphs, len(args), *args, *graphs.parameters)

    return run


#: The gradient of a function by its arguments at positions, to be differentiated again by the tape.
derivative_on_tape = derivative_by(on_tape)
