"""Weight and spectral normalisation, as parametrizations and with the older functions' names.

Sources: torch/nn/utils/weight_norm.py, spectral_norm.py, parametrizations.py.
"""

from mindspore import Parameter, Tensor, nn, ops

from mindport.declare import Refused, difference, equivalent
from mindport.layers.parametrization import RECURRENT, own_name, register_parametrization

STARTS = difference("the starting vectors of the power method come from MindSpore's generator", risk="style", zh="幂迭代的初值不同")


def norm_except(value, dim):
    """The norm over all axes but one (None: over all), axes kept."""
    axes = tuple(axis for axis in range(value.ndim) if dim is None or axis != dim % value.ndim)
    norm = ops.sqrt((value * value).sum(axes, keepdims=True)) if axes else ops.abs(value)
    return norm.reshape(()) if dim is None else norm


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


def checked(module, name, dim):
    """The parameter to normalise. Raises where a computed weight would not be seen or has another shape."""
    if isinstance(module, (nn.RNN, nn.GRU, nn.LSTM)):
        raise Refused(RECURRENT)
    if isinstance(module, (nn.Conv1d, nn.Conv1dTranspose)) and dim not in (0, 1, None):
        raise Refused("dim other than 0 and 1 for a one-dimensional convolution: MindSpore's weight has an axis more")
    parameter = module._params.get(own_name(module, name))
    if parameter is None:
        raise ValueError(f"the module has no parameter {name!r} here to normalise")
    return parameter


class WeightNormalization(nn.Cell):
    """g * v / norm(v)"""

    any_layout = True

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def construct(self, g, v):
        return v * (g / norm_except(v, self.dim))

    def right_inverse(self, weight):
        return norm_except(weight, self.dim), weight


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
            self.register_buffer("_u", normalized(ops.randn((matrix.shape[0],), dtype=weight.dtype), eps))
            self.register_buffer("_v", normalized(ops.randn((matrix.shape[1],), dtype=weight.dtype), eps))
            self.power_method(matrix, 15)

    def power_method(self, matrix, steps):
        matrix = ops.stop_gradient(matrix)
        u, v = self._buffers["_u"], self._buffers["_v"]
        for _ in range(steps):
            u = normalized(product(matrix, v), self.eps)
            v = normalized(product(matrix.T, u), self.eps)
        self._buffers["_u"].copy_(u)
        self._buffers["_v"].copy_(v)
        return ops.stop_gradient(u), ops.stop_gradient(v)

    def construct(self, weight):
        if weight.ndim == 1:
            return normalized(weight, self.eps)
        matrix = as_matrix(weight, self.dim)
        u, v = self.power_method(matrix, self.steps) if self.training else (self._buffers["_u"].copy(), self._buffers["_v"].copy())
        return weight / (u * product(matrix, v)).sum()


@equivalent("torch.nn.utils.parametrizations.weight_norm")
def weight_norm(module, name="weight", dim=0):
    """The parameter as magnitude times direction. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.parametrizations.weight_norm.html
    """
    checked(module, name, dim)
    return register_parametrization(module, name, WeightNormalization(dim))


@equivalent("torch.nn.utils.parametrizations.spectral_norm", differs=[STARTS])
def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """The parameter divided by its largest singular value. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.parametrizations.spectral_norm.html
    """
    if dim is None:
        dim = 1 if isinstance(module, (nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose)) else 0
    weight = checked(module, name, dim)
    return register_parametrization(module, name, SpectralNormalization(weight, n_power_iterations, dim, eps))


class Computed:
    """A hook that computes a parameter before each call, and knows how to undo itself."""

    def __init__(self, name, parts, compute):
        self.name = name
        self.parts = parts
        self.compute = compute
        self.handle = None

    def __call__(self, module, inputs):
        module.__dict__[own_name(module, self.name)] = self.compute(module, self)


