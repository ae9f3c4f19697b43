"""`torch.func.grad` by the tensors of a dictionary or list inside of what is differentiated itself: meta learning without an optimizer.

No graph calls a module with a dictionary's tensors, nor differentiates a derivative of a function of ``*tensors``; operator by operator a derivative of a
derivative loses terms.
So the inner one is an operation of its own, whose backward pass is compiled (`tape_derivatives`), and the outer one goes operator by operator.
https://docs.pytorch.org/docs/2.13/generated/torch.func.grad.html
"""

import mindspore as ms
from mindspore.nn.cell import _pynative_executor

from mindport.declare import equivalent
from mindport.equivalents.derivatives_inside import operation, own_code
from mindport.equivalents.function_transforms import grad, grad_and_value, gradients, tensors_inside
from mindport.equivalents.graph_constants import Constants
from mindport.equivalents.nested_derivatives import UNDER_WAY, AskedInside, running
from mindport.equivalents.nested_structures import tree_flatten
from mindport.equivalents.reached_code import Reached


class Failed:
    """What does not compile as an operation, by its code."""

    codes = set()


def recorded(func, argnums, args, plain):
    """A derivative while operators are recorded: one inside of a derivative, of a step, or of a tape that is gone back through."""
    code, is_inside = own_code(func), bool(UNDER_WAY or getattr(ms.Tensor, "differentiated_", 0))
    if not is_inside and (code in Failed.codes or not hangs_on_leaves(func, args)):
        return plain(*args)
    try:
        return operation(func, argnums, args)
    except (RuntimeError, NotImplementedError, TypeError, ValueError):
        if UNDER_WAY:  # the outermost derivative compiles the whole
            raise AskedInside from None
        if is_inside:
            raise
        Failed.codes.add(code)
        return plain(*args)


def hangs_on_leaves(func, args):
    """Whether a gradient may go on to tensors that a function is handed, or to parameters that it reads."""
    if any(isinstance(leaf, ms.Tensor) and leaf._requires_grad for leaf in tree_flatten(args)[0]):
        return True
    reached = Reached(func)
    return any(parameter.requires_grad for parameter in Constants(func, args, reached.places.values(), reached.names).parameters)


def first(func):
    """The function's first result."""

    def value_alone(*args):
        return func(*args)[0]

    return value_alone


def while_recorded(func, plain, inside):
    """The derivative `plain` of a function, and `inside` where operators are recorded for a gradient."""

    def run(*args):
        return inside(*args) if _pynative_executor._executor.requires_grad() else plain(*args)

    def of_rows(*args):
        if running():  # a graph reads all of a function's text
            return run(*args)
        return plain(*args)

    of_rows.derivative_of = func
    return of_rows


@equivalent("torch.func.grad_of_rows")
def grad_of_rows(func, argnums=0, has_aux=False):
    """The function that gives the gradient of `func` in its arguments `argnums`, which may be dicts or lists of tensors; inside of another derivative, too."""
    plain = grad(func, argnums, has_aux)

    def inside(*args):
        if has_aux:
            return recorded(first(func), argnums, args, grad(first(func), argnums)), func(*args)[1]
        return recorded(func, argnums, args, plain)

    of_rows = while_recorded(func, plain, inside)
    of_rows.is_gradient = argnums == 0 and not has_aux
    return of_rows


@equivalent("torch.func.grad_and_value_of_rows")
def grad_and_value_of_rows(func, argnums=0, has_aux=False):
    """The function that gives the gradient and the value of `func`; with `has_aux` the value comes with the auxiliary result."""

    def inside(*args):
        of_value = first(func) if has_aux else func
        return recorded(of_value, argnums, args, grad(of_value, argnums)), func(*args)

    return while_recorded(func, grad_and_value(func, argnums, has_aux), inside)


@equivalent("torch.func.jvp_of_rows", drops={"strict": "an output that does not depend on an input has tangents of zeros, as with strict=False"})
def jvp_of_rows(func, primals, tangents, *, strict=False, has_aux=False):
    """The gradient of a function by one dictionary or list of tensors, and its Hessian times the tangents: backwards, for a Hessian is symmetric."""
    if not getattr(func, "is_gradient", False) or has_aux or len(primals) != 1:
        raise NotImplementedError("jvp by a dictionary or list is there of a gradient alone, jvp(grad(f), (params,), (v,))")
    of_leaves, leaves, placed = tensors_inside(func, 0, primals)
    starts = tree_flatten(tangents[0])[0]

    def product(*tensors):
        return sum((slope * start).sum() for slope, start in zip(tree_flatten(of_leaves(*tensors))[0], starts))

    return func(*primals), placed(gradients(product, tuple(range(len(leaves))), leaves))
