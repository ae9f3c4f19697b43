"""Derivatives that are differentiated again, on the tape: each is one operation there, whose backward pass is compiled.

The tape's own record of a gradient loses terms, compiled gradients of gradients do not (docs/differences/graphs.md). The
operation computes ``ms.grad(function)(*args)``; on the way back the derivative is computed once more, with what starts the
backward pass, and differentiated by the arguments and by the parameters that the derivative is computed from. One that it holds and does
not use (blocks of a critic that grows, the last bias) gets no gradient, as in torch: zeros would move an optimizer's count.
"""

import os
from contextlib import nullcontext

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops
from mindspore.nn.cell import _pynative_executor

from mindport.equivalents.compiled_gradients import Inside, KeptGraphs, codes_held, derivative_by
from mindport.equivalents.entering_leaves import leaves_that_enter
from mindport.equivalents.functions_in_graphs import read_functions
from mindport.equivalents.inherited_properties import follow_properties
from mindport.equivalents.own_construct import outside_of_construct
from mindport.equivalents.parameter_names import named_apart
from mindport.equivalents.placed_parameters import InPlace, parameters_for
from mindport.equivalents.reached_parameters import restore
from mindport.equivalents.read_from_around import (
    check_unreached,
    members_of,
    named_in_files,
    read_from_around,
    standing_for,
    with_stand_ins,
)
from mindport.equivalents.tape import check_recording, gradients_of, ones_for

#: Graphs of one function that are kept: a loop over tasks takes one each (``x[i]``).
MOST_DERIVATIVES = 32
#: How far apart two computations of one derivative may be: their graphs are optimised on their own.
CLOSE = 1e-4
#: The same of a graph and operators one by one.
ALIKE = 1e-3
#: What rounding leaves of a gradient of zero, beside the largest of all (a bias in front of a normalisation).
NOISE = 1e-6


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


class Whole(Inside):
    """While a derivative runs: compiled, though ``MS_JIT=0`` may have all else run operator by operator, where gradients of gradients lose terms."""

    def __enter__(self):
        super().__enter__()
        self.recording = _pynative_executor.grad_flag()
        self.jit = os.environ.get("MS_JIT")
        os.environ["MS_JIT"] = "1"

    def __exit__(self, *problem):
        os.environ.pop("MS_JIT")
        if self.jit is not None:
            os.environ["MS_JIT"] = self.jit
        _pynative_executor.set_grad_flag(self.recording)  # who fails to compile leaves the tape off
        return super().__exit__(*problem)


class DerivativeGraphs:
    """A derivative and its backward pass, compiled: right for as long as what they were compiled with is equal.

    It is taken by the arguments at `positions`, or by `weights` where these are None.
    """

    def __init__(self, function, positions, weights, constants, args):
        if any(value.requires_grad for value in constants.contents if isinstance(value, Tensor)):
            raise RuntimeError(f"{function.__qualname__} holds a tensor that wants a gradient: make it one of its arguments")
        self.constants = constants
        self.parameters = [p for p in constants.parameters if p.requires_grad]
        self.state = [p for p in constants.parameters if not p.requires_grad]
        if any(id(weight) not in {id(p) for p in self.parameters} for weight in weights):
            raise RuntimeError(f"one of the parameters that a gradient is wanted of is not used by {function.__qualname__}, or is not trained")
        self.function, self.positions, self.weights = function, positions, weights
        self.is_complete, self.problem = False, None
        self.plain, self.reached = (), []
        self.wanted = tuple(i for i, value in enumerate(args) if isinstance(value, Tensor) and (value.is_floating_point() or value.is_complex()))
        read_functions()
        follow_properties()
        gradient = ms.grad(function, positions, named_apart(weights) if weights else None)
        self.forward = ms.jit(gradient, fullgraph=True)
        self.back = ms.jit(ms.grad(started(gradient, len(args)), self.wanted or None, named_apart(self.parameters) or None, has_aux=True), fullgraph=True)

    def look(self, args):
        """Computes the derivative operator by operator, once: what it is compared with, and which parameters the function reaches; others get no gradient."""
        if not self.is_complete:
            state = [p.asnumpy().copy() for p in self.state]
            self.plain, self.reached = one_by_one(self.function, self.positions, self.weights, args, self.parameters)
            restore(self.state, state)

    def complete(self, args, values, state):
        """Checks what was compiled, and compiles the way back while what the function reads is as it was: a loop goes on before the backward pass."""
        if not self.is_complete:
            now = [p.asnumpy().copy() for p in self.state]
            restore(self.state, state)
            plain, self.plain = self.plain, ()
            if not are_alike(values, plain, ALIKE):
                raise RuntimeError(
                    f"compiled, the derivative of {self.function.__qualname__} is another than operator by operator: it draws random numbers, or it reads "
                    "what a graph takes for constant (dict(zip(…)), reversed(…), generators: write lists)"
                )
            try:
                self.pull(args, [ops.zeros_like(value) for value in values])
            except Exception as error:  # who does not go back does not need it
                self.problem = error
            restore(self.state, now)
            self.is_complete = True

    def pull(self, args, starts):
        """The gradients by the arguments and by the parameters, and the derivatives themselves once more."""
        with Whole():
            found, (values,) = self.back(*args, *starts)
        by_args, by_parameters = found if self.parameters and self.wanted else (found, ()) if self.wanted else ((), found)
        by_args = dict(zip(self.wanted, by_args if isinstance(by_args, tuple) else (by_args,)))
        by_parameters = dict(zip(map(id, self.parameters), by_parameters))
        reached = [by_parameters.pop(id(p)) for p in self.reached]
        if any(bool((value != 0).any()) for value in by_parameters.values()):
            raise RuntimeError(
                f"{self.function.__qualname__} uses parameters now that it did not use at first, by what a tensor holds: decide by something else than a tensor's value"
            )
        return [*(by_args.get(i) for i in range(len(args))), *reached], values


