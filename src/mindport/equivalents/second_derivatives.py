"""Second derivatives: Hessians by one tensor or several, and their products with vectors.

By several tensors the function is differentiated by one vector that holds them all, whose parts are the blocks.
https://docs.pytorch.org/docs/2.13/generated/torch.autograd.functional.hessian.html
"""

import mindspore as ms

from mindport.declare import Refused, equivalent
from mindport.equivalents.function_transforms import GRAPH, SPEED, row_by_row


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


@equivalent("torch.autograd.functional.hessian", drops={"create_graph": GRAPH, "vectorize": SPEED, "outer_jacobian_strategy": SPEED})
def functional_hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The second derivatives of a function with one result, at one tensor or several (a tuple of tuples)."""
    if strict:
        raise Refused("strict=True is not supported: an output that does not depend on an input has zeros")
    return row_by_row(row_by_row(func))(inputs) if isinstance(inputs, ms.Tensor) else second_derivatives(func, inputs)


@equivalent("torch.autograd.functional.hvp", "torch.autograd.functional.vhp", drops={"create_graph": GRAPH})
def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The result of `func`, which has one element, and its second derivatives times `v`, at one tensor or several."""
    if strict:
        raise Refused("strict=True is not supported: an output that does not depend on an input has zeros")
    if not isinstance(inputs, ms.Tensor):
        of_vector, vector, parts = joined(func, inputs)
        value, products = hvp(of_vector, vector, v if v is None else ms.ops.cat([part.reshape(-1) for part in v]))
        return value, tuple([products[start:stop].reshape(shape) for start, stop, shape in parts])
    tangent = ms.ops.ones_like(inputs) if v is None else v
    gradient = row_by_row(func)

    def slope(given):
        return (gradient(given) * tangent).sum()

    return func(inputs), row_by_row(slope)(inputs)
