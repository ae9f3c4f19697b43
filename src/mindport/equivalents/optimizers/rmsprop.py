"""RMSprop."""

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.optimizers.one_graph import effective, update_all
from mindport.equivalents.optimizers.optimizer import PLACING, Optimizer, check_range


@layer("torch.optim.RMSprop", drops=PLACING)
class RMSprop(Optimizer):
    """Steps by gradients over the root of the mean of their squares, or of their variance, with momentum.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.RMSprop.html
    """

    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None,
        maximize=False, differentiable=False,
    ):  # fmt: skip
        check_range(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered, "weight_decay": weight_decay,
            "capturable": capturable, "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
        })  # fmt: skip

    def update(self, group, params, grads):
        """p -= lr * grad / (sqrt(mean square) + eps)"""
        alpha, decay = group["alpha"], group["weight_decay"]
        flags = bool(group["maximize"]), decay != 0, bool(group["centered"]), group["momentum"] > 0
        slots = ["square_avg", *["grad_avg"] * flags[2], *["momentum_buffer"] * flags[3]]
        numbers = float(group["lr"]), alpha, 1 - alpha, group["eps"], decay, group["momentum"]
        for p in params:
            self.advance(p)
        members = [(numbers, (p, *(self.slot(p, name) for name in slots), grad)) for p, grad in zip(params, grads)]
        update_all(self, group, rmsprop, flags, members)


def rmsprop(write, flags, numbers, p, square, *rest):
    """`rest`: the mean of gradients where it is taken off, the velocity where there is momentum, and the gradient."""
    maximize, decays, centered, has_momentum = flags
    lr, alpha, share, eps, decay, momentum = numbers
    g = effective(maximize, decays, decay, p, rest[-1])
    spread = square * alpha + g * g * share
    write(square, spread)
    if centered:
        mean = rest[0] + (g - rest[0]) * share
        write(rest[0], mean)
        spread = spread - mean * mean
    change = g / (ops.sqrt(spread) + eps)
    if has_momentum:
        change = rest[-2] * momentum + change
        write(rest[-2], change)
    write(p, p - change * lr)
