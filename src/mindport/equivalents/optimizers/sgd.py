"""Stochastic gradient descent with momentum."""

from mindspore import mint

from mindport.declare import layer
from mindport.equivalents.optimizers.one_graph import (
    compiled_sets,
    descend,
    follow_velocity,
    joins,
    run,
    settle,
)
from mindport.equivalents.optimizers.optimizer import (
    PLACING,
    Optimizer,
    check_range,
    effective_gradient,
)


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
        """One graph for the parameters that can be updated in one, two kernels for each other parameter and velocity."""
        lr, momentum, dampening = float(group["lr"]), float(group["momentum"]), float(group["dampening"])
        joined = {}
        for p, grad in zip(params, grads):
            settle(p)
            if momentum == 0:
                if joins(p, grad):
                    joined.setdefault(0.0, []).append((p, grad))
                else:
                    p.copy_(mint.sub(p, effective_gradient(group, p, grad), alpha=lr))
                continue
            # Dampening does not apply to the first gradient.
            first = self.state.get(p, {}).get("momentum_buffer") is None
            if first and p in self.state:
                self.state[p].pop("momentum_buffer", None)
            velocity, kept = self.slot(p, "momentum_buffer"), 1.0 if first else 1.0 - dampening
            if joins(p, grad):
                joined.setdefault(kept, []).append((p, velocity, grad))
                continue
            grad = effective_gradient(group, p, grad)
            velocity.copy_(grad if first else mint.add(velocity * momentum, grad, alpha=kept))
            p.copy_(mint.sub(p, mint.add(grad, velocity, alpha=momentum) if group["nesterov"] else velocity, alpha=lr))
        decay, flags = group["weight_decay"], (bool(group["maximize"]), group["weight_decay"] != 0)
        compiled = compiled_sets(self, group)
        for kept, members in joined.items():
            if momentum == 0:
                run(descend, members, (lr, decay), flags, compiled)
            else:
                flags_here = *flags, kept != 1, bool(group["nesterov"])
                run(follow_velocity, members, (lr, decay, momentum, kept), flags_here, compiled)
