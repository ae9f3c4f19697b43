"""Updates of many parameters as one compiled graph: an operator started from Python costs more than a small update.

Parameters, state and gradients are *arguments* of the graph: parameters that a graph captures stay those of its first
run where `set_data` gives them other data. Numbers are tensors, for a graph is compiled again for every new number.
Measured on MindSpore 2.10: where a parameter was written by ``p[:] = value``, an update kernel that is started alone
leaves it as it is, without an error; inside of a graph it updates it.
"""

from functools import lru_cache

import mindspore as ms
from mindspore import Parameter, Tensor, ops

#: Sets of parameters of a group that are compiled before each parameter is updated alone.
MOST_SETS = 8

EACH = ops.HyperMap()
DESCENT = ops.ApplyGradientDescent()
MOMENTUM = ops.ApplyMomentum()
ADAM = ops.Adam()


def settle(p):
    """Gives a parameter memory of its own where it is a view: nothing that writes into it would reach it, without an error.

    So it is after ``p[...] = number``, and after `set_data` with a transposed tensor or a part of another one.
    """
    if is_view(p):
        p.set_data(p.contiguous().copy())


def is_view(tensor):
    """Whether a tensor's elements do not stand one after the other, or are a part of another tensor's memory."""
    return not tensor.is_contiguous() or tensor.storage_offset() != 0


def joins(p, grad):
    """Whether a parameter can be updated in a graph: in float32, where graphs reach their arguments."""
    return isinstance(p, Parameter) and p.dtype == ms.float32 and grad.dtype == ms.float32 and reaches(ms.get_context("device_target"))


@lru_cache
def reaches(device):
    """Whether a graph changes the parameters that it is given: tried once in a process."""
    p, q = (Parameter(ops.zeros((2, 2), ms.float32), name="tried", requires_grad=False) for _ in range(2))
    rising = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32)
    for _ in range(2):
        run(descend, [(p, rising), (q, rising)], (1.0, 0.0), (False, False))
        p.set_data(p.copy())
    return (p == -2 * rising).all().item() and (q == -2 * rising).all().item()


@lru_cache(maxsize=512)
def scalar(number):
    """A number as a tensor."""
    return Tensor(number, ms.float32)


def compiled_sets(optimizer, group):
    """The sets of a group's parameters that were updated together."""
    number = next(i for i, one in enumerate(optimizer.param_groups) if one is group)
    return optimizer.__dict__.setdefault("sets_of_group", {}).setdefault(number, set())


def run(graph, members, numbers, flags, compiled=None, most=MOST_SETS):
    """One call for all: members are tuples of parameter, state and gradient.

    `compiled` notes the sets of parameters that were updated together. Where they differ from step to step, as with layers
    that are dropped at random, each would be compiled anew: after `most` sets every parameter has a call of its own.
    """
    if compiled is not None:
        together = graph, flags, tuple(p.shape for p, *_ in members)
        if together not in compiled and len(compiled) >= most:
            for member in members:
                run(graph, [member], numbers, flags)
            return
        compiled.add(together)
    *held, gradients = zip(*members)
    # A graph of MindSpore 2.7 reads a gradient wrong that has another layout in memory than that of the first call.
    gradients = tuple(grad.contiguous().copy() if is_view(grad) else grad for grad in gradients)
    graph(*(ms.mutable(tensors) for tensors in (*held, gradients)), *(scalar(float(number)) for number in numbers), *flags)


def effective(maximize, decays, decay, p, g):
    """The gradient with its sign turned for maximisation, and weight decay as a part of it."""
    if maximize:
        g = -g
    if decays:
        g = g + p * decay
    return g


def descend_one(maximize, decays, lr, decay, p, g):
    """p -= lr * g."""
    DESCENT(p, lr, effective(maximize, decays, decay, p, g))
    return True


@ms.jit
def descend(parameters, gradients, lr, decay, maximize, decays):
    """Gradient descent without momentum."""
    EACH(ops.partial(descend_one, maximize, decays, lr, decay), parameters, gradients)
    return True


def follow_one(maximize, decays, damped, nesterov, lr, decay, momentum, kept, p, v, g):
    """v = momentum * v + kept * g; p -= lr * v. ApplyMomentum(use_nesterov=True) computes something else on CPU."""
    g = effective(maximize, decays, decay, p, g)
    if damped or nesterov:
        velocity = v * momentum + g * kept
        ops.assign(v, velocity)
        if nesterov:
            velocity = g + velocity * momentum
        ops.assign(p, p - velocity * lr)
    else:
        MOMENTUM(p, v, lr, g, momentum)
    return True


@ms.jit
def follow_velocity(parameters, velocities, gradients, lr, decay, momentum, kept, maximize, decays, damped, nesterov):
    """Gradient descent with momentum."""
    EACH(ops.partial(follow_one, maximize, decays, damped, nesterov, lr, decay, momentum, kept), parameters, velocities, gradients)
    return True


def adam_one(maximize, decays, shrinks, zero, size, beta1, beta2, eps, decay, shrink, p, m, v, g):
    """One step of Adam: with its powers of beta zero the kernel corrects nothing, for `size` and `eps` hold the corrections."""
    g = effective(maximize, decays, decay, p, g)
    if shrinks:
        ops.assign(p, p * shrink)
    ADAM(p, m, v, zero, zero, size, beta1, beta2, eps, g)
    return True


@ms.jit
def adam(parameters, means, squares, gradients, zero, size, beta1, beta2, eps, decay, shrink, maximize, decays, shrinks):
    """Adam without amsgrad, and AdamW."""
    step = ops.partial(adam_one, maximize, decays, shrinks, zero, size, beta1, beta2, eps, decay, shrink)
    EACH(step, parameters, means, squares, gradients)
    return True