class OnTape(ms._Function):
    """A derivative as one operation: its inputs are the function's arguments, and the parameters that it reaches (`DerivativeGraphs.reached`)."""

    @staticmethod
    def forward(ctx, graphs, count, standing, *inputs):
        ctx.graphs, ctx.args, ctx.standing = graphs, inputs[:count], standing
        ctx.state = [p.asnumpy().copy() for p in graphs.state]  # statistics, that computing moves on
        try:
            with Whole():
                found = graphs.forward(*ctx.args)
        except Exception as error:
            raise RuntimeError(f"MindSpore does not compile the derivative of {graphs.function.__qualname__}: {error}") from error
        ctx.values = found if isinstance(found, tuple) else (found,)
        graphs.complete(ctx.args, ctx.values, ctx.state)
        return found

    @staticmethod
    def backward(ctx, *starts):
        graphs = ctx.graphs
        if graphs.problem is not None:
            raise RuntimeError(f"MindSpore does not compile the gradient of {graphs.function.__qualname__}'s derivative: {graphs.problem}") from graphs.problem
        now = [p.asnumpy().copy() for p in graphs.state]
        restore(graphs.state, ctx.state)
        starts = [ops.zeros_like(value) if start is None else start for start, value in zip(starts, ctx.values)]
        with ctx.standing or nullcontext():
            found, values = graphs.pull(ctx.args, starts)
        restore(graphs.state, now)
        if not are_alike(values, ctx.values, CLOSE):
            raise RuntimeError(
                "a derivative gives other numbers when it is computed again for its gradient: its function draws random numbers, "
                "or parameters changed before backward"
            )
        return (None, None, None, *found)


def are_alike(values, before, close):
    """Whether two computations of some gradients gave the same, as far as they round alike; one that is zero but for rounding counts beside the others."""
    pairs = [(value.asnumpy(), other.asnumpy()) for value, other in zip(values, before)]
    largest = [np.max(np.abs(other), initial=0, where=np.isfinite(other)) for _, other in pairs]
    least = NOISE * max(0.01, *largest)
    return all(np.allclose(value, other, close, max(close * size, least), equal_nan=True) for (value, other), size in zip(pairs, largest))


def one_by_one(function, positions, weights, args, parameters):
    """The derivatives as the tape takes them (of a gradient that is not differentiated it loses nothing), and the parameters that they are computed from."""
    before = _pynative_executor.enable_grad()
    _pynative_executor.set_enable_grad(True)
    try:
        places = () if positions is None else positions if isinstance(positions, tuple) else (positions,)
        inputs = [ops.stop_gradient(value).copy().requires_grad_() if i in places else value for i, value in enumerate(args)]
        wanted = (*(inputs[i] for i in places), *weights)
        total = function(*inputs).sum()
        below = leaves_that_enter([total], wanted)
        reached = [p for p in parameters if p._grad_node is not None and p._grad_node._unique_id() in below]
        found = gradients_of((total,), (ones_for(total),), wanted, False, False)
    finally:
        _pynative_executor.set_enable_grad(before)
    return [ops.zeros_like(tensor) if value is None else value for tensor, value in zip(wanted, found)], reached


class Derivatives:
    """The graphs of all functions."""

    #: By code and positions: in a class, for what a graph holds is compared, and classes count by identity.
    known = {}


def on_tape(function, positions=None, weights=(), code=None, standing=None):
    """The gradient as one operation on the tape; `code` tells the function from others, where it is not its own. By tensors for which Parameters
    stand (`placed_parameters.InPlace`), `weights` are these.
    """
    function = outside_of_construct(function)
    kept = Derivatives.known.setdefault((code or function.__code__, positions), KeptGraphs(MOST_DERIVATIVES))
    if standing is None:
        named = named_in_files(kept.reached_by(function, codes_held(function)))
        if wanting := held_and_named(function, named):
            return beside_stand_ins(function, positions, weights, code, wanting, named)
    around = standing or nullcontext()

    def run(*args):
        check_recording()
        with around:
            graphs = kept.find(function, weights, args, lambda constants: DerivativeGraphs(function, positions, weights, constants, args))
        with standing if standing and standing.throughout else nullcontext():
            graphs.look(args)
        entering = [standing.members.get(id(p), p) for p in graphs.reached] if standing else graphs.reached
        with around:
            return OnTape.apply(graphs, len(args), standing, *args, *entering)

    return run


def held_and_named(function, named):
    """The tensors that want a gradient among what a function holds, and what it reads by names of its file."""
    found = read_from_around(function)
    return [*found, *(member for _, _, value in named for member in members_of(value) if all(member is not other for other in found))]


def beside_stand_ins(function, positions, weights, code, wanting, named):
    """The same of a function that reads tensors from around it which want a gradient: Parameters stand in their places."""
    stand_ins = parameters_for(function, wanting)
    numbers = dict(zip(map(id, wanting), stand_ins))

    def run(*args):
        places = () if positions is None else positions if isinstance(positions, tuple) else (positions,)
        check_unreached(function, [*(args[place] for place in places), *weights], wanting)
        standing = InPlace(stand_ins, wanting, [], throughout=bool(named), named=[(names, name, standing_for(value, numbers)) for names, name, value in named])
        return on_tape(with_stand_ins(function, numbers), positions, weights, code or function.__code__, standing)(*args)

    return run


#: The gradient of a function by its arguments at positions, to be differentiated again by the tape.
derivative_on_tape = derivative_by(on_tape)
