"""Constraints on numbers and on the numbers of a last axis.

https://docs.pytorch.org/docs/2.13/distributions.html#module-torch.distributions.constraints
"""

from mindspore import ops

from mindport.declare import constant, layer
from mindport.equivalents.distributions_constraints import Constraint, Independent


class Boolean(Constraint):
    """0 or 1."""

    is_discrete = True

    def check(self, value):
        """Whether each is 0 or 1."""
        return ops.logical_or(value == 0, value == 1)


class OneHot(Constraint):
    """A single 1 among zeros, over the last axis."""

    is_discrete = True
    event_dim = 1

    def check(self, value):
        """Whether each last axis holds one 1 and zeros."""
        return ops.logical_and(ops.all(ops.logical_or(value == 0, value == 1), -1), value.sum(-1) == 1)


@layer("torch.distributions.constraints.integer_interval")
class IntegerInterval(Constraint):
    """Whole numbers from `lower_bound` to `upper_bound`, both included."""

    is_discrete = True

    def __init__(self, lower_bound, upper_bound):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def check(self, value):
        """Whether each is whole and inside."""
        return ops.logical_and(value % 1 == 0, ops.logical_and(self.lower_bound <= value, value <= self.upper_bound))


class IntegerGreaterThan(Constraint):
    """Whole numbers from `lower_bound` on."""

    is_discrete = True

    def __init__(self, lower_bound):
        self.lower_bound = lower_bound

    def check(self, value):
        """Whether each is whole and not below."""
        return ops.logical_and(value % 1 == 0, value >= self.lower_bound)


class Real(Constraint):
    """All numbers."""

    def check(self, value):
        """False for NaN alone."""
        return value == value


@layer("torch.distributions.constraints.greater_than")
class GreaterThan(Constraint):
    """Above `lower_bound`."""

    def __init__(self, lower_bound):
        self.lower_bound = lower_bound

    def check(self, value):
        """Whether each is above."""
        return self.lower_bound < value


@layer("torch.distributions.constraints.greater_than_eq")
class GreaterThanEq(Constraint):
    """From `lower_bound` on."""

    def __init__(self, lower_bound):
        self.lower_bound = lower_bound

    def check(self, value):
        """Whether each is not below."""
        return self.lower_bound <= value


@layer("torch.distributions.constraints.less_than")
class LessThan(Constraint):
    """Below `upper_bound`."""

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, value):
        """Whether each is below."""
        return value < self.upper_bound


@layer("torch.distributions.constraints.interval")
class Interval(Constraint):
    """From `lower_bound` to `upper_bound`, both included."""

    def __init__(self, lower_bound, upper_bound):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def check(self, value):
        """Whether each lies inside."""
        return ops.logical_and(self.lower_bound <= value, value <= self.upper_bound)


@layer("torch.distributions.constraints.half_open_interval")
class HalfOpenInterval(Constraint):
    """From `lower_bound` on, below `upper_bound`."""

    def __init__(self, lower_bound, upper_bound):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def check(self, value):
        """Whether each lies inside."""
        return ops.logical_and(self.lower_bound <= value, value < self.upper_bound)


class Simplex(Constraint):
    """Shares: not negative, one in sum over the last axis."""

    event_dim = 1

    def check(self, value):
        """Whether each last axis holds shares, the sum to 1e-6."""
        return ops.logical_and(ops.all(value >= 0, -1), ops.abs(value.sum(-1) - 1) < 1e-6)


@layer("torch.distributions.constraints.multinomial")
class Multinomial(Constraint):
    """Counts over the last axis, `upper_bound` in sum at most."""

    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, x):
        """Whether no count is negative and the sum is not above the bound."""
        return ops.logical_and(ops.all(x >= 0, -1), x.sum(-1) <= self.upper_bound)


boolean = Boolean()
one_hot = OneHot()
nonnegative_integer = IntegerGreaterThan(0)
positive_integer = IntegerGreaterThan(1)
real = Real()
real_vector = Independent(real, 1)
positive = GreaterThan(0.0)
nonnegative = GreaterThanEq(0.0)
unit_interval = Interval(0.0, 1.0)
simplex = Simplex()
constant("torch.distributions.constraints.boolean", boolean)
constant("torch.distributions.constraints.one_hot", one_hot)
constant("torch.distributions.constraints.nonnegative_integer", nonnegative_integer)
constant("torch.distributions.constraints.positive_integer", positive_integer)
constant("torch.distributions.constraints.real", real)
constant("torch.distributions.constraints.real_vector", real_vector)
constant("torch.distributions.constraints.positive", positive)
constant("torch.distributions.constraints.nonnegative", nonnegative)
constant("torch.distributions.constraints.unit_interval", unit_interval)
constant("torch.distributions.constraints.simplex", simplex)