def computed_before_calls(module, name, parts, compute):
    """Put a computed tensor in a parameter's place; `parts` are the names of what it is computed from."""
    hook = Computed(name, parts, compute)
    module.__dict__.setdefault("_computed", {})[name] = hook
    hook(module, ())
    hook.handle = module.register_forward_pre_hook(hook)


def made_parameter_again(module, name):
    """Undo: the last value becomes the parameter."""
    hook = module.__dict__.get("_computed", {}).pop(name, None)
    if hook is None:
        raise ValueError(f"no normalisation of '{name}' found in {type(module).__name__}")
    handle = hook.handle
    hook.handle = None  # no further step of the power method
    value = ops.stop_gradient(hook.compute(module, hook))
    first = module._params[hook.parts[0]]
    stem = first.name[: -len(hook.parts[0])]
    handle.remove()
    own = own_name(module, name)
    del module.__dict__[own]
    for part in hook.parts:
        module._params.pop(part, None)
        module._buffers.pop(part, None)
    module._params[own] = Parameter(value, name=f"{stem}{own}")
    return module


def weight_of(module, name, dim):
    v = module._params[f"{name}_v"]
    return v * (module._params[f"{name}_g"] / norm_except(v, dim))


@equivalent("torch.nn.utils.weight_norm")
def weight_norm_hook(module, name="weight", dim=0):
    """The parameter as <name>_g times the direction of <name>_v, computed before each call.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.weight_norm.html
    """
    weight = checked(module, name, dim)
    stem = weight.name[: -len(own_name(module, name))]
    del module._params[own_name(module, name)]
    module._params[f"{name}_g"] = Parameter(norm_except(weight, dim), name=f"{stem}{name}_g")
    module._params[f"{name}_v"] = Parameter(weight.copy(), name=f"{stem}{name}_v")

    def compute(cell, hook):
        return weight_of(cell, name, dim)

    computed_before_calls(module, name, (f"{name}_g", f"{name}_v"), compute)
    return module


@equivalent("torch.nn.utils.remove_weight_norm")
def remove_weight_norm(module, name="weight"):
    """The computed weight becomes the parameter again."""
    return made_parameter_again(module, name)


@equivalent("torch.nn.utils.spectral_norm", differs=[STARTS])
def spectral_norm_hook(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """The parameter divided by its largest singular value, computed before each call; in training with further steps.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.spectral_norm.html
    """
    if dim is None:
        dim = 1 if isinstance(module, (nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose)) else 0
    weight = checked(module, name, dim)
    matrix = as_matrix(weight, dim)
    own = own_name(module, name)
    del module._params[own]
    module._params[f"{name}_orig"] = weight
    weight.name = f"{weight.name[: -len(own)]}{name}_orig"
    module.register_buffer(f"{name}_u", normalized(ops.randn((matrix.shape[0],), dtype=weight.dtype), eps))
    module.register_buffer(f"{name}_v", normalized(ops.randn((matrix.shape[1],), dtype=weight.dtype), eps))

    def compute(cell, hook):
        original = cell._params[f"{name}_orig"]
        rows = as_matrix(original, dim)
        u, v = cell._buffers[f"{name}_u"].copy(), cell._buffers[f"{name}_v"].copy()
        if cell.training and hook.handle is not None:
            fixed = ops.stop_gradient(rows)
            for _ in range(n_power_iterations):
                v = normalized(product(fixed.T, u), eps)
                u = normalized(product(fixed, v), eps)
            cell._buffers[f"{name}_u"].copy_(u)
            cell._buffers[f"{name}_v"].copy_(v)
        return original / (ops.stop_gradient(u) * product(rows, ops.stop_gradient(v))).sum()

    computed_before_calls(module, name, (f"{name}_orig", f"{name}_u", f"{name}_v"), compute)
    return module


@equivalent("torch.nn.utils.remove_spectral_norm")
def remove_spectral_norm(module, name="weight"):
    """The computed weight becomes the parameter again."""
    return remove_weight_norm(module, name)
