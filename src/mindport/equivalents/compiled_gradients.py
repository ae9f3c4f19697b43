"""Gradients of gradients: compiled, for MindSpore loses terms of them where operators run one by one.

What a step differentiates is compiled as a whole; derivatives inside of it become part of the same graph. A graph takes
for constant what Python holds (`graph_constants`): that is compared before each run, and where it changed the step is
compiled anew.
"""

from types import FunctionType

import mindspore as ms

from mindport.equivalents.functions_in_graphs import read_functions
from mindport.equivalents.gradients import Gradients, trainable
from mindport.equivalents.graph_constants import Constants, held_by, standing
from mindport.equivalents.inherited_properties import follow_properties
from mindport.equivalents.parameter_names import named_apart
from mindport.equivalents.reached_code import Reached
from mindport.equivalents.reached_parameters import reached
from mindport.equivalents.strange_modules import of_strange_modules

#: Graphs of one step that are kept: for other shapes, data, modules.
MOST_GRAPHS = 8


def in_a_graph(function, positions):
    """The gradient inside of what is compiled: `mutable`, for by a constant MindSpore does not differentiate."""

    def run(*args):
        return ms.grad(function, positions)(*[ms.mutable(value) for value in args])

    return run


def compiled(function, positions):
    """The gradient, compiled by itself; of another one that was to be compiled, both as one graph."""
    read_functions()
    follow_properties()
    plain = ms.grad(getattr(function, "plain", function), positions)
    gradient = ms.jit(plain, fullgraph=True)

    def run(*args):
        with Inside():
            return gradient(*args)

    run.plain = plain
    return run


#: What takes a gradient of gradients: while a step is compiled, what becomes part of it.
TAKING = compiled


class Inside:
    """While something is compiled."""

    def __enter__(self):
        global TAKING
        self.before, TAKING = TAKING, in_a_graph

    def __exit__(self, *problem):
        global TAKING
        TAKING = self.before
        return False


def derivative(function, positions=0):
    """The gradient of a function that holds gradients itself; a tuple of gradients where `positions` is one."""
    return TAKING(function, positions)


def derivative_by(taking):
    """`derivative`, which from now on has `taking` take what is not part of a compiled step."""
    global TAKING
    TAKING = taking
    return derivative


def codes_held(function):
    """The code of a function and of those that it holds: one text may run others at another time (a helper that is handed a function, a chosen loss)."""
    codes, waiting = {}, [function]
    while waiting:
        one = waiting.pop()
        one = getattr(one, "__func__", one)
        if isinstance(one, FunctionType) and id(one.__code__) not in codes:
            codes[id(one.__code__)] = one.__code__
            waiting += held_by(one)
    return tuple(codes.values())


class KeptGraphs:
    """The graphs of one function of a program, each right for as long as what it was compiled with (its `constants`) is equal."""

    def __init__(self, most):
        self.most = most
        self.reached, self.graphs = {}, []

    def reached_by(self, function, codes):
        """What the function may run, looked for once for the codes that it holds."""
        if codes not in self.reached:
            self.reached[codes] = Reached(function)
        return self.reached[codes]

    def find(self, function, parameters, args, made):
        """The graph by these parameters that computes the function as it stands; ``made(constants)`` where there is none."""
        codes = codes_held(function)
        reached, kind = self.reached_by(function, codes), (codes, [id(p) for p in parameters])
        found, now = standing([graph for graph in self.graphs if graph.kind == kind], function, args, reached.places, reached.names)
        if found is None:
            found = made(now or Constants(function, args, reached.places.values(), reached.names))
            found.kind = kind
            self.graphs = [*self.graphs[-self.most + 1 :], found]
        return found


def keys_of(result):
    """The keys of the dictionaries among a step's results, by places; None where there are none."""
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, (tuple, list)) else ()
    below = [keys_of(part) for part in parts]
    own = list(result) if isinstance(result, dict) else None
    return (own, below) if own is not None or any(below) else None


def with_keys(result, keys):
    """The results of a graph, which gives the values of a dictionary alone."""
    if keys is None or not isinstance(result, (tuple, list)):
        return result
    own, below = keys
    parts = [with_keys(part, inner) for part, inner in zip(result, below, strict=True)]
    return dict(zip(own, parts, strict=True)) if own is not None else type(result)(parts)


class Compiled:
    """One compiled step."""

    def __init__(self, forward, constants, parameters, args, has_aux):
        read_functions()
        follow_properties()
        self.constants = constants
        self.forward = forward
        self.keys = None

        def noting_keys(*args):
            result = forward(*args)
            self.keys = keys_of(result)
            return result

        with Inside():
            self.reached = reached(noting_keys, parameters, args, constants)
        self.run = ms.jit(ms.value_and_grad(forward, None, named_apart(parameters), has_aux=has_aux), fullgraph=True)


STEPS = {}


def compiled_value_and_gradients(forward, has_aux, *groups):
    """`value_and_gradients` as a graph: gradients of gradients are right there, and not where operators run one by one.

    `forward` is a plain function of tensors; what it returns after the loss (`has_aux`) are tensors. A parameter that it does not
    reach, and whose gradient is zero, gets none, as in torch.
    """
    members = [list(group) for group in groups]

    def run(*args):
        parameters = trainable([*members, of_strange_modules(forward, [p for group in members for p in group])])
        kept = STEPS.setdefault(forward.__code__, KeptGraphs(MOST_GRAPHS))
        step = kept.find(forward, parameters, args, lambda constants: Compiled(forward, constants, parameters, args, has_aux))
        with Inside():
            result, values = step.run(*args)
        pairs = [(p, value) for p, value in zip(parameters, values) if id(p) in step.reached or bool((value != 0).any())]
        return with_keys(result, step.keys), Gradients([p for p, _ in pairs], [value for _, value in pairs])

    return run
