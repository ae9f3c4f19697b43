"""Adam and AdamW."""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.optimizers.one_graph import effective, update_all
from mindport.equivalents.optimizers.optimizer import PLACING, Optimizer, check_range, single

ADAM = ops.Adam()


def adam_kernel(write, flags, numbers, p, m, v, g):
    """One step of Adam: with its powers of beta zero the kernel corrects nothing, for `size` and `eps` hold the corrections."""
    maximize, decays, shrinks = flags
    size, eps, beta1, beta2, decay, shrink, zero, _ = numbers
    g = effective(maximize, decays, decay, p, g)
    if shrinks:
        write(p, p * shrink)
    ADAM(p, m, v, zero, zero, size, beta1, beta2, eps, g)


def adam_alone(write, flags, numbers, p, m, v, g):
    """The same by operators, in the measure of the kernel."""
    maximize, decays, shrinks = flags
    size, eps, beta1, beta2, decay, shrink, _, rate = numbers
    g = effective(maximize, decays, decay, p, g)
    if shrinks:
        write(p, p * shrink)
    write(m, m + (g - m) * (1 - beta1))
    write(v, v * beta2 + g * g * rate)
    write(p, p - m / (ops.sqrt(v) + eps) * size)


def adam(write, flags, numbers, p, m, v, *rest):
    """Adam in torch's measure, with the largest mean square that there was where `rest` holds it."""
    maximize, decays, shrinks = flags
    size, root, eps, rate, beta2, share, decay, shrink = numbers
    g = effective(maximize, decays, decay, p, rest[-1])
    now = p * shrink if shrinks else p
    mean = m + (g - m) * rate
    largest = square = v * beta2 + g * g * share
    if len(rest) == 2:
        largest = ops.maximum(rest[0], square)
        write(rest[0], largest)
    write(m, mean)
    write(v, square)
    write(p, now - mean / (ops.sqrt(largest) / root + eps) * size)


def square_scale(beta2):
    """What torch's average of squares is, measured by ops.Adam's.

    The kernel takes 1 - beta2 of the rounded beta2, torch rounds 1 - beta2: in float32 they differ by 1.3e-5 of
    their size for 0.999. The averages differ by this factor, and the step divides it out.
    """
    return single(1 - beta2) / (1 - single(beta2))


@layer("torch.optim.Adam", drops=PLACING)
class Adam(Optimizer):
    """Steps by the mean of gradients over the root of the mean of their squares, both corrected for the start at zero.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.Adam.html
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False,
        capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False,
    ):  # fmt: skip
        check_range(lr=lr, eps=eps, weight_decay=weight_decay)
        check_range(below=1.0, beta1=betas[0], beta2=betas[1])
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize,
            "foreach": foreach, "capturable": capturable, "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        })  # fmt: skip

    def update(self, group, params, grads):
        """One graph for the parameters in float32, without amsgrad; the others operator by operator."""
        lr, eps, decoupled, decay = float(group["lr"]), group["eps"], group["decoupled_weight_decay"], group["weight_decay"]
        beta1, beta2 = (float(beta) for beta in group["betas"])
        scale = square_scale(beta2)
        flags = bool(group["maximize"]), decay != 0 and not decoupled, decay != 0 and decoupled
        in_kernel, by_operators = [], []
        for p, grad in zip(params, grads):
            step = self.advance(p)
            state = self.slot(p, "exp_avg"), self.slot(p, "exp_avg_sq")
            size, root = lr / (1 - beta1**step), math.sqrt(1 - beta2**step)
            if p.dtype == ms.float32 and not group["amsgrad"]:
                root /= math.sqrt(scale)
                numbers = size * root, eps * root, beta1, beta2, decay, 1 - lr * decay, 0.0, (1 - beta2) / scale
                in_kernel.append((numbers, (p, *state, grad)))
            else:
                largest = (self.slot(p, "max_exp_avg_sq"),) if group["amsgrad"] else ()
                by_operators.append(((size, root, eps, 1 - beta1, beta2, 1 - beta2, decay, 1 - lr * decay), (p, *state, *largest, grad)))
        update_all(self, group, adam_kernel, flags, in_kernel, adam_alone)
        update_all(self, group, adam, flags, by_operators)

    def saved(self, p):
        """One parameter's state, the mean square as torch measures it."""
        state = super().saved(p)
        if "exp_avg_sq" in state and self.in_one_kernel(p):
            state["exp_avg_sq"] = state["exp_avg_sq"] * square_scale(float(self.group_of(p)["betas"][1]))
        return state

    def restored(self, p, name, value):
        """A saved state entry, the mean square as the kernel measures it."""
        found = super().restored(p, name, value)
        if name == "exp_avg_sq" and self.in_one_kernel(p):
            found.copy_(found / square_scale(float(self.group_of(p)["betas"][1])))
        return found

    def in_one_kernel(self, p):
        """Whether a parameter's mean square has the measure of ops.Adam, which updates it where it can."""
        return p.dtype in (ms.float32, ms.complex64) and not self.group_of(p)["amsgrad"]

    def group_of(self, p):
        """The group that a parameter is in."""
        return next(group for group in self.param_groups if any(member is p for member in group["params"]))


@layer("torch.optim.AdamW", drops=PLACING)
class AdamW(Adam):
    """Adam whose weight decay shrinks the parameters directly.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.AdamW.html
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False, foreach=None,
        capturable=False, differentiable=False, fused=None,
    ):  # fmt: skip
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip

    def load_state_dict(self, state_dict):
        """Takes over groups and state; the decay stays decoupled."""
        super().load_state_dict(state_dict)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True
