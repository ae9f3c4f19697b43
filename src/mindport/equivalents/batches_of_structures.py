"""`torch.vmap` of functions that take dicts or lists of tensors: each member of the batch alone.

MindSpore compiles what `ms.vmap` maps, and cannot compile a call with a dict of parameters (per-sample gradients,
ensembles of models). The members are computed one after the other, so random numbers and side effects are each member's own.
"""

import functools
import inspect
from types import FunctionType

import mindspore as ms
from mindspore import ops
from mindspore.nn.cell import _pynative_executor

from mindport.declare import Refused, equivalent
from mindport.equivalents.nested_derivatives import running
from mindport.equivalents.nested_structures import tree_flatten, tree_unflatten


def member(value, axis, place):
    """What one member of the batch gets of an argument: a tensor, or a structure of tensors with one axis for all."""
    if axis is None:
        return value
    leaves, spec = tree_flatten(value)
    return tree_unflatten([leaf.select(axis, place) if isinstance(leaf, ms.Tensor) else leaf for leaf in leaves], spec)


def batch_size(args, axes):
    """How many members the arguments hold."""
    for value, axis in zip(args, axes):
        for leaf in tree_flatten(value)[0] if axis is not None else ():
            if isinstance(leaf, ms.Tensor):
                return leaf.shape[axis]
    raise ValueError("vmap: no argument has a batch axis")


def together(results, out_dims):
    """The members' results as one structure of tensors with a batch axis."""
    if isinstance(results[0], tuple):
        dims = out_dims if isinstance(out_dims, tuple) else (out_dims,) * len(results[0])
        return tuple(together(list(parts), axis) for parts, axis in zip(zip(*results), dims))
    flat = [tree_flatten(result) for result in results]
    return tree_unflatten([ops.stack(parts, axis=out_dims) for parts in zip(*(leaves for leaves, _ in flat))], flat[0][1])


@equivalent(
    "torch.vmap_of_structures", "torch.func.vmap_of_structures", drops={"chunk_size": "the members are computed one after the other"},
)  # fmt: skip
def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """`func` over a batch axis of its arguments, which may be dicts and lists of tensors."""
    if randomness != "error":
        raise Refused("randomness= is not supported: draw random numbers outside of the function")
    compiled = vmap_of_closures(func, in_dims, out_dims)

    def over_batch(*args):
        if isinstance(func, FunctionType) and all(isinstance(value, ms.Tensor) for value in args):
            return compiled(*args)
        axes = tuple(in_dims) if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        if any(not isinstance(axis, (int, type(None))) for axis in axes):
            raise NotImplementedError("vmap: one axis for all tensors of an argument")
        return together([func(*(member(value, axis, k) for value, axis in zip(args, axes))) for k in range(batch_size(args, axes))], out_dims)

    return over_batch


@equivalent(
    "torch.vmap_of_derivatives", "torch.func.vmap_of_derivatives", drops={"chunk_size": "the members are computed one after the other"},
)  # fmt: skip
def vmap_of_derivatives(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """`func`, which takes derivatives by tensors from around it, over a batch axis of its arguments.

    What `ms.vmap` compiles of ``grad(f)(w, x)`` loses the gradient by a `w` that is no argument: it gives ``()`` or other numbers.
    """
    if randomness != "error":
        raise Refused("randomness= is not supported: draw random numbers outside of the function")

    def over_batch(*args):
        axes = tuple(in_dims) if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        return together([func(*(member(value, axis, k) for value, axis in zip(args, axes))) for k in range(batch_size(args, axes))], out_dims)

    return over_batch


def reads_tensors(func):
    """Whether a function reads tensors from around it, or a function that it reads there does; parameters are none, whose gradients MindSpore's compiler follows."""
    waiting, seen = [getattr(func, "__func__", func)], set()
    while waiting:
        one = waiting.pop()
        if not isinstance(one, FunctionType) or one in seen:
            continue
        seen.add(one)
        around = inspect.getclosurevars(one)
        for value in (*around.nonlocals.values(), *around.globals.values()):
            waiting.append(value)
            if any(isinstance(leaf, ms.Tensor) and not isinstance(leaf, ms.Parameter) for leaf in tree_flatten(value)[0]):
                return True
    return False


@equivalent("torch.vmap_of_closures", "torch.func.vmap_of_closures", drops={"chunk_size": "the whole batch is computed at once, or the members one after the other"})
def vmap_of_closures(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """`func`, which may read tensors from around it, over a batch axis of its arguments.

    What `ms.vmap` compiles takes such a tensor for a constant: its gradient is 0, or it has none, without an error.
    So where gradients are recorded the members are computed one after the other.
    """
    if randomness != "error":
        raise Refused("randomness= is not supported: draw random numbers outside of the function")
    compiled, by_members = vmap_of_state(func, in_dims, out_dims), vmap_of_derivatives(func, in_dims, out_dims)

    def over_batch(*args):
        if not running():  # in a graph such a tensor is a part of it
            return ms.vmap(func, in_axes=in_dims, out_axes=out_dims)(*args)
        plain = all(isinstance(value, ms.Tensor) for value in args)  # of a dict's tensors the same is true
        return compiled(*args) if plain and not (_pynative_executor.enable_grad() and reads_tensors(func)) else by_members(*args)

    return over_batch


@equivalent("torch.vmap_of_state", "torch.func.vmap_of_state", drops={"chunk_size": "the whole batch is computed at once"})
def vmap_of_state(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """`func`, which reads what changes between its calls or draws by NumPy, over a batch axis of its arguments.

    A function that `ms.vmap` has compiled goes on with the numbers that it found first, without an error: it is compiled for each call.
    """
    if randomness != "error":
        raise Refused("randomness= is not supported: draw random numbers outside of the function")

    def over_batch(*args):
        def anew(*given):
            return func(*given)

        return ms.vmap(anew, in_axes=in_dims, out_axes=out_dims)(*args)

    return over_batch


@equivalent("torch.vmap_of_partials", "torch.func.vmap_of_partials", drops={"chunk_size": "the whole batch is computed at once, or the members one after the other"})
def vmap_of_partials(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """`func`, to which `functools.partial` or the call binds arguments that are the same for all members, over a batch axis of its others. MindSpore's compiler takes functions alone."""
    if randomness != "error":
        raise Refused("randomness= is not supported: draw random numbers outside of the function")

    def over_batch(*args, **kwargs):
        bound = functools.partial(func, **kwargs)
        inner, first, named = bound.func, bound.args, bound.keywords

        def unbound(*given):
            return inner(*first, *given, **named)

        return vmap_of_closures(unbound, in_dims, out_dims)(*args)

    return over_batch
