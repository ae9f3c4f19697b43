"""`reset_parameters`, which torch's layers have and MindSpore's have not: initial values drawn anew.

Programs ask ``hasattr(layer, "reset_parameters")`` and go on without an error where it is absent: between the folds of a
cross-validation the network would keep what it learned. So MindSpore's classes get the method, and normalisations
`reset_running_stats`; layers that conversion writes itself have both of their own.
https://docs.pytorch.org/docs/2.13/notes/modules.html#parameter-initialization
"""

import math
from functools import wraps

from mindspore import nn
from mindspore.common.initializer import HeUniform, Normal, One, Uniform, Zero, initializer

LINEAR = (nn.Dense, nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose)
NORMALISING = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm, nn.GroupNorm, nn.InstanceNorm1d, nn.InstanceNorm2d, nn.InstanceNorm3d)
RECURRENT = (nn.RNN, nn.LSTM, nn.GRU, nn.RNNCell, nn.LSTMCell, nn.GRUCell)
#: Where normalisations start: scales and variances at one.
ONES = ("gamma", "weight", "moving_variance", "running_var")
ZEROS = ("beta", "bias", "moving_mean", "running_mean")
STATISTICS = ("moving_mean", "running_mean", "moving_variance", "running_var")


def put_initial(parameter, start):
    """Give a parameter values that an initialiser draws."""
    parameter.set_data(initializer(start, parameter.shape, parameter.dtype))


def reset_parameters(self):
    """Draw the layer's parameters anew, as its construction does; running statistics start again."""
    named = {name.rpartition(".")[2]: parameter for name, parameter in self.parameters_and_names()}
    if isinstance(self, NORMALISING):
        for name, parameter in named.items():
            if name in ONES or name in ZEROS:
                put_initial(parameter, One() if name in ONES else Zero())
    elif isinstance(self, nn.PReLU):
        self.w.set_data(self.first_slopes)
    elif isinstance(self, nn.Embedding):
        put_initial(self.embedding_table, Normal(1.0))
        if self.padding_idx is not None:
            self.embedding_table[self.padding_idx] = 0.0
    else:
        weight = named.get("weight")
        inputs = math.prod(weight.shape[1:]) if isinstance(self, LINEAR) else weight.shape[1] if isinstance(self, nn.BiDense) else self.hidden_size
        for parameter in named.values():
            start = HeUniform(math.sqrt(5)) if parameter is weight and isinstance(self, LINEAR) else Uniform(1 / math.sqrt(inputs))
            put_initial(parameter, start)


def reset_running_stats(self):
    """Let the running mean and variance start again, at zero and one."""
    for name, parameter in self.parameters_and_names():
        if name.rpartition(".")[2] in STATISTICS:
            put_initial(parameter, One() if name.rpartition(".")[2] in ONES else Zero())


def resetting(make):
    """A layer's `__init__` that ends, as torch's do, with a subclass's own `reset_parameters`."""

    @wraps(make)
    def make_and_reset(self, *args, **kwargs):
        make(self, *args, **kwargs)
        if isinstance(self, nn.PReLU):
            self.first_slopes = self.w.value().copy()
        if not getattr(type(self).reset_parameters, "given", False):
            self.reset_parameters()

    return make_and_reset


def teach_layers():
    """Give MindSpore's classes the method, once a process: another converted project may have done so."""
    reset_parameters.given = True
    for cls in NORMALISING:
        if not hasattr(cls, "reset_running_stats") and cls not in (nn.LayerNorm, nn.GroupNorm):
            cls.reset_running_stats = reset_running_stats
    for cls in (*LINEAR, *NORMALISING, *RECURRENT, nn.BiDense, nn.Embedding, nn.PReLU):
        if not getattr(vars(cls).get("reset_parameters"), "given", False):
            cls.reset_parameters = reset_parameters
            cls.__init__ = resetting(cls.__init__)
    return True


LAYERS_CAN_BE_RESET = teach_layers()
