"""Regions that values of distributions and their parameters lie in. The equivalents of distributions check nothing against them.

`check` says of each event whether it lies inside; `event_dim` is the number of last axes of an event.
https://docs.pytorch.org/docs/2.13/distributions.html#module-torch.distributions.constraints
"""

from mindspore import ops

from mindport.declare import constant, equivalent, layer

OPEN = object()  # what a dependent constraint was not told


@layer("torch.distributions.constraints.Constraint")
class Constraint:
    """Base of all constraints."""

    is_discrete = False
    event_dim = 0

    def check(self, value):
        """Whether each event of `value` lies in the region."""
        raise NotImplementedError

    def __repr__(self):
        kept = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__}({kept})"


class Dependent(Constraint):
    """A region that depends on other values: nothing can be checked."""

    def __init__(self, *, is_discrete=OPEN, event_dim=OPEN):
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self):
        """Whether values are whole, where that was told."""
        if self._is_discrete is OPEN:
            raise NotImplementedError(".is_discrete cannot be determined statically")
        return self._is_discrete

    @property
    def event_dim(self):
        """The axes of an event, where that was told."""
        if self._event_dim is OPEN:
            raise NotImplementedError(".event_dim cannot be determined statically")
        return self._event_dim

    def __call__(self, *, is_discrete=OPEN, event_dim=OPEN):
        return Dependent(
            is_discrete=self._is_discrete if is_discrete is OPEN else is_discrete,
            event_dim=self._event_dim if event_dim is OPEN else event_dim,
        )

    def check(self, x):
        """Nobody can say."""
        raise ValueError("Cannot determine validity of dependent constraint")

    def __repr__(self):
        return "Dependent()"


@layer("torch.distributions.constraints.dependent_property")
class DependentProperty(property, Dependent):
    """A property of objects that stands for a dependent constraint on the class."""

    def __init__(self, fn=None, *, is_discrete=OPEN, event_dim=OPEN):
        property.__init__(self, fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn):
        return DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


@equivalent("torch.distributions.constraints.is_dependent")
def is_dependent(constraint):
    """Whether the region depends on other values."""
    return isinstance(constraint, Dependent)


@layer("torch.distributions.constraints.independent")
class Independent(Constraint):
    """A constraint that an event meets where all entries over its last axes do."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        if not isinstance(base_constraint, Constraint) or not isinstance(reinterpreted_batch_ndims, int) or reinterpreted_batch_ndims < 0:
            raise AssertionError(f"a constraint and a number of axes are needed, got {base_constraint} and {reinterpreted_batch_ndims}")
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def is_discrete(self):
        """The base constraint's."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):
        """The base constraint's and the axes."""
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value):
        """Whether all entries of each event lie in the region."""
        found = self.base_constraint.check(value)
        if found.ndim < self.reinterpreted_batch_ndims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.ndim}")
        return all_over(found, self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


def all_over(found, axes):
    """Whether all are true over the last axes."""
    return ops.all(found, tuple(range(-axes, 0))) if axes else found


class Parts(Constraint):
    """Base of what sets a constraint for each part of an axis."""

    @property
    def is_discrete(self):
        """Whether a part is."""
        return any(one.is_discrete for one in self.cseq)

    @property
    def event_dim(self):
        """The most axes that a part's event has."""
        return max(one.event_dim for one in self.cseq)


@layer("torch.distributions.constraints.cat")
class Cat(Parts):
    """A constraint for each of the pieces, of `lengths`, of the axis `dim`."""

    def __init__(self, cseq, dim=0, lengths=None):
        self.cseq = list(cseq)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        self.dim = dim
        if len(self.lengths) != len(self.cseq) or not all(isinstance(one, Constraint) for one in self.cseq):
            raise AssertionError("as many constraints as lengths are needed")

    def check(self, value):
        """Each piece's answers, joined."""
        found, start = [], 0
        for one, length in zip(self.cseq, self.lengths):
            found.append(one.check(value.narrow(self.dim, start, length)))
            start += length
        return ops.cat(found, self.dim)


@layer("torch.distributions.constraints.stack")
class Stack(Parts):
    """A constraint for each place of the axis `dim`."""

    def __init__(self, cseq, dim=0):
        self.cseq = list(cseq)
        self.dim = dim
        if not all(isinstance(one, Constraint) for one in self.cseq):
            raise AssertionError("constraints are needed")

    @property
    def event_dim(self):
        """The most axes that a part's event has, and `dim` where it lies among them."""
        axes = max(one.event_dim for one in self.cseq)
        return axes + 1 if self.dim + axes < 0 else axes

    def check(self, value):
        """Each place's answers, stacked."""
        return ops.stack([one.check(value.select(self.dim, i)) for i, one in enumerate(self.cseq[: value.shape[self.dim]])], self.dim)


@layer("torch.distributions.constraints.MixtureSameFamilyConstraint")
class MixtureSameFamilyConstraint(Constraint):
    """A component's constraint, for values of the mixture, which lack the components' axis."""

    def __init__(self, base_constraint):
        self.base_constraint = base_constraint

    @property
    def is_discrete(self):
        """The component's."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):
        """The component's."""
        return self.base_constraint.event_dim

    def check(self, value):
        """Whether each event lies in the regions of all components."""
        found = self.base_constraint.check(value.expand_dims(-1 - self.event_dim))
        return all_over(found, found.ndim - (value.ndim - self.event_dim))


dependent = Dependent()
constant("torch.distributions.constraints.dependent", dependent)
