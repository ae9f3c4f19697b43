"""From unconstrained numbers into a region: the transform that a constraint asks for.

`biject_to` finds one with an inverse for every value, `transform_to` one that may use more numbers than the region needs.
https://docs.pytorch.org/docs/2.13/distributions.html#module-torch.distributions.constraint_registry
"""

from mindport.declare import constant, equivalent
from mindport.equivalents.distributions_constraints import Cat, Constraint, Independent, Stack
from mindport.equivalents.distributions_matrix_regions import (
    CorrCholesky,
    LowerCholesky,
    PositiveDefinite,
    PositiveSemidefinite,
)
from mindport.equivalents.distributions_regions import (
    GreaterThan,
    GreaterThanEq,
    HalfOpenInterval,
    Interval,
    LessThan,
    Real,
    Simplex,
)
from mindport.equivalents.distributions_shape_transforms import CatTransform, StackTransform
from mindport.equivalents.distributions_simplex_transforms import (
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    SoftmaxTransform,
    StickBreakingTransform,
)
from mindport.equivalents.distributions_transforms import (
    AffineTransform,
    ComposeTransform,
    ExpTransform,
    IndependentTransform,
    SigmoidTransform,
)


class ConstraintRegistry:
    """Kinds of constraints, each with what makes its transform."""

    def __init__(self):
        self._factories = {}

    def register(self, constraint, factory=None):
        """Enter a class of constraints, or the class of a given one; without a factory this is a decorator."""
        if factory is None:
            return lambda given: self.register(constraint, given)
        kind = type(constraint) if isinstance(constraint, Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._factories[kind] = factory
        return factory

    def __call__(self, constraint):
        """The transform that the constraint's own class asks for."""
        if type(constraint) not in self._factories:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return self._factories[type(constraint)](constraint)


def within(constraint):
    """From all numbers between two bounds."""
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, (int, float)) and low == 0 and isinstance(high, (int, float)) and high == 1:
        return SigmoidTransform()
    return ComposeTransform([SigmoidTransform(), AffineTransform(low, high - low)])


def filled(registry):
    """Enter what both registries hold."""
    registry.register(Real, lambda one: UNCHANGED)
    registry.register(Independent, lambda one: IndependentTransform(registry(one.base_constraint), one.reinterpreted_batch_ndims))
    for kind in (GreaterThan, GreaterThanEq):
        registry.register(kind, lambda one: ComposeTransform([ExpTransform(), AffineTransform(one.lower_bound, 1)]))
    registry.register(LessThan, lambda one: ComposeTransform([ExpTransform(), AffineTransform(one.upper_bound, -1)]))
    for kind in (Interval, HalfOpenInterval):
        registry.register(kind, within)
    registry.register(CorrCholesky, lambda one: CorrCholeskyTransform())
    registry.register(Cat, lambda one: CatTransform([registry(part) for part in one.cseq], one.dim, one.lengths))
    registry.register(Stack, lambda one: StackTransform([registry(part) for part in one.cseq], one.dim))
    return registry


def bijections():
    """What `biject_to` starts with."""
    registry = filled(ConstraintRegistry())
    registry.register(Simplex, lambda one: StickBreakingTransform())
    return registry


def transforms():
    """What `transform_to` starts with."""
    registry = filled(ConstraintRegistry())
    registry.register(Simplex, lambda one: SoftmaxTransform())
    registry.register(LowerCholesky, lambda one: LowerCholeskyTransform())
    for kind in (PositiveDefinite, PositiveSemidefinite):
        registry.register(kind, lambda one: PositiveDefiniteTransform())
    return registry


UNCHANGED = ComposeTransform([])
BIJECTIONS = bijections()
TRANSFORMS = transforms()
constant("torch.distributions.identity_transform", UNCHANGED)


@equivalent("torch.distributions.identity_transform")
def identity_transform(x):
    """The value itself."""
    return x


@equivalent("torch.distributions.biject_to")
def biject_to(constraint):
    """The bijection from all numbers onto the region."""
    return BIJECTIONS(constraint)


@equivalent("torch.distributions.transform_to")
def transform_to(constraint):
    """A transform of all numbers onto the region."""
    return TRANSFORMS(constraint)


@equivalent("torch.distributions.biject_to.register")
def register_bijection(constraint, factory=None):
    """Enter what makes the bijection of a class of constraints; without a factory a decorator."""
    return BIJECTIONS.register(constraint, factory)


@equivalent("torch.distributions.transform_to.register")
def register_transform(constraint, factory=None):
    """Enter what makes the transform of a class of constraints; without a factory a decorator."""
    return TRANSFORMS.register(constraint, factory)
