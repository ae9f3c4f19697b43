"""``p.data = value``: the parameter stands on other memory from now on, and who holds the old one keeps it.

Averages that stand in for an evaluation rely on that: ``backup[name] = p.data; p.data = average[name]``. A copy into the
parameter would change the backup, too. Both share the value's memory afterwards. Compiled steps know the old memory
alone and would go on with it, so in graph mode the values are copied there all the same, which is said.
"""

import warnings

import mindspore as ms
from mindspore import Parameter, Tensor

from mindport.declare import Refused
from mindport.equivalents.inplace import overwrite


def data_of(holder):
    """What ``x.data[i] = v`` stores into: a tensor itself, and what any other object holds under the name."""
    return holder if isinstance(holder, Tensor) else holder.data


def take_values(tensor, value):
    """``x.data = value`` of a tensor that is no parameter of a module: its memory holds the values from now on, for all who share it.

    Raises Refused for values of another shape or dtype, which torch's tensor would have afterwards.
    """
    if not isinstance(tensor, Tensor):  # any other object, which has the attribute
        tensor.data = value
        return value
    if tensor.shape != value.shape or tensor.dtype != value.dtype:
        raise Refused(f"`.data = value` of another shape or dtype ({value.shape}, {value.dtype}; not {tensor.shape}, {tensor.dtype}): give the name the new tensor")
    return overwrite(tensor, value)


def give_memory(tensor, value, apart=False):
    """Gives a parameter the memory of `value`, or of a copy; another tensor is written to.

    Raises Refused for values of another shape: operators may go on with the one that they saw before.
    """
    if not isinstance(tensor, Parameter):
        overwrite(tensor, value)
        return
    if ms.get_context("mode") == ms.GRAPH_MODE:
        warnings.warn("in graph mode `p.data = value` copies: what holds the parameter's old values by `.data` without a copy has the new ones", stacklevel=2)
        overwrite(tensor, value)
        return
    if tensor.shape != value.shape:
        raise Refused(f"`.data = value` of another shape ({value.shape}, not {tensor.shape}): put a new Parameter into the layer")
    if tensor.dtype != value.dtype:
        tensor.set_dtype(value.dtype)
    tensor.set_data(Tensor.copy(value) if apart else value)
