"""Adamax, NAdam and RAdam: what was built on Adam."""

import math

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.optimizers.one_graph import effective, update_all
from mindport.equivalents.optimizers.optimizer import PLACING, Optimizer, check_range, single


@layer("torch.optim.Adamax", drops=PLACING)
class Adamax(Optimizer):
    """Adam with the largest recent gradient in place of the mean square.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.Adamax.html
    """

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False, differentiable=False,
        capturable=False,
    ):  # fmt: skip
        check_range(lr=lr, eps=eps, weight_decay=weight_decay)
        check_range(below=1.0, beta1=betas[0], beta2=betas[1])
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        })  # fmt: skip

    def update(self, group, params, grads):
        """p -= lr / (1 - beta1**step) * mean / largest"""
        (beta1, beta2), decay, members = group["betas"], group["weight_decay"], []
        for p, grad in zip(params, grads):
            size = float(group["lr"]) / (1 - beta1 ** self.advance(p))
            numbers = size, 1 - beta1, beta2, group["eps"], decay
            members.append((numbers, (p, self.slot(p, "exp_avg"), self.slot(p, "exp_inf"), grad)))
        update_all(self, group, adamax, (bool(group["maximize"]), decay != 0), members)


def adamax(write, flags, numbers, p, mean, largest, g):
    """The mean of gradients over the largest of late."""
    size, rate, beta2, eps, decay = numbers
    g = effective(*flags, decay, p, g)
    now = mean + (g - mean) * rate
    top = ops.maximum(largest * beta2, ops.abs(g) + eps)
    write(mean, now)
    write(largest, top)
    write(p, p - now / top * size)


@layer("torch.optim.NAdam", drops=PLACING)
class NAdam(Optimizer):
    """Adam with Nesterov's look ahead, and momentum that grows.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.NAdam.html
    """

    numbers = ("step", "mu_product")

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, decoupled_weight_decay=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        check_range(lr=lr, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay)
        check_range(below=1.0, beta1=betas[0], beta2=betas[1])
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable,
        })  # fmt: skip

    def update(self, group, params, grads):
        """The gradient and the mean have factors of their own."""
        lr, decay, decoupled = float(group["lr"]), group["momentum_decay"], group["decoupled_weight_decay"]
        (beta1, beta2), shrinking, members = group["betas"], group["weight_decay"], []
        flags = bool(group["maximize"]), shrinking != 0 and not decoupled, shrinking != 0 and decoupled
        for p, grad in zip(params, grads):
            step = self.advance(p)
            now = beta1 * (1.0 - 0.5 * 0.96 ** (step * decay))
            then = beta1 * (1.0 - 0.5 * 0.96 ** ((step + 1) * decay))
            # torch keeps the product in float32.
            product = single(self.state[p].get("mu_product", 1.0) * single(now))
            self.state[p]["mu_product"] = product
            sizes = lr * (1.0 - now) / (1.0 - product), lr * then / (1.0 - product * then)
            numbers = *sizes, 1 - beta1, beta2, 1 - beta2, 1 - beta2**step, group["eps"], shrinking, 1 - lr * shrinking
            members.append((numbers, (p, self.slot(p, "exp_avg"), self.slot(p, "exp_avg_sq"), grad)))
        update_all(self, group, nadam, flags, members)


def nadam(write, flags, numbers, p, mean, square, g):
    """The gradient and the mean have sizes of their own."""
    maximize, decays, shrinks = flags
    size, size_of_mean, rate, beta2, share, missing, eps, decay, shrink = numbers
    g = effective(maximize, decays, decay, p, g)
    before = p * shrink if shrinks else p
    now, squares = mean + (g - mean) * rate, square * beta2 + g * g * share
    root = ops.sqrt(squares / missing) + eps
    write(mean, now)
    write(square, squares)
    write(p, before - g / root * size - now / root * size_of_mean)


@layer("torch.optim.RAdam", drops=PLACING)
class RAdam(Optimizer):
    """Adam that begins as plain momentum, until the mean square is worth something.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.RAdam.html
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *, foreach=None,
        maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        check_range(lr=lr, eps=eps, weight_decay=weight_decay)
        check_range(below=1.0, beta1=betas[0], beta2=betas[1])
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "decoupled_weight_decay": decoupled_weight_decay, "differentiable": differentiable,
        })  # fmt: skip

    def update(self, group, params, grads):
        """With the length rho of the average: above 5 as Adam, with a factor; else by the mean alone."""
        lr, decoupled = float(group["lr"]), group["decoupled_weight_decay"]
        (beta1, beta2), decay = group["betas"], group["weight_decay"]
        longest = 2 / (1 - beta2) - 1
        plain, adaptive = [], []
        for p, grad in zip(params, grads):
            step = self.advance(p)
            missing = 1 - beta2**step
            rho = longest - 2 * step * beta2**step / missing
            size = lr / (1 - beta1**step)
            if rho > 5.0:
                size *= math.sqrt(missing) * math.sqrt((rho - 4) * (rho - 2) * longest / ((longest - 4) * (longest - 2) * rho))
            numbers = size, 1 - beta1, beta2, 1 - beta2, group["eps"], decay, 1 - lr * decay
            (adaptive if rho > 5.0 else plain).append((numbers, (p, self.slot(p, "exp_avg"), self.slot(p, "exp_avg_sq"), grad)))
        flags = bool(group["maximize"]), decay != 0 and not decoupled, decay != 0 and decoupled
        update_all(self, group, radam, (*flags, False), plain)
        update_all(self, group, radam, (*flags, True), adaptive)


def radam(write, flags, numbers, p, mean, square, g):
    """A step by the mean, over the root of the mean square where that is worth something."""
    maximize, decays, shrinks, adapts = flags
    size, rate, beta2, share, eps, decay, shrink = numbers
    g = effective(maximize, decays, decay, p, g)
    before = p * shrink if shrinks else p
    now, squares = mean + (g - mean) * rate, square * beta2 + g * g * share
    write(mean, now)
    write(square, squares)
    if adapts:
        write(p, before - now / (ops.sqrt(squares) + eps) * size)
    else:
        write(p, before - now * size)
