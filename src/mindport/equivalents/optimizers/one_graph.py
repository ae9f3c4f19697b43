"""Updates of many parameters as one compiled graph: an operator started from Python costs more than a small update.

An update is one function of a parameter, its state and its gradient (`change`), which computes the same operator by operator and in a
graph. Numbers are tensors in a graph, for it is compiled again for every new number. At first parameters, state and gradients are
*arguments* of the graph, which all optimizers share; where the same parameters come again, a graph of their own holds parameters and state:
handing them over takes as long as the update. Measured on MindSpore 2.10: such a graph goes on with the old data after `set_data`,
without an error, so it is used only while each of its tensors stands where it stood in memory.
"""

import itertools
from functools import lru_cache
from weakref import WeakKeyDictionary

import mindspore as ms
from mindspore import Parameter, Tensor, ops

#: Sets of parameters of a group that are compiled before each parameter is updated alone.
MOST_SETS = 8
#: Steps of the same parameters before they get a graph of their own, and graphs of its own that an optimizer gets.
STEPS_BEFORE_OWN = 3
MOST_OWN = 16
#: Sets of parameters whose steps are counted.
LARGEST = 64

EACH = ops.HyperMap()


def settle(p):
    """Gives a parameter memory of its own where it is a view: nothing that writes into it would reach it, without an error.

    So it is after ``p[...] = number``, and after `set_data` with a transposed tensor or a part of another one.
    """
    if is_view(p):
        p.set_data(p.contiguous().copy())


def is_view(tensor):
    """Whether a tensor's elements do not stand one after the other, or are a part of another tensor's memory."""
    return not tensor.is_contiguous() or tensor.storage_offset() != 0


def joins(p, grad):
    """Whether a parameter can be updated in a graph: in float32, where graphs reach their arguments."""
    return isinstance(p, Parameter) and p.dtype == ms.float32 and grad.dtype == ms.float32 and reaches()


def write_alone(target, value):
    """Writes where operators run one by one."""
    target.copy_(value)


def effective(maximize, decays, decay, p, g):
    """The gradient with its sign turned for maximisation, and weight decay as a part of it."""
    if maximize:
        g = -g
    if decays:
        g = g + p * decay
    return g


def try_descent(write, flags, numbers, p, g):
    """p -= lr * g, to try what a graph reaches."""
    write(p, p - g * numbers[0])


@lru_cache
def reaches():
    """Whether a graph changes the parameters that it is given: tried once in a process."""
    p, q = (Parameter(ops.zeros((2, 2), ms.float32), name="tried", requires_grad=False) for _ in range(2))
    rising = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32)
    for _ in range(2):
        shared(try_descent, ())(((p, q), (rising, rising)), (scalar(1.0),))
        p.set_data(p.copy())
    return (p == -2 * rising).all().item() and (q == -2 * rising).all().item()


@lru_cache(maxsize=512)
def scalar(number):
    """A number as a tensor."""
    return Tensor(number, ms.float32)


@lru_cache(maxsize=512)
def wide_scalar(number):
    """A number as a tensor of float64."""
    return Tensor(number, ms.float64)


def beside(p, numbers):
    """The numbers of a parameter's update as an operator takes them: beside float64 MindSpore rounds Python's floats to float32."""
    if p.dtype == ms.float64:
        return tuple(wide_scalar(float(number)) for number in numbers)
    return numbers


def part(change, flags):
    """One parameter's update as a part of a graph, which wants a result. What a graph decides by stands in its closure."""

    def one(numbers, *tensors):
        change(ops.assign, flags, numbers, *tensors)
        return True

    return one


COMPILATIONS = itertools.count()


def compiled(function):
    """The function as a graph, under a name of its own: MindSpore warns where one name is compiled twice."""
    function.__name__ = f"{function.__name__}_{next(COMPILATIONS)}"
    return ms.jit(function)


