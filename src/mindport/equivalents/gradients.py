"""Gradients kept in `parameter.grad`, where code written for torch looks for them.

MindSpore differentiates functions and returns the gradients; these functions put them where optimizers,
clipping and user code expect them. A parameter whose gradient was never computed has `grad` None.
"""

import itertools

import mindspore as ms
from mindspore import Parameter, context, nn
from mindspore.nn.cell import _pynative_executor

from mindport.declare import equivalent
from mindport.equivalents.kept_gradients import add_gradient, apart, nodes_below, set_gradient
from mindport.equivalents.nested_indexing import Nested
from mindport.equivalents.step_graphs import StepGraphs
from mindport.equivalents.step_watch import Watch
from mindport.equivalents.strange_modules import of_strange_modules


class Gradients:
    """Gradients that were computed and not yet added to their parameters."""

    def __init__(self, parameters, values, computed=True):
        self.parameters = parameters
        self.values = values
        self.computed = computed


class Reads:
    """Notes which parameters the cells inside a `with` block read, for versions of MindSpore that do not show the graph."""

    is_computed = True

    def __enter__(self):
        self.seen = set()
        self.plain = nn.Cell.__getattr__

        def noting(cell, name):
            value = self.plain(cell, name)
            if isinstance(value, Parameter):
                self.seen.add(id(value))
            return value

        nn.Cell.__getattr__ = noting
        return self

    def __exit__(self, *problem):
        nn.Cell.__getattr__ = self.plain
        return False

    def note(self, loss):
        """Nothing: the reads are noted as they happen."""

    def reached(self, parameters, values):
        """Those that a cell read, and leaves; of the others those whose gradient is not zero."""
        return {id(p) for p, v in zip(parameters, values) if id(p) in self.seen or getattr(p, "is_leaf_tensor", False) or bool((v != 0).any())}


class Graph:
    """Which parameters a loss was computed from, as the graph that MindSpore 2.10 notes for differentiation shows."""

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return False

    def note(self, loss):
        """The leaves of the graph, while it is there: `_grad_node` is its last operation."""
        self.is_computed = loss._grad_node is not None
        self.leaves = nodes_below([loss], leaves_only=True)

    def reached(self, parameters, values):
        """Those that the loss was computed from: not what was read without gradients, or detached, or not read."""
        nodes = [(p, p._grad_node) for p in parameters]
        return {id(p) for p, node in nodes if node is not None and node._unique_id() in self.leaves}


SHOWS_GRAPH = hasattr(ms.Tensor, "_grad_node")


def value_and_gradients(forward, *groups):
    """A function that calls `forward` and returns its result and the gradients of the first part of it.

    `groups`: iterables of parameters. Parameters that are frozen at the time of the call, and those that the
    loss was not computed from, get no gradient, as in torch. The result of `forward` may hold anything after the loss.
    """
    members = [list(group) for group in groups]  # a generator gives its parameters once

    def run(*args):
        parameters = trainable([*members, of_strange_modules(forward, [p for group in members for p in group])])
        if not _pynative_executor.enable_grad():  # evaluation with the code of training
            return forward(*args), Gradients([], [], False)
        if context._get_mode() == context.GRAPH_MODE and SHOWS_GRAPH:
            return in_graph_mode(forward, parameters, args)
        return one_by_one(forward, parameters, args)

    return run


def one_by_one(forward, parameters, args):
    """Result and gradients by operators that run as Python comes to them."""
    rest = []

    def loss_of():
        result = forward(*args)
        if isinstance(result, tuple):
            rest.extend(result[1:])
            result = result[0]
        taking.note(result)
        return result

    try:
        with Nested(), Graph() if SHOWS_GRAPH else Reads() as taking:
            loss, values = ms.value_and_grad(loss_of, None, parameters)()
    except BaseException:
        _pynative_executor.clear_res()  # else every later gradient and index of the process fails
        raise
    reached = taking.reached(parameters, values)
    if getattr(ms.Tensor, "differentiated_", 0):  # inside of another differentiated function: ``loss.backward()`` leaves numbers behind, which no later gradient goes through
        values = [ms.ops.stop_gradient(value) for value in values]
    pairs = [(p, v) for p, v in zip(parameters, values) if id(p) in reached]
    return ((loss, *rest) if rest else loss), Gradients([p for p, _ in pairs], [v for _, v in pairs], taking.is_computed)


STEPS = {}


def in_graph_mode(forward, parameters, args):
    """The same as a graph, from the second time that a step comes with these shapes and settings.

    A first run shows which parameters the loss reaches: those that it does not reach get no gradient, as in torch.
    """
    graphs = STEPS.setdefault(forward.__code__, StepGraphs())
    graph = graphs.find(forward, parameters, args)
    if graph is not None:
        found = graphs.attempt(graph, forward, args)
        if found is not None:
            return found[0], Gradients(graph.reached, found[1])
    watch = Watch(forward)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    try:
        result, gradients = one_by_one(forward if graphs.is_refused else watch, parameters, args)
    finally:
        ms.set_context(mode=ms.GRAPH_MODE)
    graphs.add(forward, parameters, gradients.parameters, args, isinstance(result, tuple), watch)
    return result, gradients


def trainable(groups):
    """The parameters of all groups that want a gradient, each once."""
    found = {}
    for group in groups:
        for parameter in group:
            if parameter.requires_grad:
                found[id(parameter)] = parameter
    return list(found.values())


def accumulate(gradients):
    """Adds gradients to `parameter.grad`: what ``loss.backward()`` leaves behind in torch."""
    if not gradients.computed:
        raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
    for parameter, value in zip(gradients.parameters, apart(gradients.values)):
        add_gradient(parameter, value)


NUMBERS = itertools.count()


def leaf(tensor):
    """A tensor whose gradient is wanted: a parameter with the same values, its gradient in `grad`."""
    if isinstance(tensor, Parameter):
        tensor.requires_grad = True
        return tensor
    parameter = Parameter(tensor.copy(), name=f"leaf_{next(NUMBERS)}")
    parameter.is_leaf_tensor = True
    return parameter


def set_leaf(owner, name, tensor):
    """``owner.name = tensor`` of a leaf: past `Cell.__setattr__`, which would make it one of the network's parameters."""
    if isinstance(tensor, Parameter):
        setattr(owner, name, leaf(tensor))
    else:
        object.__setattr__(owner, name, leaf(tensor))


@equivalent("torch.nn.Module.zero_grad")
def zero_grad(self, set_to_none=True):
    """Takes the gradients away that were kept in `parameter.grad`; without set_to_none they become zeros."""
    for parameter in self.get_parameters():
        if getattr(parameter, "grad", None) is not None:
            if set_to_none:
                parameter.grad = None
            else:
                set_gradient(parameter, parameter.grad * 0)
