"""Which parameters a compiled step reaches: for the others a graph gives zeros, torch nothing, and an optimizer does not count them.

The step runs once operator by operator while MindSpore notes its graph, whose leaves are what it reaches. Derivatives inside of it
are taken for what they are computed from: their values, of which the tape would lose terms, are not wanted.
"""

from contextlib import contextmanager

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, context, ops
from mindspore.nn.cell import _pynative_executor

from mindport.equivalents.entering_leaves import leaves_that_enter
from mindport.equivalents.gradients import SHOWS_GRAPH
from mindport.equivalents.kept_gradients import nodes_below


class Leaves:
    """The leaves of all graphs that were noted."""

    def __init__(self):
        self.found = set()

    def note(self, result):
        """Adds what a result, or each of several, was computed from."""
        self.found |= nodes_below(tensors_of(result), leaves_only=True)

    def grad(self, fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
        """In the place of ``ms.grad``: notes what the derivative is computed from, and gives zeros."""

        def run(*args):
            places = () if grad_position is None else (grad_position,) if isinstance(grad_position, int) else grad_position
            members = () if weights is None else (weights,) if isinstance(weights, Parameter) else tuple(weights)
            inputs = [ops.stop_gradient(value).copy() if i in places else value for i, value in enumerate(args)]
            for i in places:
                inputs[i].requires_grad_()
            result = fn(*inputs)
            self.found |= leaves_that_enter(tensors_of(result[0] if has_aux else result), [*(inputs[i] for i in places), *members])
            self.note([args[i] for i in places if inputs[i]._grad_node._unique_id() in self.found])  # what an input was computed from
            by_place = None if grad_position is None else zeros_for(args[grad_position] if isinstance(grad_position, int) else [args[i] for i in places])
            by_weight = None if weights is None else zeros_for(weights if isinstance(weights, Parameter) else list(members))
            both = by_weight if by_place is None else by_place if by_weight is None else (by_place, by_weight)
            return (both, *result[1:]) if has_aux else both

        return run


def tensors_of(result):
    """The tensors of a result, or of several."""
    return [output for output in (result if isinstance(result, (tuple, list)) else (result,)) if isinstance(output, Tensor)]


def zeros_for(values):
    """Gradients of zero."""
    return tuple(map(ops.zeros_like, values)) if isinstance(values, list) else ops.zeros_like(values)


@contextmanager
def noting(leaves):
    """The region in which the graph is noted, and `ms.grad` asks for no gradients."""
    mode, plain, draws = context._get_mode(), ms.grad, ms.get_rng_state()
    recording, enabled = _pynative_executor.grad_flag(), _pynative_executor.enable_grad()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    _pynative_executor.set_grad_flag(True)
    _pynative_executor.set_enable_grad(True)
    ms.grad = leaves.grad
    try:
        yield
    finally:
        ms.grad = plain
        _pynative_executor.set_enable_grad(enabled)
        _pynative_executor.set_grad_flag(recording)
        ms.set_context(mode=mode)
        ms.set_rng_state(draws)


def restore(parameters, values):
    """Gives parameters former values, in their memory: the graphs hold on to it."""
    for parameter, value in zip(parameters, values):
        ops.assign(parameter, Tensor(value, parameter.dtype))


def reached(forward, parameters, args, constants):
    """The ids of those `parameters` that the step reaches; of all where this cannot be told.

    `constants`: what the step holds (`graph_constants.Constants`); statistics that it moves on get their values back.
    """
    if not SHOWS_GRAPH:
        return {id(p) for p in parameters}
    state = [p for p in constants.parameters if not p.requires_grad]
    before = [p.asnumpy().copy() for p in state]
    leaves = Leaves()
    try:
        with noting(leaves):
            result = forward(*args)
            leaves.note(result[0] if isinstance(result, tuple) else result)
            nodes = [(p, p._grad_node) for p in parameters]
    except Exception:  # what only a graph can do
        return {id(p) for p in parameters}
    finally:
        restore(state, before)
        for value, former in zip(constants.contents, constants.copies):
            if isinstance(value, Tensor) and not np.array_equal(value.asnumpy(), former, equal_nan=former.dtype.kind in "fc"):
                value.copy_(Tensor(former, value.dtype))
    return {id(p) for p, node in nodes if node is not None and node._unique_id() in leaves.found}
