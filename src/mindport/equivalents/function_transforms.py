"""torch.func and torch.autograd.functional: derivatives of functions, and functions over batches.

MindSpore compiles the functions given to vmap, jvp, jacrev and jacfwd, so they are read from a source file: a function typed at a
prompt cannot be compiled. https://docs.pytorch.org/docs/2.13/func.api.html
"""

import mindspore as ms

from mindport.declare import Refused, equivalent
from mindport.equivalents.constant_results import CONSTANTS, given
from mindport.equivalents.nested_derivatives import not_inside, outermost, running
from mindport.equivalents.nested_structures import tree_flatten, tree_unflatten
from mindport.equivalents.tensors_around import refuse_wanting
from mindport.equivalents.unit_vectors import UNIT_VECTORS_IN_DTYPES  # noqa: F401  (for evidence; converted projects have it set by convert/rewrites/mapped_products.py)

SPEED = "how the Jacobian is computed changes no value"

#: Up to so many elements of a result are differentiated one by one inside of compiled code.
FEW = 16
#: A Jacobian with so many times more rows than columns is computed column by column.
MANY = 8


def alone(aux):
    """The one auxiliary value, which MindSpore gives in a tuple."""
    return aux[0] if isinstance(aux, tuple) and len(aux) == 1 else aux


def tensors_inside(func, argnums, args):
    """`func` as a function of the tensors in its chosen arguments (dicts, lists), these tensors, and what puts results in their places.

    MindSpore's gradients of a dict are a tuple. It also adds up what a tensor gets in all its places, so each place gets a tensor of its own.
    """
    chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    leaves, spec = tree_flatten([args[place] for place in chosen])

    def plain(*tensors):
        given = list(args)
        for place, value in zip(chosen, tree_unflatten(tensors, spec)):
            given[place] = value
        return func(*given)

    def placed(found):
        values = tuple(tree_unflatten(found if isinstance(found, tuple) else (found,), spec))
        return values[0] if isinstance(argnums, int) else values

    return plain, [leaf.reshape(leaf.shape) for leaf in leaves], placed


def apart(argnums, args):
    """The arguments, the chosen ones as tensors of their own.

    MindSpore adds up what a tensor gets in all its places, as another argument and inside the function, too.
    """
    return [value.reshape(value.shape) if place in argnums or place - len(args) in argnums else value for place, value in enumerate(args)]


def scalar_of(place, with_aux):
    """What stands for a result where a run is not used: a sum that hangs on the argument."""

    def instead(*given):
        value = given[place].sum()
        return (value, value) if with_aux else value

    return instead


def gradients(func, places, args, has_aux=False):
    """`ms.grad`, also of functions that take derivatives."""
    if not running():
        return ms.grad(func, places, has_aux=has_aux)(*args)

    def derivative(function):
        return ms.grad(function, places, has_aux=has_aux)

    return outermost(derivative, func, args, scalar_of(places if isinstance(places, int) else places[0], has_aux))


def values_and_gradients(func, places, args, has_aux=False):
    """`ms.value_and_grad`, also of functions that take derivatives."""
    if not running():
        return ms.value_and_grad(func, places, has_aux=has_aux)(*args)

    def derivative(function):
        return ms.value_and_grad(function, places, has_aux=has_aux)

    return outermost(derivative, func, args, scalar_of(places if isinstance(places, int) else places[0], has_aux))


@equivalent("torch.func.grad")
def grad(func, argnums=0, has_aux=False):
    """The function that gives the gradient of `func` in its arguments `argnums`, which may be dicts or lists of tensors."""

    def with_aux(*args):
        plain, leaves, placed = tensors_inside(func, argnums, args)
        found, aux = gradients(plain, tuple(range(len(leaves))), leaves, has_aux=True)
        return placed(found), alone(aux)

    def of_several(*args):
        if isinstance(args[argnums[0]], ms.Tensor):
            return gradients(func, argnums, apart(argnums, args))
        plain, leaves, placed = tensors_inside(func, argnums, args)
        return placed(gradients(plain, tuple(range(len(leaves))), leaves))

    def of_one(*args):  # ms.vmap compiles this: what is first in each function has to be something that it can compile
        if isinstance(args[argnums], ms.Tensor):
            given, before, behind = args[argnums], args[:argnums], () if argnums == -1 else args[argnums + 1 :]
            variable = given.reshape(given.shape) if running() else ms.mutable(given)  # compiled code has no derivative by a constant
            if len(args) == 1:
                return gradients(func, 0, (variable,))

            def alone(own):  # MindSpore does not differentiate a derivative that takes several as *args
                return func(*before, own, *behind)

            return gradients(alone, 0, (variable,))
        plain, leaves, placed = tensors_inside(func, argnums, args)
        return placed(gradients(plain, tuple(range(len(leaves))), leaves))

    if has_aux:
        return with_aux
    return of_one if isinstance(argnums, int) else of_several


