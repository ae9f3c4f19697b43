"""RMSprop."""

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.optimizers.optimizer import (
    PLACING,
    Optimizer,
    check_range,
    effective_gradient,
    follow,
    follow_square,
)


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
        lr, alpha = float(group["lr"]), group["alpha"]
        for p, grad in zip(params, grads):
            self.advance(p)
            grad = effective_gradient(group, p, grad)
            spread = follow_square(self.slot(p, "square_avg"), grad, alpha)
            if group["centered"]:
                mean = follow(self.slot(p, "grad_avg"), grad, 1 - alpha)
                spread = spread - mean * mean
            change = grad / (ops.sqrt(spread) + group["eps"])
            if group["momentum"] > 0:
                velocity = self.slot(p, "momentum_buffer")
                velocity.copy_(velocity * group["momentum"] + change)
                change = velocity
            p.copy_(p - change * lr)
