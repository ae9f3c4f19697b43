"""MindSpore's initialisers on random numbers of their own.

For each parameter that they fill they draw a seed from NumPy's global stream, which torch leaves alone: after
``np.random.seed(0)`` and a new model, the program's own NumPy numbers would be others than with torch.
"""

import mindspore as ms
import numpy as np
from mindspore.common import initializer as initializers

STREAM = {"seed": None, "numbers": np.random.RandomState()}


def restart_initializers():
    """Initialisers begin anew with MindSpore's seed."""
    seed = ms.get_seed()
    STREAM.update(seed=seed, numbers=np.random.RandomState(seed))


def seed_of_values():
    """The seed of one parameter's values."""
    if ms.get_seed() != STREAM["seed"]:
        restart_initializers()
    return STREAM["numbers"].randint(low=1, high=1 << 63, dtype=np.int64)


def leave_numpy_alone():
    """Give the initialisers the stream above. True where MindSpore's initialisers are as they are known."""
    known = hasattr(initializers, "_numpy_seed")
    if known:
        initializers._numpy_seed = seed_of_values
    return known


NUMPY_LEFT_ALONE = leave_numpy_alone()
