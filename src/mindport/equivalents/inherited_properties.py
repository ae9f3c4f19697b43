"""Properties that a class has from another one, in what MindSpore's compiler reads.

It compiles a property where the object's own class has it. One of a base class or mixin (``self.w`` for ``self.weight * self.scale``)
is read while the graph is made: what it computes is a constant there, through which no gradient goes, and which stays when parameters change.
Here such a property is compiled as well, where it gives tensors that it computed; other values are constants by right.
"""

import sys
from functools import wraps

from mindspore import Parameter, Tensor

#: The package of MindSpore's compiler that answers its questions about objects: up to 2.8, and since.
ANSWERERS = ("mindspore._extends.parse", "mindspore.graph._parse")


def holds_computed(value):
    """Whether a value is a tensor that is no parameter, or holds one."""
    if isinstance(value, (tuple, list)):
        return any(holds_computed(part) for part in value)
    return isinstance(value, Tensor) and not isinstance(value, Parameter)


def inherited_property(obj, name):
    """The property of that name that an object's class has from another class, MindSpore's own left out; else None."""
    holder = next((kind for kind in type(obj).__mro__[1:] if name in vars(kind)), None)
    if holder is None or holder.__module__.startswith("mindspore.") or name in vars(type(obj)):
        return None
    found = vars(holder)[name]
    return found if isinstance(found, property) and hasattr(found.fget, "__code__") else None


def asking_bases(answer):
    """Whether an attribute is a property, with those of the bases."""

    @wraps(answer)
    def is_property(obj, name):
        return answer(obj, name) or inherited_property(obj, name) is not None and holds_computed(getattr(obj, name, None))

    is_property.asks_bases = True
    return is_property


def follow_properties():
    """Has the compiler follow inherited properties from now on; another converted project may have done so."""
    for name in ANSWERERS:
        answerer = sys.modules.get(name)
        answer = getattr(answerer, "check_attr_is_property", None)
        if answer is not None and not getattr(answer, "asks_bases", False):
            answerer.check_attr_is_property = asking_bases(answer)
