"""Spectral normalisation, as a parametrization and with the older function's names: a weight over its largest singular value.

The vectors of the power method are parameters without a gradient, which graphs update, too; to torch they are buffers.
Sources: torch/nn/utils/spectral_norm.py, parametrizations.py; Miyato et al., https://arxiv.org/abs/1802.05957.
"""

from mindspore import Parameter, Tensor, nn, ops

from mindport.declare import difference, equivalent
from mindport.layers.computed_weights import compute_when_read, made_parameter_again
from mindport.layers.parametrization import own_name, register_parametrization
from mindport.layers.weight_norm import FRESH, checked, own_axis

STARTS = difference("the starting vectors of the power method come from MindSpore's generator", risk="style", zh="幂迭代的初值不同")


def normalized(vector, eps):
    """vector / max(norm, eps)"""
    return vector / ops.maximum(ops.sqrt((vector * vector).sum()), Tensor(eps, vector.dtype))


def as_matrix(weight, dim):
    """The weight with axis `dim` first, the others made one."""
    order = (dim, *(axis for axis in range(weight.ndim) if axis != dim))
    moved = weight.transpose(order) if dim != 0 else weight
    return moved.reshape((moved.shape[0], -1))


def product(matrix, vector):
    """matrix @ vector; written with mm, whose second gradient is right in PyNative."""
    return ops.mm(matrix, vector.reshape((-1, 1))).reshape((-1,))


def hold_vectors(cell, stem, matrix, u, v, eps):
    """Drawn starting vectors of the power method, as what torch calls buffers of the cell, under the names `u` and `v`."""
    for name, size in ((u, matrix.shape[0]), (v, matrix.shape[1])):
        drawn = normalized(ops.randn((size,), dtype=matrix.dtype), eps)
        cell._params[name] = Parameter(drawn, name=stem + name, requires_grad=False)
    cell.statistics = (*getattr(cell, "statistics", ()), u, v)


class SpectralNormalization(nn.Cell):
    """weight / sigma, the largest singular value by the power method; in training each read takes further steps."""

    any_layout = True

    def __init__(self, weight, n_power_iterations, dim, eps):
        super().__init__()
        self.dim = dim % weight.ndim
        self.eps = eps
        self.steps = n_power_iterations
        if weight.ndim > 1:
            matrix = as_matrix(weight, self.dim)
            hold_vectors(self, "", matrix, "_u", "_v", eps)
            self.power_method(matrix, 15)

    def power_method(self, matrix, steps):
        matrix = ops.stop_gradient(matrix)
        u, v = self._u, self._v
        for _ in range(steps):
            u = normalized(product(matrix, v), self.eps)
            v = normalized(product(matrix.T, u), self.eps)
        ops.assign(self._u, u)
        ops.assign(self._v, v)
        return ops.stop_gradient(u), ops.stop_gradient(v)

    def construct(self, weight):
        if weight.ndim == 1:
            return normalized(weight, self.eps)
        matrix = as_matrix(weight, self.dim)
        u, v = self.power_method(matrix, self.steps) if self.training else (ops.stop_gradient(self._u).copy(), ops.stop_gradient(self._v).copy())
        return weight / (u * product(matrix, v)).sum()


@equivalent("torch.nn.utils.parametrizations.spectral_norm", differs=[STARTS])
def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """The parameter divided by its largest singular value. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.parametrizations.spectral_norm.html
    """
    if dim is None:
        dim = 1 if isinstance(module, (nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose)) else 0
    weight, dim = checked(module, name), own_axis(module, dim)
    return register_parametrization(module, name, SpectralNormalization(weight, n_power_iterations, dim, eps))


@equivalent("torch.nn.utils.spectral_norm", differs=[STARTS, FRESH])
def spectral_norm_hook(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """The parameter divided by its largest singular value, which each call in training follows by further steps. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.spectral_norm.html
    """
    if dim is None:
        dim = 1 if isinstance(module, (nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose)) else 0
    weight, dim = checked(module, name), own_axis(module, dim)
    own, original, first, second = own_name(module, name), f"{name}_orig", f"{name}_u", f"{name}_v"
    stem = weight.name[: -len(own)]
    del module._params[own]
    module._params[original] = weight
    weight.name = stem + original
    hold_vectors(module, stem, as_matrix(weight, dim), first, second, eps)

    def follow(cell):
        if cell.training:
            matrix = ops.stop_gradient(as_matrix(getattr(cell, original), dim))
            u, v = getattr(cell, first), getattr(cell, second)
            for _ in range(n_power_iterations):
                v = normalized(product(matrix.T, u), eps)
                u = normalized(product(matrix, v), eps)
            ops.assign(getattr(cell, first), u)
            ops.assign(getattr(cell, second), v)

    def compute(cell):
        weight = getattr(cell, original)
        # copies: a later call in training writes the vectors before the backward pass of this one reads them
        u, v = ops.stop_gradient(getattr(cell, first)).copy(), ops.stop_gradient(getattr(cell, second)).copy()
        return weight / (u * product(as_matrix(weight, dim), v)).sum()

    compute_when_read(module, name, (original, first, second), compute, before=follow)
    return module


@equivalent("torch.nn.utils.remove_spectral_norm")
def remove_spectral_norm(module, name="weight"):
    """The computed weight becomes the parameter again."""
    return made_parameter_again(module, name)
