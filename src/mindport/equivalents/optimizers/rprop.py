"""Resilient propagation: only signs of gradients count."""

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.optimizers.one_graph import effective, update_all
from mindport.equivalents.optimizers.optimizer import PLACING, Optimizer, check_range


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
        members = []
        for p, grad in zip(params, grads):
            first = "step_size" not in self.state.get(p, {})
            self.advance(p)
            before, size = self.slot(p, "prev"), self.slot(p, "step_size", float(group["lr"]) if first else 0.0)
            members.append(((*group["etas"], *group["step_sizes"]), (p, before, size, grad)))
        update_all(self, group, rprop, (bool(group["maximize"]),), members)


def rprop(write, flags, numbers, p, before, size, g):
    """A larger step where the sign is the one of before, a smaller one and no move where it has turned."""
    smaller, larger, least, most = numbers
    g = effective(flags[0], False, 0.0, p, g)
    sign = ops.sign(g * before)
    turned = sign < 0
    scaled = ops.where(sign > 0, size * larger, ops.where(turned, size * smaller, size))
    step = ops.clamp(scaled, least, most)
    g = ops.where(turned, ops.zeros_like(g), g)
    write(size, step)
    write(before, g)
    write(p, p - ops.sign(g) * step)
