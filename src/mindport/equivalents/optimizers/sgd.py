"""Stochastic gradient descent with momentum."""

import mindspore as ms
from mindspore import mint, ops

from mindport.declare import layer
from mindport.equivalents.optimizers.one_graph import effective, update_all
from mindport.equivalents.optimizers.optimizer import PLACING, Optimizer, check_range

DESCENT = ops.ApplyGradientDescent()
MOMENTUM = ops.ApplyMomentum()


@layer("torch.optim.SGD", drops=PLACING)
class SGD(Optimizer):
    """p -= lr * v with v = momentum * v + (1 - dampening) * grad; nesterov looks one step ahead.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.SGD.html
    """

    looks_before = True

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
        lr, momentum, dampening, decay = float(group["lr"]), float(group["momentum"]), float(group["dampening"]), group["weight_decay"]
        flags = bool(group["maximize"]), decay != 0
        if momentum == 0:
            update_all(self, group, descend, flags, [((lr, decay), (p, grad)) for p, grad in zip(params, grads)], descend_alone)
            return
        by_damping = {}
        for p, grad in zip(params, grads):
            # Dampening does not apply to the first gradient.
            first = self.state.get(p, {}).get("momentum_buffer") is None
            if first and p in self.state:
                self.state[p].pop("momentum_buffer", None)
            kept = 1.0 if first else 1.0 - dampening
            by_damping.setdefault(kept, []).append(((lr, decay, momentum, kept), (p, self.slot(p, "momentum_buffer"), grad)))
        for kept, members in by_damping.items():
            update_all(self, group, follow_velocity, (*flags, kept != 1, bool(group["nesterov"])), members, follow_alone)


def descend(write, flags, numbers, p, g):
    """p -= lr * g."""
    DESCENT(p, numbers[0], effective(flags[0], flags[1], numbers[1], p, g))


def less(x, y, rate):
    """x - rate * y; `alpha` is a number of float32, in one rounding with the product."""
    return x - y * rate if x.dtype == ms.float64 else mint.sub(x, y, alpha=rate)


def descend_alone(write, flags, numbers, p, g):
    """The same by operators that every dtype has."""
    write(p, less(p, effective(*flags, numbers[1], p, g), numbers[0]))


def follow_velocity(write, flags, numbers, p, v, g):
    """v = momentum * v + kept * g; p -= lr * v. ApplyMomentum(use_nesterov=True) computes something else on CPU."""
    maximize, decays, damped, nesterov = flags
    lr, decay, momentum, kept = numbers
    g = effective(maximize, decays, decay, p, g)
    if damped or nesterov:
        velocity = v * momentum + g * kept
        write(v, velocity)
        if nesterov:
            velocity = g + velocity * momentum
        write(p, p - velocity * lr)
    else:
        MOMENTUM(p, v, lr, g, momentum)


def follow_alone(write, flags, numbers, p, v, g):
    """The same by operators that every dtype has."""
    maximize, decays, _, nesterov = flags
    lr, decay, momentum, kept = numbers
    g = effective(maximize, decays, decay, p, g)
    velocity = v * momentum + g * kept if p.dtype == ms.float64 else mint.add(v * momentum, g, alpha=kept)
    write(v, velocity)
    write(p, less(p, less(g, v, -momentum) if nesterov else v, lr))
