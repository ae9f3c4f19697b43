"""Adamax, NAdam and RAdam: what was built on Adam."""

import math

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.optimizers.optimizer import (
    PLACING,
    Optimizer,
    check_range,
    effective_gradient,
    follow,
    follow_square,
    shrink,
    single,
)


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
        beta1, beta2 = group["betas"]
        for p, grad in zip(params, grads):
            step = self.advance(p)
            grad = effective_gradient(group, p, grad)
            mean = follow(self.slot(p, "exp_avg"), grad, 1 - beta1)
            largest = self.slot(p, "exp_inf")
            largest.copy_(ops.maximum(largest * beta2, ops.abs(grad) + group["eps"]))
            p.copy_(p - mean / largest * (float(group["lr"]) / (1 - beta1**step)))


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
        beta1, beta2 = group["betas"]
        for p, grad in zip(params, grads):
            step = self.advance(p)
            grad = effective_gradient(group, p, grad, decay=not decoupled)
            if decoupled:
                shrink(group, p)
            now = beta1 * (1.0 - 0.5 * 0.96 ** (step * decay))
            then = beta1 * (1.0 - 0.5 * 0.96 ** ((step + 1) * decay))
            # torch keeps the product in float32.
            product = single(self.state[p].get("mu_product", 1.0) * single(now))
            self.state[p]["mu_product"] = product
            mean = follow(self.slot(p, "exp_avg"), grad, 1 - beta1)
            square = follow_square(self.slot(p, "exp_avg_sq"), grad, beta2)
            root = ops.sqrt(square / (1 - beta2**step)) + group["eps"]
            moved = p - grad / root * (lr * (1.0 - now) / (1.0 - product))
            p.copy_(moved - mean / root * (lr * then / (1.0 - product * then)))


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
        beta1, beta2 = group["betas"]
        longest = 2 / (1 - beta2) - 1
        for p, grad in zip(params, grads):
            step = self.advance(p)
            grad = effective_gradient(group, p, grad, decay=not decoupled)
            if decoupled:
                shrink(group, p)
            mean = follow(self.slot(p, "exp_avg"), grad, 1 - beta1)
            square = follow_square(self.slot(p, "exp_avg_sq"), grad, beta2)
            missing = 1 - beta2**step
            rho = longest - 2 * step * beta2**step / missing
            change = mean / (1 - beta1**step) * lr
            if rho > 5.0:
                factor = math.sqrt((rho - 4) * (rho - 2) * longest / ((longest - 4) * (longest - 2) * rho))
                change = change * (math.sqrt(missing) / (ops.sqrt(square) + group["eps"])) * factor
            p.copy_(p - change)