@equivalent("torch.func.grad_and_value")
def grad_and_value(func, argnums=0, has_aux=False):
    """The function that gives the gradient and the value of `func`; with `has_aux` the value comes with the auxiliary result."""

    def of_containers(*args):
        plain, leaves, placed = tensors_inside(func, argnums, args)
        value, found = values_and_gradients(plain, tuple(range(len(leaves))), leaves, has_aux=has_aux)
        return placed(found), tuple(value) if has_aux else value

    def of_one(*args):
        if isinstance(args[argnums], ms.Tensor):
            own = args[argnums]
            value, found = values_and_gradients(func, argnums, (*args[:argnums], own.reshape(own.shape), *args[argnums + 1 :]))
            return found, value
        return of_containers(*args)

    return of_one if isinstance(argnums, int) and argnums >= 0 and not has_aux else of_containers


@equivalent("torch.func.vjp")
def vjp(func, *primals, has_aux=False):
    """The result of `func` and the function that multiplies a cotangent with its Jacobian.

    `ms.vjp` forgets the first function when it is called for a second one; here `func` runs again for each cotangent.
    """
    if running():  # a graph reads all of a function's text
        if not are_tensors(primals):
            return vjp_of_parts(func, primals, has_aux)
    result = func(*primals)

    def value(*args):
        return func(*args)[0] if has_aux else func(*args)

    def pull(*cotangents):
        sent = cotangents[0] if len(cotangents) == 1 else cotangents

        def derivative(function):
            return ms.ops.GradOperation(get_all=True, sens_param=True)(function)

        if not running():
            return tuple(derivative(value)(*apart(range(len(primals)), primals), sent))
        return tuple(outermost(derivative, value, (*apart(range(len(primals)), primals), sent), lambda *given: sent))

    return (result[0], pull, result[1]) if has_aux else (result, pull)


def are_tensors(primals):
    """Whether a function's arguments are tensors alone."""
    return all(isinstance(primal, ms.Tensor) for primal in primals)


def vjp_of_parts(func, primals, has_aux):
    """`vjp` by dicts and lists of tensors, whose products have the same places."""
    plain, leaves, placed = tensors_inside(func, tuple(range(len(primals))), primals)
    found = vjp(plain, *leaves, has_aux=has_aux)

    def pull(*cotangents):
        return placed(found[1](*cotangents))

    return (found[0], pull, found[2]) if has_aux else (found[0], pull)


@equivalent("torch.func.jvp", drops={"strict": "an output that does not depend on the input has tangents of zeros, as with strict=False"})
def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """The result of `func` and its Jacobian times the tangents."""
    if running():
        compiled_alone(func)
    if len(primals) == 1:
        found = ms.jvp(func, primals[0], tangents[0], has_aux)
    else:
        found = ms.jvp(func, tuple(primals), tuple(tangents), has_aux)
    if not has_aux:
        return found
    return found[0], found[1], alone(found[2])


def of_parts(func, argnums, args):
    """The Jacobian by the tensors of dicts and lists, row by row."""
    plain, leaves, placed = tensors_inside(func, argnums, args)
    found, places = func(*args), tuple(range(len(leaves)))

    def row(element):
        slopes = gradients(lambda *tensors: plain(*tensors).reshape(-1)[element], places, leaves)
        return slopes if isinstance(slopes, tuple) else (slopes,)

    rows = [row(element) for element in range(found.size)]
    return placed(tuple([ms.ops.stack(parts).reshape(found.shape + leaf.shape) for parts, leaf in zip(zip(*rows), leaves)]))


def compiled_alone(func):
    """Before MindSpore compiles a derivative for itself, which has no gradient by what its function reads from around it: an outer derivative is told to compile the whole, a step's gradient is refused."""
    not_inside()
    if not CONSTANTS:
        refuse_wanting(func)


def guarded(derivative, func):
    """A derivative of MindSpore's, asked before where operators run one by one."""

    def called(*args):
        if not running():
            return derivative(*args)
        return checked(derivative, func, args)

    return called


def checked(derivative, func, args):
    """What a derivative gives that compiles alone."""
    compiled_alone(func)
    return derivative(*args)


def tried(jacobian, func, argnums, args):
    """What `ms.jacrev` gives; row by row where it takes no function or argument of this kind, or maps no operator of the function (products of all elements, maxima)."""
    compiled_alone(func)
    chosen = (args[argnums],) if isinstance(argnums, int) else tuple([args[place] for place in argnums])
    if not all(isinstance(one, ms.Tensor) for one in chosen):
        return of_parts(func, argnums, args)
    try:
        return jacobian(*args)
    except (TypeError, ValueError, RuntimeError):  # of the function itself, too: it raises them again
        return of_parts(func, argnums, args)


