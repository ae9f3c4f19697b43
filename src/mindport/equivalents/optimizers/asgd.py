"""Averaged stochastic gradient descent."""

from mindport.declare import layer
from mindport.equivalents.optimizers.one_graph import effective, update_all
from mindport.equivalents.optimizers.optimizer import PLACING, Optimizer, check_range, single


@layer("torch.optim.ASGD", drops=PLACING)
class ASGD(Optimizer):
    """Gradient descent whose rate falls, and which averages the parameters from step t0 on in ``state[p]["ax"]``.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.ASGD.html
    """

    numbers = ("step", "eta", "mu")

    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False, differentiable=False,
        capturable=False,
    ):  # fmt: skip
        check_range(lr=lr, weight_decay=weight_decay)
        super().__init__(params, {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        })  # fmt: skip

    def update(self, group, params, grads):
        """p = p * (1 - lambd * eta) - eta * grad; torch keeps eta and mu in float32."""
        lr, decay, members = float(group["lr"]), group["lambd"], []
        for p, grad in zip(params, grads):
            state = self.state.setdefault(p, {})
            eta, mu = state.setdefault("eta", single(lr)), state.setdefault("mu", 1.0)
            step = self.advance(p)
            members.append(((eta, 1 - decay * eta, mu, group["weight_decay"]), (p, self.slot(p, "ax"), grad)))
            state["eta"] = single(lr / (1 + decay * lr * step) ** group["alpha"])
            state["mu"] = single(1 / max(1, step - group["t0"]))
        for copies in (True, False):
            some = [member for member in members if (member[0][2] == 1) is copies]
            update_all(self, group, asgd, (bool(group["maximize"]), group["weight_decay"] != 0, copies), some)


def asgd(write, flags, numbers, p, average, g):
    """The parameter, and its average, which before t0 is the parameter itself."""
    maximize, decays, copies = flags
    eta, kept, mu, decay = numbers
    g = effective(maximize, decays, decay, p, g)
    now = p * kept - g * eta
    write(average, now if copies else average + (now - average) * mu)
    write(p, now)
