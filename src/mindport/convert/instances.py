"""Whose instances a value is: classes of the project and of the library, asked in one way."""

from __future__ import annotations

from collections.abc import Set

from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.members import MODULE


def is_instance_of(value: v.Value, classes: Set[str]) -> bool:
    """Whether a value is an object of one of the library's `classes`, or of a class that derives from one."""
    if isinstance(value, v.ProjectInstance):
        return not classes.isdisjoint(value.cls.scope.ancestors)
    return isinstance(value, v.Instance) and not classes.isdisjoint(torchfacts.ancestors(value.cls))


def defines_itself(value: v.Value, member: str) -> bool:
    """Whether a value is an object of the project's whose class, or a base of the project's, has a member: by its body, a method or a store."""
    return isinstance(value, v.ProjectInstance) and any(
        member in held for scope in value.cls.scope.mro for held in (scope.names, scope.methods, scope.attributes)
    )


def may_be_instance_of(value: v.Value, classes: Set[str]) -> bool:
    """The same of module classes, where a module of no known class, and what nothing is known of, may be one, too."""
    return is_instance_of(value, classes) or (isinstance(value, v.Instance) and value.cls == MODULE) or (isinstance(value, v.Unknown) and not value.origin)
