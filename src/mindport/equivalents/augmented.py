"""``x += y`` where only the run shows what x is: a tensor changes where it stands, for all who hold it; a number or a text makes a new one."""

import operator

from mindspore import Tensor

from mindport.equivalents.inplace import overwrite_computed


def changed_in_place(name, x, value):
    """What ``x += value`` leaves under the name x, `name` being "add", "mul", "and" …"""
    if isinstance(x, Tensor):
        return overwrite_computed(x, getattr(operator, f"__{name}__")(x.copy(), value))
    return getattr(operator, f"__i{name}__")(x, value)
