"""A weight that a cell computes from other tensors of its own, as torch's older functions and prunings do before each call.

The cell's class becomes a subclass with a property in the weight's place. An attribute that a hook sets would do one by one,
but a graph takes the tensor that stands there for constant: no gradient would reach what it is computed from.
"""

from mindspore import Parameter, ops

from mindport.layers.parametrization import own_name


class Computed:
    """How one weight is computed: `parts` are the names of what the cell keeps in its place, `before` (or None) comes before each call of the cell."""

    def __init__(self, name, parts, compute, before):
        self.name = name
        self.parts = parts
        self.compute = compute
        self.before = before


def computed_weights(cell):
    """The cell's computed weights by torch's names for them."""
    return cell.__dict__.setdefault("_computed", {})


def computing_class(cls, cell):
    """The subclass in which the cell's computed weights, by torch's names and the cell's own, are computed when they are read.

    What comes before a call is part of `construct`: a hook that assigns parameters cannot be compiled. The class has a name of
    its own because graphs look a class up by its name where a layer says super(Layer, self).
    """

    def reading(computed):
        compute = computed.compute  # a graph follows a function, and takes what an object's attribute gives for constant

        def read(self):
            return compute(self)

        def refused(self, value):
            raise AttributeError(f"a new value for {computed.name!r}, which is computed from {', '.join(computed.parts)}: set these")

        return property(read, refused)

    def construct(self, *inputs, **named):
        for step in before:
            step(self)
        return self.plain_construct(*inputs, **named)

    held = computed_weights(cell)
    before = tuple(computed.before for computed in held.values() if computed.before is not None)
    members = {attribute: reading(computed) for name, computed in held.items() for attribute in (name, own_name(cell, name))}
    if before:
        members |= {"construct": construct, "plain_construct": cls.construct}
    return type(f"Computed{cls.__name__}", (cls,), {**members, "__module__": cls.__module__, "plain_class": cls})


def show_computed(cell):
    """Give the cell the class that its computed weights ask for."""
    plain = getattr(type(cell), "plain_class", type(cell))
    cell.__class__ = computing_class(plain, cell) if computed_weights(cell) else plain


def compute_when_read(cell, name, parts, compute, before=None):
    """Compute `name` by compute(cell) from now on; the parameter of this name must be gone from the cell."""
    computed_weights(cell)[name] = Computed(name, parts, compute, before)
    show_computed(cell)


def compute_no_more(cell, name):
    """Undo `compute_when_read`, the parts aside. How it was computed is the result; raises ValueError where nothing is."""
    computed = computed_weights(cell).pop(name, None)
    if computed is None:
        raise ValueError(f"no normalisation of '{name}' found in {type(cell).__name__}")
    show_computed(cell)
    return computed


def made_parameter_again(cell, name):
    """The present value becomes the parameter, its parts go. The cell is the result."""
    computed = compute_no_more(cell, name)
    own, first = own_name(cell, name), cell._params[computed.parts[0]]
    value = ops.stop_gradient(computed.compute(cell))
    for part in computed.parts:
        cell._params.pop(part)
    cell._params[own] = Parameter(value, name=first.name[: -len(computed.parts[0])] + own)
    return cell
