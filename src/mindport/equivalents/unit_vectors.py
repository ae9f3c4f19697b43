"""The unit vectors by which `ms.jacrev` and `ms.jacfwd` take Jacobians, in the dtype that they meet: MindSpore makes them in float32 alone, and its
compiler takes no float64 beside them.

They are put where MindSpore's own stand (`mindspore.ops.function.grad.grad_func`: not documented).
"""

from mindspore import Tensor
from mindspore.ops.function.grad import grad_func

OF_RESULTS = grad_func._jacrev_construct_v
OF_ARGUMENTS = grad_func._jacfwd_construct_v


def in_dtypes(steps, values):
    """The vectors, each in its value's dtype."""
    if isinstance(steps, Tensor):
        return steps.astype(values[0].dtype)
    return tuple([step.astype(value.dtype) for step, value in zip(steps, values)])


def of_results(inputs, outputs, has_aux=False):
    """The arguments, repeated; the results' unit vectors; the results' shapes."""
    primals, steps, shapes = OF_RESULTS(inputs, outputs, has_aux)
    return primals, in_dtypes(steps, (outputs,) if isinstance(outputs, Tensor) else outputs), shapes


def of_arguments(inputs, grad_position):
    """The arguments, repeated; their unit vectors; their shapes."""
    primals, steps, shapes = OF_ARGUMENTS(inputs, grad_position)
    return primals, in_dtypes(steps, inputs), shapes


def register():
    """Puts the functions where MindSpore calls them, once in a process."""
    if OF_RESULTS.__module__ == grad_func.__name__:
        grad_func._jacrev_construct_v, grad_func._jacfwd_construct_v = of_results, of_arguments
    return True


UNIT_VECTORS_IN_DTYPES = register()
