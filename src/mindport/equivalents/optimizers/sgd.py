"""Stochastic gradient descent with momentum."""

import mindspore as ms
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.optimizers.optimizer import (
    PLACING,
    Optimizer,
    check_range,
    effective_gradient,
)

DESCENT = ops.ApplyGradientDescent()
MOMENTUM = ops.ApplyMomentum()


@layer("torch.optim.SGD", drops=PLACING)
class SGD(Optimizer):
    """p -= lr * v with v = momentum * v + (1 - dampening) * grad; nesterov looks one step ahead.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.SGD.html
    """

    def __init__(
        self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None,
        differentiable=False, fused=None,
    ):  # fmt: skip
        check_range(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
            "maximize": maximize, "foreach": foreach, "differentiable": differentiable, "fused": fused,
        })  # fmt: skip

    def update(self, group, params, grads):
        """One kernel a parameter, where MindSpore has it for the dtype."""
        lr, momentum, dampening = float(group["lr"]), float(group["momentum"]), group["dampening"]
        # All of them first: MindSpore waits where the one sort of kernel follows the other.
        grads = [effective_gradient(group, p, grad) for p, grad in zip(params, grads)]
        for p, grad in zip(params, grads):
            plain = p.dtype == ms.float32
            if momentum == 0:
                if plain:
                    DESCENT(p, lr, grad)
                else:
                    p.copy_(p - grad * lr)
                continue
            # Dampening does not apply to the first gradient.
            first = self.state.get(p, {}).get("momentum_buffer") is None
            if first and p in self.state:
                self.state[p].pop("momentum_buffer", None)
            velocity = self.slot(p, "momentum_buffer")
            if plain and (dampening == 0 or first):
                # ApplyMomentum(use_nesterov=True) computes something else on CPU.
                MOMENTUM(p, velocity, lr * momentum if group["nesterov"] else lr, grad, momentum)
                if group["nesterov"]:
                    DESCENT(p, lr, grad)
                continue
            velocity.copy_(grad if first else velocity * momentum + grad * (1 - dampening))
            p.copy_(p - (grad + velocity * momentum if group["nesterov"] else velocity) * lr)
