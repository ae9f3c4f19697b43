"""MindSpore's initialisers on random numbers of their own.

For each parameter that they fill they draw a seed from NumPy's global stream, and recurrent layers draw their
weights themselves from it. Torch leaves it alone: after ``np.random.seed(0)`` and a new model, the program's own NumPy
numbers would be others than with torch. And a seed that leaves NumPy's stream alone, as torch's does, would not bring
the same weights back, nor give a program the same ones twice.
"""

import types

import mindspore as ms
import numpy as np
from mindspore.common import initializer as initializers
from mindspore.nn.layer import rnn_cells, rnns

STREAM = {"seed": None, "numbers": np.random.RandomState()}


def restart_initializers():
    """Initialisers begin anew with MindSpore's seed."""
    seed = ms.get_seed()
    STREAM.update(seed=seed, numbers=np.random.RandomState(seed))


def initial_numbers():
    """The stream of initial values, begun anew where MindSpore's seed has changed."""
    if ms.get_seed() != STREAM["seed"]:
        restart_initializers()
    return STREAM["numbers"]


def seed_of_values():
    """The seed of one parameter's values."""
    return initial_numbers().randint(low=1, high=1 << 63, dtype=np.int64)


class NumpyOfLayers(types.ModuleType):
    """NumPy as MindSpore's recurrent layers see it: `random` is the stream of initial values."""

    @property
    def random(self):
        return initial_numbers()

    def __getattr__(self, name):
        return getattr(np, name)


def leave_numpy_alone():
    """Give initialisers and recurrent layers the stream above. True where MindSpore's are as they are known."""
    known = hasattr(initializers, "_numpy_seed") and all(hasattr(module, "np") for module in (rnns, rnn_cells))
    if known:
        initializers._numpy_seed = seed_of_values
        rnns.np = rnn_cells.np = NumpyOfLayers("numpy")
    return known


def seed_initializers():
    """Initialisers draw from the stream above, from its beginning: after the same seed a layer has the same weights."""
    leave_numpy_alone()
    restart_initializers()


NUMPY_LEFT_ALONE = leave_numpy_alone()
