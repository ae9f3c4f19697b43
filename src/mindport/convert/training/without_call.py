"""What objects of the project's compute where no call of theirs stands: by a property or descriptor (``net.path``), an item, an operator, a loop or a with statement that their class defines."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE
from mindport.inference import values as v
from mindport.inference.scopes import ClassScope, FunctionScope

#: Methods of Python's own names that give no tensors, or run elsewhere: a call runs `__call__`, a with statement `__enter__`.
_NOT_GIVING = frozenset(
    ("__init__", "__new__", "__post_init__", "__call__", "__enter__", "__exit__", "__repr__", "__str__", "__len__", "__del__", "__setattr__", "__setitem__", "__hash__", "__eq__")
)
#: Operators that a module's class may define: its name alone, in whatever else, gives nothing.
_OPERATORS = {f"__{side}{name}__" for side in ("", "r", "i") for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "matmul", "pow", "and", "or", "xor")}
_OF_MODULES = _OPERATORS | {"__iter__", "__next__", "__getitem__", "__reversed__", "__neg__", "__pos__", "__abs__", "__invert__"}


def run_without_call(cls: ClassScope, attribute: str = "") -> list[FunctionScope] | None:
    """The methods that run when this attribute of an instance is read, or its name used; None: what runs is no method of its class."""
    module = MODULE in cls.ancestors
    found = {name: one for c in reversed(cls.mro) for name, one in c.methods.items()}
    if not attribute:
        return [one for name, one in found.items() if (name in _OF_MODULES if module else name.startswith("__") and name not in _NOT_GIVING)]
    if not module or attribute.startswith("__"):
        return [found[attribute]] if attribute in found else []
    if attribute in found:  # a plain method does nothing until it is called
        return [found[attribute]] if any(ast.unparse(d).endswith("property") for d in getattr(found[attribute].node, "decorator_list", ())) else []
    if any(_is_descriptor(c, attribute) for c in cls.mro):
        return None
    stored = any(attribute in c.attributes or attribute in c.names for c in cls.mro)
    return [found["__getattr__"]] if "__getattr__" in found and not stored else []


def _is_descriptor(cls: ClassScope, attribute: str) -> bool:
    """``path = property(lambda self: …)``, ``scale = Positive("raw")`` of a class with a `__get__`."""
    for kind in v.options(cls.names[attribute]) if attribute in cls.names else ():
        if isinstance(kind, v.ProjectInstance) and any("__get__" in c.methods for c in kind.cls.scope.mro):
            return True
    made = (s.value for s in cls.node.body if isinstance(s, ast.Assign) and any(isinstance(t, ast.Name) and t.id == attribute for t in s.targets))
    return any(isinstance(value, ast.Call) and ast.unparse(value.func).endswith("property") for value in made)
