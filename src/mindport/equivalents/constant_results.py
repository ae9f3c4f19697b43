"""What torch.autograd.functional gives without ``create_graph=True``: constants for whatever is differentiated around it.

MindSpore's derivatives of functions can be differentiated again, so a loss that holds a Jacobian would move parameters by it, which torch does not.
"""

import mindspore as ms

from mindport.equivalents.nested_derivatives import running

#: The derivatives that are being taken for such results: the tape goes on behind them, whatever they hang on (`recording_goes_on`).
CONSTANTS = []


def constant(found):
    """Tensors, or tuples of them, without what they were computed from."""
    if isinstance(found, ms.Tensor):
        return ms.ops.stop_gradient(found)
    return tuple([constant(part) for part in found])


def taken_apart(derivative, args):
    """Constants, where operators run one by one."""
    CONSTANTS.append(derivative)
    try:
        return constant(derivative(*args))
    finally:
        CONSTANTS.pop()


def given(create_graph, derivative, args):
    """``derivative(*args)``, which can be differentiated again if `create_graph` says so."""
    if create_graph:
        return derivative(*args)
    if running():
        return taken_apart(derivative, args)
    return constant(derivative(*args))
