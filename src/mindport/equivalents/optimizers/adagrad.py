"""Adagrad and Adadelta: steps by the root of what the squares of gradients add up to."""

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.optimizers.one_graph import effective, update_all
from mindport.equivalents.optimizers.optimizer import PLACING, Optimizer, check_range

ADADELTA = ops.ApplyAdadelta()


@layer("torch.optim.Adagrad", drops=PLACING)
class Adagrad(Optimizer):
    """Squares of gradients add up and make the steps smaller.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.Adagrad.html
    """

    def __init__(
        self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *, maximize=False,
        differentiable=False, fused=None,
    ):  # fmt: skip
        check_range(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps, initial_accumulator_value=initial_accumulator_value)
        super().__init__(params, {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "fused": fused,
        })  # fmt: skip
        for p in self.parameters:
            self.begin(p)

    def begin(self, p):
        """The sum of a parameter is there from the start."""
        self.state.setdefault(p, {}).setdefault("step", 0.0)
        return self.slot(p, "sum", self.defaults["initial_accumulator_value"])

    def update(self, group, params, grads):
        """p -= lr * grad / (sqrt(sum) + eps)"""
        members, decay = [], group["weight_decay"]
        for p, grad in zip(params, grads):
            total = self.begin(p)
            rate = float(group["lr"]) / (1 + (self.advance(p) - 1) * group["lr_decay"])
            members.append(((rate, group["eps"], decay), (p, total, grad)))
        update_all(self, group, adagrad, (bool(group["maximize"]), decay != 0, float(group["eps"])), members, adagrad_alone)


def adagrad(write, flags, numbers, p, total, g):
    """The sum of squares, and a step by its root, in one kernel."""
    maximize, decays, eps = flags
    ops.ApplyAdagradV2(epsilon=eps)(p, total, numbers[0], effective(maximize, decays, numbers[2], p, g))


def adagrad_alone(write, flags, numbers, p, total, g):
    """The same by operators that every dtype has."""
    rate, eps, decay = numbers
    g = effective(flags[0], flags[1], decay, p, g)
    squares = total + g * g
    write(total, squares)
    write(p, p - g / (ops.sqrt(squares) + eps) * rate)


@layer("torch.optim.Adadelta", drops=PLACING)
class Adadelta(Optimizer):
    """Steps as large as the last ones were, relative to the gradients of that time.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.Adadelta.html
    """

    def __init__(
        self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False,
    ):  # fmt: skip
        check_range(lr=lr, eps=eps, weight_decay=weight_decay)
        if not 0 <= rho <= 1:
            raise ValueError(f"Invalid rho: {rho}")
        super().__init__(params, {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize, "capturable": capturable,
            "foreach": foreach, "differentiable": differentiable,
        })  # fmt: skip

    def update(self, group, params, grads):
        """p -= lr * grad * sqrt(mean square of steps + eps) / sqrt(mean square of gradients + eps)"""
        rho, decay = group["rho"], group["weight_decay"]
        numbers = rho, 1 - rho, group["eps"], float(group["lr"]), decay
        for p in params:
            self.advance(p)
        members = [(numbers, (p, self.slot(p, "square_avg"), self.slot(p, "acc_delta"), grad)) for p, grad in zip(params, grads)]
        update_all(self, group, adadelta, (bool(group["maximize"]), decay != 0), members, adadelta_alone)


def adadelta(write, flags, numbers, p, squares, steps, g):
    """One kernel for both averages and the step."""
    rho, _, eps, lr, decay = numbers
    ADADELTA(p, squares, steps, lr, rho, eps, effective(flags[0], flags[1], decay, p, g))


def adadelta_alone(write, flags, numbers, p, squares, steps, g):
    """Both averages of squares, and a step by the quotient of their roots."""
    rho, share, eps, lr, decay = numbers
    g = effective(*flags, decay, p, g)
    square = squares * rho + g * g * share
    delta = ops.sqrt(steps + eps) / ops.sqrt(square + eps) * g
    write(squares, square)
    write(steps, steps * rho + delta * delta * share)
    write(p, p - delta * lr)