@lru_cache(maxsize=256)
def shared(change, flags):
    """A graph of parameters, states and gradients, each a tuple, and of numbers."""
    one = part(change, flags)

    def update_columns(columns, numbers):
        EACH(ops.partial(one, numbers), *columns)
        return True

    graph = compiled(update_columns)
    return lambda columns, numbers: graph(ms.mutable(columns), ms.mutable(numbers))


class OwnGraph:
    """A graph that holds parameters and state, and takes numbers and gradients."""

    def __init__(self, change, flags, columns, held):
        self.held, self.places = held, [tensor.data_ptr() for tensor in held]
        one = part(change, flags)

        def update_held(numbers, *gradients):
            EACH(ops.partial(one, numbers), *columns, gradients)
            return True

        self.graph = compiled(update_held)

    def __call__(self, numbers, gradients):
        self.graph(ms.mutable(numbers), *gradients)

    def holds(self):
        """Whether every tensor is still where the graph reads and writes it."""
        return [tensor.data_ptr() for tensor in self.held] == self.places


class Graphs:
    """What an optimizer has compiled: sets of parameters by their shapes, and graphs of its own."""

    def __init__(self):
        self.sets, self.steps, self.own, self.made = {}, {}, {}, 0


OF_OPTIMIZERS = WeakKeyDictionary()


def compiled_sets(optimizer, group):
    """The sets of a group's parameters that were updated together."""
    number = next(i for i, one in enumerate(optimizer.param_groups) if one is group)
    return OF_OPTIMIZERS.setdefault(optimizer, Graphs()).sets.setdefault(number, set())


def update_all(optimizer, group, change, flags, members, alone=None):
    """Changes the parameters: in one graph those that can be, the others operator by operator.

    `members` are pairs of numbers and (parameter, *state, gradient); `change(write, flags, numbers, parameter, *state,
    gradient)` writes the new values with `write(tensor, value)`. `alone` does the same where a graph cannot.
    """
    joined = {}
    for numbers, tensors in members:
        p = tensors[0]
        settle(p)
        if joins(p, tensors[-1]):
            joined.setdefault(numbers, []).append(tensors)
        else:
            (alone or change)(write_alone, flags, beside(p, numbers), *tensors)
    for numbers, together in joined.items():
        run(optimizer, group, change, flags, tuple(scalar(float(number)) for number in numbers), together)


def run(optimizer, group, change, flags, numbers, members):
    """One call for all.

    Where the parameters differ from step to step, as with layers that are dropped at random, each set would be compiled anew: after
    `MOST_SETS` sets every parameter has a call of its own.
    """
    graphs = OF_OPTIMIZERS.setdefault(optimizer, Graphs())
    # A graph of MindSpore 2.7 reads a gradient wrong that has another layout in memory than that of the first call.
    members = [(*held, grad.contiguous().copy() if is_view(grad) else grad) for *held, grad in members]
    *columns, gradients = zip(*members)
    held = [tensor for column in columns for tensor in column]
    key = change, flags, tuple(id(tensor) for tensor in held)
    own = graphs.own.get(key)
    if own is not None and own.holds():
        own(numbers, gradients)
        return
    if len(graphs.steps) > LARGEST:
        graphs.steps.clear()
    graphs.steps[key] = 0 if own is not None else graphs.steps.get(key, 0) + 1
    graphs.own.pop(key, None)
    # Parameters of one graph want names of their own; a tensor that a project puts into the state (Gaussian splatting: `state[p]["exp_avg"] = torch.cat(…)`) has none.
    named = {tensor.name for tensor in held if isinstance(tensor, Parameter)}
    if graphs.steps[key] > STEPS_BEFORE_OWN and graphs.made < MOST_OWN and len(named) == len(held):
        graphs.made += 1
        graphs.own[key] = OwnGraph(change, flags, columns, held)
        graphs.own[key](numbers, gradients)
        return
    sets, shapes = compiled_sets(optimizer, group), (change, flags, tuple(p.shape for p in columns[0]))
    if shapes in sets or len(sets) < MOST_SETS:
        sets.add(shapes)
        shared(change, flags)((*columns, gradients), numbers)
    else:
        for member in members:
            shared(change, flags)(tuple((tensor,) for tensor in member), numbers)
