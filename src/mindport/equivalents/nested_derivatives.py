"""Derivatives of functions that take derivatives themselves (`grad(lambda w: loss(w - 0.1 * grad(inner)(w)))`, MAML): compiled as a whole.

Run operator by operator, `ms.grad` inside of `ms.grad` loses terms without a word (sums, means, products of matrices; 2.10.0). What is compiled is right.
So the outermost derivative runs its function first; where that asks for another derivative, it is compiled instead, for each call:
what is compiled goes on with what it found around it.
"""

import mindspore as ms
from mindspore.ops import PrimitiveWithInfer


class Running(PrimitiveWithInfer):
    """Whether operators run one by one: in what is compiled a constant, which leaves the other branch out."""

    def __init__(self):
        super().__init__("Running")
        self.set_const_prim(True)

    def __infer__(self):
        return {"dtype": None, "shape": None, "value": False}

    def __call__(self):
        return True


running = Running()

NOT_COMPILED = (
    "a derivative of a function that takes a derivative itself is right only where it is compiled, and MindSpore's compiler does not take this function:"
    " write it over tensors (no dicts, no lists of parameters), or go back through a loss with create_graph=True"
)

#: The derivatives whose functions run now.
UNDER_WAY = []


class AskedInside(BaseException):
    """A derivative is asked for inside of a function that is being differentiated; no `except Exception` of a project's takes it."""


def not_inside():
    """Tell the outermost derivative, if there is one."""
    if UNDER_WAY:
        raise AskedInside


def outermost(derivative, func, args, instead):
    """`derivative(func)(*args)`. Where `func` asks for a derivative, a run gives `instead()` and is not used: an exception would leave MindSpore's recording open."""
    not_inside()
    asked = []

    def tried(*given):
        try:
            return func(*given)
        except AskedInside:
            asked.append(True)
            return instead(*given)

    UNDER_WAY.append(derivative)
    try:
        found = derivative(tried)(*args)
    finally:
        UNDER_WAY.pop()
    if not asked:
        return found

    def whole(*given):
        return derivative(func)(*given)

    try:
        return ms.jit(whole)(*args)
    except (TypeError, ValueError, RuntimeError, AttributeError, NotImplementedError, SyntaxError) as error:
        raise NotImplementedError(NOT_COMPILED) from error
