"""``x += y`` where only the run shows what x is: a tensor changes where it stands, for all who hold it; a number or a text makes a new one."""

import operator

from mindspore import Tensor

from mindport.equivalents.inplace import overwrite


def changed_in_place(name, x, value):
    """What ``x += value`` leaves under the name x, for the operator that the module `operator` calls `name` ("add", "mul" …)."""
    if isinstance(x, Tensor):
        return overwrite(x, getattr(operator, name)(x.copy(), value))
    return getattr(operator, "i" + name.rstrip("_"))(x, value)
