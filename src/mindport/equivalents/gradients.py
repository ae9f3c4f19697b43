"""Gradients kept in `parameter.grad`, where code written for torch looks for them.

MindSpore differentiates functions and returns the gradients; these functions put them where optimizers,
clipping and user code expect them. A parameter whose gradient was never computed has `grad` None.
"""

import mindspore as ms

from mindport.declare import equivalent


class Gradients:
    """Gradients that were computed and not yet added to their parameters."""

    def __init__(self, parameters, values):
        self.parameters = parameters
        self.values = values


def value_and_gradients(forward, *groups):
    """A function that calls `forward` and returns its result and the gradients of the first part of it.

    `groups`: iterables of parameters. Parameters that are frozen at the time of the call get no gradient, as in
    torch. The result of `forward` may hold anything after the loss.
    """

    def run(*args):
        parameters = trainable(groups)
        rest = []

        def loss_of():
            result = forward(*args)
            if isinstance(result, tuple):
                rest.extend(result[1:])
                return result[0]
            return result

        loss, values = ms.value_and_grad(loss_of, None, parameters)()
        return ((loss, *rest) if rest else loss), Gradients(parameters, values)

    return run


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
    for parameter, value in zip(gradients.parameters, gradients.values):
        earlier = getattr(parameter, "grad", None)
        parameter.grad = value if earlier is None else earlier + value


@equivalent("torch.nn.Module.zero_grad")
def zero_grad(self, set_to_none=True):
    """Takes the gradients away that were kept in `parameter.grad`; without set_to_none they become zeros."""
    for parameter in self.get_parameters():
        if getattr(parameter, "grad", None) is not None:
            parameter.grad = None if set_to_none else parameter.grad * 0
