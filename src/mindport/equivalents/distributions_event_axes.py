"""How many last axes of a value are one event, for transforms of a project's own: torch reads it of their domain and codomain."""


class AxesOfDomain:
    """The number of axes that a transform's domain says, 0 without one; what a class or an object keeps under the name goes first."""

    def __get__(self, transform, cls):
        domain = getattr(cls if transform is None else transform, "domain", None)
        return 0 if domain is None else domain.event_dim