def by_elements(func, argnums, args, shape, size):
    """The Jacobian, element by element of the result: what MindSpore's compiler takes inside of what it maps over a batch, where it does not take its own Jacobian of a derivative. The result's shape and size are given, for where the result itself is, MindSpore loses a parameter's memory."""
    rows = ()
    if isinstance(argnums, int):
        before, behind = args[:argnums], () if argnums == -1 else args[argnums + 1 :]
        for place in range(size):

            def element_alone(own):  # of one argument: MindSpore does not differentiate a derivative that takes several as *args
                return func(*before, own, *behind).reshape(-1)[place]  # noqa: B023  (called in this turn)

            rows += (ms.grad(element_alone)(ms.mutable(args[argnums])),)  # compiled code has no derivative by a constant
        return ms.ops.stack(rows).reshape(shape + args[argnums].shape)
    for place in range(size):

        def element(*given):
            return func(*given).reshape(-1)[place]  # noqa: B023  (called in this turn)

        rows += (ms.grad(element, argnums)(*args),)
    return tuple([ms.ops.stack([row[i] for row in rows]).reshape(shape + args[argnums[i]].shape) for i in range(len(argnums))])


def row_by_row(func, argnums=0):
    """The function that gives the Jacobian of `func` backwards: `ms.jacrev`, and inside of compiled code element by element, if they are few."""
    jacobian = ms.jacrev(func, grad_position=argnums) if running() else None  # one that compiled code makes and does not use ends in an error of MindSpore's

    def called(*args):
        if not running():
            found = func(*args)
            if isinstance(found, ms.Tensor) and found.size <= FEW:
                return by_elements(func, argnums, args, found.shape, found.size)
            return ms.jacrev(func, grad_position=argnums)(*args)
        return tried(jacobian, func, argnums, args)

    return called


def column_by_column(func, argnums=0):
    """The Jacobian by `ms.jacfwd`, where it has many more rows than columns. MindSpore differentiates twice for it, which not every operator stands; row by row the numbers are the same."""
    forwards = ms.jacfwd(func, grad_position=argnums) if running() else None
    backwards = row_by_row(func, argnums)

    def called(*args):
        found, chosen = func(*args), args[argnums] if isinstance(argnums, int) else args[argnums[0]]
        if isinstance(found, ms.Tensor) and found.size <= MANY * chosen.size:
            return backwards(*args)
        if not running():
            return ms.jacfwd(func, grad_position=argnums)(*args)
        return checked(forwards, func, args)

    return called


@equivalent("torch.func.jacrev", drops={"chunk_size": SPEED, "_preallocate_and_copy": SPEED})
def jacrev(func, argnums=0, has_aux=False, *, chunk_size=None, _preallocate_and_copy=False):
    """The function that gives the Jacobian of `func`, row by row backwards; with `has_aux`, and the auxiliary result."""
    if has_aux:
        return guarded(ms.jacrev(func, grad_position=argnums, has_aux=True), func)
    return row_by_row(func, argnums)


@equivalent("torch.func.jacfwd")
def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """The function that gives the Jacobian of `func`, column by column forwards; with `has_aux`, and the auxiliary result."""
    if randomness != "error":
        raise Refused("randomness= is not supported: draw random numbers outside of the function")
    if has_aux:
        return guarded(ms.jacfwd(func, grad_position=argnums, has_aux=True), func)
    return column_by_column(func, argnums)


@equivalent("torch.vmap", "torch.func.vmap", drops={"chunk_size": "the whole batch is computed at once"})
def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """`func` over a batch axis of its arguments."""
    if randomness != "error":
        raise Refused("randomness= is not supported: draw random numbers outside of the function")
    return ms.vmap(func, in_axes=in_dims, out_axes=out_dims)


def places(inputs):
    """The positions of several inputs, 0 for one tensor."""
    return 0 if isinstance(inputs, ms.Tensor) else tuple(range(len(inputs)))


def spread(inputs):
    """The inputs as arguments."""
    return (inputs,) if isinstance(inputs, ms.Tensor) else tuple(inputs)


@equivalent("torch.autograd.functional.jacobian", drops={"vectorize": SPEED, "strategy": SPEED})
def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The Jacobian of `func` at one tensor or several."""
    if strict:
        raise Refused("strict=True is not supported: an output that does not depend on an input has zeros")
    return given(create_graph, row_by_row(func, places(inputs)), spread(inputs))


@equivalent("torch.autograd.functional.vjp")
def functional_vjp(func, inputs, v=None, create_graph=False, strict=False):
    """The result of `func` and `v` times its Jacobian; `v` may be left out for a result of one element."""
    if strict:
        raise Refused("strict=True is not supported: an output that does not depend on an input has zeros")

    def pulled(*args):
        result, pull = vjp(func, *args)
        found = pull(ms.ops.ones_like(result) if v is None else v)
        return result, found[0] if isinstance(inputs, ms.Tensor) else tuple(found)

    return given(create_graph, pulled, spread(inputs))


@equivalent("torch.autograd.functional.jvp")
def functional_jvp(func, inputs, v=None, create_graph=False, strict=False):
    """The result of `func` and its Jacobian times `v`; `v` may be left out for an input of one element."""
    if strict:
        raise Refused("strict=True is not supported: an output that does not depend on an input has zeros")
    tangents = spread(ms.ops.ones_like(inputs) if v is None else v)

    def pushed(*args):
        return jvp(func, args, tangents)

    return given(create_graph, pushed, spread(inputs))
