"""Weight normalisation, as a parametrization and with the older function's names: magnitude times direction.

Sources: torch/nn/utils/weight_norm.py, parametrizations.py; Salimans and Kingma, https://arxiv.org/abs/1602.07868.
"""

from mindspore import Parameter, nn, ops

from mindport.declare import Refused, difference, equivalent
from mindport.layers.computed_weights import compute_when_read, made_parameter_again
from mindport.layers.parametrization import RECURRENT, own_name, register_parametrization

FRESH = difference(
    "between an optimizer's step and the next call torch's attribute still holds the weight of the last call; here it is computed when it is read",
    risk="style", zh="读取属性时即时计算，而非上次调用时的值",
)  # fmt: skip


def norm_except(value, dim):
    """The norm over all axes but one (None: over all), axes kept."""
    axes = tuple(axis for axis in range(value.ndim) if dim is None or axis != dim % value.ndim)
    norm = ops.sqrt((value * value).sum(axes, keepdims=True)) if axes else ops.abs(value)
    return norm.reshape(()) if dim is None else norm


def own_axis(module, dim):
    """The axis of MindSpore's weight that is torch's `dim`: of a one-dimensional convolution the last one comes behind one of length 1."""
    one_dimensional = isinstance(module, (nn.Conv1d, nn.Conv1dTranspose))
    return (0, 1, 3)[dim % 3] if one_dimensional and dim is not None else dim


def checked(module, name):
    """The parameter to normalise. Raises where a computed weight would not be seen."""
    if isinstance(module, (nn.RNN, nn.GRU, nn.LSTM)):
        raise Refused(RECURRENT)
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


@equivalent("torch.nn.utils.parametrizations.weight_norm")
def weight_norm(module, name="weight", dim=0):
    """The parameter as magnitude times direction. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.parametrizations.weight_norm.html
    """
    checked(module, name)
    return register_parametrization(module, name, WeightNormalization(own_axis(module, dim)))


@equivalent("torch.nn.utils.weight_norm", differs=[FRESH])
def weight_norm_hook(module, name="weight", dim=0):
    """The parameter as <name>_g times the direction of <name>_v. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.weight_norm.html
    """
    weight = checked(module, name)
    own, dim = own_name(module, name), own_axis(module, dim)
    stem = weight.name[: -len(own)]
    del module._params[own]
    g, v = f"{name}_g", f"{name}_v"
    module._params[g] = Parameter(norm_except(weight, dim), name=stem + g)
    module._params[v] = Parameter(weight.copy(), name=stem + v)

    def compute(cell):
        direction = getattr(cell, v)
        return direction * (getattr(cell, g) / norm_except(direction, dim))

    compute_when_read(module, name, (g, v), compute)
    return module


@equivalent("torch.nn.utils.remove_weight_norm")
def remove_weight_norm(module, name="weight"):
    """The computed weight becomes the parameter again."""
    return made_parameter_again(module, name)
