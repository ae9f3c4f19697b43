"""Constructor arguments that a layer answers to under torch's names.

MindSpore's cells keep only what they compute with, and often in a form of their own (`padding` for both ends of each
axis, `has_bias`). Where a project reads torch's attribute, its vendored class stands under this decorator.
"""

import functools
import inspect


def keeping(*names, axes=None, **constants):
    """A class decorator: objects keep the constructor arguments `names` as they were given, those of `axes` (name →
    number of axes) as tuples, and have the attributes `constants`."""
    axes = axes or {}

    def of_axes(value, count):
        return (value,) * count if isinstance(value, (int, float)) else tuple(value) if isinstance(value, list) else value

    def decorated(cls):
        construct_with = cls.__init__
        signature = inspect.signature(construct_with)

        @functools.wraps(construct_with)
        def __init__(self, *args, **kwargs):
            construct_with(self, *args, **kwargs)
            bound = signature.bind(self, *args, **kwargs)
            bound.apply_defaults()
            kept = {name: bound.arguments[name] for name in names}
            kept.update({name: of_axes(bound.arguments[name], count) for name, count in axes.items()})
            for name, value in {**kept, **constants}.items():
                setattr(self, name, value)

        cls.__init__ = __init__
        return cls

    return decorated
