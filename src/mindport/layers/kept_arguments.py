"""Constructor arguments that a layer answers to under torch's names, and follows where they are set later.

MindSpore's cells keep only what they compute with, and often in a form of their own (`padding` for both ends of each
axis, `has_bias`), and give it to an operator when they are made. Where a project reads torch's attribute or sets it,
its vendored class stands under this decorator.
"""

import functools
import inspect

from mindspore import nn


def keeping(*names, axes=None, follows=(), **constants):
    """A class decorator: objects keep the constructor arguments `names` as they were given, those of `axes` (name →
    number of axes) as tuples, and have the attributes `constants`. They compute with what the attributes `follows`,
    constructor arguments too, are set to later: all that the constructor derived from its arguments is derived anew;
    parameters, hooks, attributes that are arguments and those that the class calls `made_once` stay as they are. What the constructor refuses raises."""
    axes = axes or {}

    def of_axes(value, count):
        return (value,) * count if isinstance(value, (int, float)) else tuple(value) if isinstance(value, list) else value

    def decorated(cls):
        construct_with, set_with = cls.__init__, cls.__setattr__
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
            if follows:
                self.__dict__["made_with"] = {name: value for name, value in list(bound.arguments.items())[1:]}

        def __setattr__(self, name, value):
            if name in follows and "made_with" in self.__dict__:
                made_with = {**self.made_with, name: value}
                with nn.utils.no_init_parameters():  # nothing is drawn
                    made = cls.__new__(cls)
                    construct_with(made, **made_with)
                self.__dict__["made_with"] = made_with
                stay = {*nn.Cell().__dict__, *signature.parameters, *constants, *getattr(cls, "made_once", ())}
                for derived in made.__dict__.keys() - stay:
                    set_with(self, derived, made.__dict__[derived])
            set_with(self, name, value)

        cls.__init__ = __init__
        if follows:
            cls.__setattr__ = __setattr__
        return cls

    return decorated
