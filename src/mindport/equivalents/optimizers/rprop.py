"""Resilient propagation: only signs of gradients count."""

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.optimizers.optimizer import (
    PLACING,
    Optimizer,
    check_range,
    effective_gradient,
)


@layer("torch.optim.Rprop", drops=PLACING)
class Rprop(Optimizer):
    """Each element has a step size of its own, larger while the sign stays, smaller where it turns.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.Rprop.html
    """

    def __init__(
        self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None, maximize=False,
        differentiable=False,
    ):  # fmt: skip
        check_range(lr=lr)
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        })  # fmt: skip

    def update(self, group, params, grads):
        """p -= sign(grad) * step size; no step where the sign has turned."""
        smaller, larger = group["etas"]
        for p, grad in zip(params, grads):
            first = "step_size" not in self.state.get(p, {})
            self.advance(p)
            grad = effective_gradient(group, p, grad, decay=False)
            before, size = self.slot(p, "prev"), self.slot(p, "step_size", float(group["lr"]) if first else 0.0)
            sign = ops.sign(grad * before)
            turned = sign < 0
            scaled = ops.where(sign > 0, size * larger, ops.where(turned, size * smaller, size))
            size.copy_(ops.clamp(scaled, *group["step_sizes"]))
            grad = ops.where(turned, ops.zeros_like(grad), grad)
            p.copy_(p - ops.sign(grad) * size)
            before.copy_(grad)
