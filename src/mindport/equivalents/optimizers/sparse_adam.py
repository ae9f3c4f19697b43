"""SparseAdam: Adam of the rows that a batch touched, as gradients of embeddings tell them."""

import math

from mindspore import ops

from mindport.declare import difference, layer
from mindport.equivalents.optimizers.one_graph import update_all
from mindport.equivalents.optimizers.optimizer import Optimizer, check_range


@layer(
    "torch.optim.SparseAdam",
    differs=[
        difference(
            "gradients are dense here, so a row counts as touched where its gradient is not zero: one that a batch touched, and whose gradient is exactly zero, stays as it is",
            risk="silent",
            zh="这里的梯度是稠密的：梯度不为零的行才算被访问；被批次访问但梯度恰好为零的行保持不变",
        ),
        difference("a dense gradient (an embedding without sparse=True), which torch refuses, is taken row by row", risk="style", zh="torch 拒绝的稠密梯度在这里按行处理"),
    ],
)
class SparseAdam(Optimizer):
    """Adam that leaves rows without a gradient alone: neither their means decay, nor do they move.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.SparseAdam.html
    """

    by_parts = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        if not lr > 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not eps > 0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_range(below=1.0, beta1=betas[0], beta2=betas[1])
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})

    def advance(self, p):
        """Counts a parameter's steps, in whole numbers."""
        state = self.state[p]
        state["step"] = state.get("step", 0) + 1
        return state["step"]

    def update(self, group, params, grads):
        """p -= lr * sqrt(1 - beta2**step) / (1 - beta1**step) * mean / (sqrt(mean square) + eps), in the rows that have a gradient"""
        (beta1, beta2), members = group["betas"], []
        for p, grad in zip(params, grads):
            step = self.advance(p)
            size = float(group["lr"]) * math.sqrt(1 - beta2**step) / (1 - beta1**step)
            members.append(((size, 1 - beta1, 1 - beta2, group["eps"]), (p, self.slot(p, "exp_avg"), self.slot(p, "exp_avg_sq"), grad)))
        update_all(self, group, sparse_adam, (bool(group["maximize"]),), members)


def sparse_adam(write, flags, numbers, p, mean, square, g):
    """Means and parameters of the rows whose gradient is not zero."""
    size, rate, square_rate, eps = numbers
    g = -g if flags[0] else g
    touched = g != 0
    if g.ndim > 1:
        touched = touched.any(axis=tuple(range(1, g.ndim)), keep_dims=True)
    now = mean + (g - mean) * rate
    squared = square + (g * g - square) * square_rate
    write(mean, ops.where(touched, now, mean))
    write(square, ops.where(touched, squared, square))
    write(p, ops.where(touched, p - now / (ops.sqrt(squared) + eps) * size, p))
