"""Second derivatives: Hessians by one tensor or several, and their products with vectors.

By several tensors the function is differentiated by one vector that holds them all, whose parts are the blocks.
https://docs.pytorch.org/docs/2.13/generated/torch.autograd.functional.hessian.html
"""

import mindspore as ms

from mindport.declare import Refused, equivalent
from mindport.equivalents.constant_results import given
from mindport.equivalents.function_transforms import SPEED, row_by_row, spread


def joined(func, inputs):
    """`func` as a function of one vector that holds all the inputs, this vector, and each input's part of it."""
    if any(value.dtype != inputs[0].dtype for value in inputs):
        raise Refused("a Hessian by several tensors takes them of one dtype: cast them")
    sizes, shapes = [value.size for value in inputs], [value.shape for value in inputs]
    bounds = [sum(sizes[:i]) for i in range(len(sizes) + 1)]

    def of_vector(vector):
        parts = [vector[start:stop].reshape(shape) for start, stop, shape in zip(bounds[:-1], bounds[1:], shapes)]
        return func(*parts)

    return of_vector, ms.ops.cat([value.reshape(-1) for value in inputs]), list(zip(bounds[:-1], bounds[1:], shapes))


def second_derivatives(func, inputs):
    """The second derivatives of a function with one result by several tensors: one block for each two of them."""
    of_vector, vector, parts = joined(func, inputs)
    found = row_by_row(row_by_row(of_vector))(vector)
    found = found.reshape(vector.size, vector.size)
    return tuple([tuple([found[a:b, c:d].reshape(rows + columns) for c, d, columns in parts]) for a, b, rows in parts])


@equivalent("torch.func.hessian")
def hessian(func, argnums=0):
    """The function that gives the second derivatives of `func`; by several arguments, a tuple of tuples."""
    if isinstance(argnums, int):
        return row_by_row(row_by_row(func, argnums), argnums)

    def of_several(*args):
        def of_chosen(*chosen):
            given = list(args)
            for place, value in zip(argnums, chosen):
                given[place] = value
            return func(*given)

        return second_derivatives(of_chosen, [args[place] for place in argnums])

    return of_several


@equivalent("torch.autograd.functional.hessian", drops={"vectorize": SPEED, "outer_jacobian_strategy": SPEED})
def functional_hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The second derivatives of a function with one result, at one tensor or several (a tuple of tuples)."""
    if strict:
        raise Refused("strict=True is not supported: an output that does not depend on an input has zeros")
    if isinstance(inputs, ms.Tensor):
        return given(create_graph, row_by_row(row_by_row(func)), (inputs,))

    def of_several(*args):
        return second_derivatives(func, args)

    return given(create_graph, of_several, tuple(inputs))


@equivalent("torch.autograd.functional.hvp", "torch.autograd.functional.vhp")
def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The result of `func`, which has one element, and its second derivatives times `v`, at one tensor or several."""
    if strict:
        raise Refused("strict=True is not supported: an output that does not depend on an input has zeros")

    def both(*args):
        if len(args) == 1 and isinstance(inputs, ms.Tensor):
            return func(*args), times_vector(func, args[0], v)
        of_vector, vector, parts = joined(func, args)
        products = times_vector(of_vector, vector, v if v is None else ms.ops.cat([part.reshape(-1) for part in v]))
        return func(*args), tuple([products[start:stop].reshape(shape) for start, stop, shape in parts])

    return given(create_graph, both, spread(inputs))


def times_vector(func, at, v):
    """The second derivatives of a function of one tensor, times a tensor like it, or the sums of their rows."""
    tangent, gradient = ms.ops.ones_like(at) if v is None else v, row_by_row(func)

    def slope(own):
        return (gradient(own) * tangent).sum()

    return row_by_row(slope)(at)
