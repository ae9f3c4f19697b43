"""What torch prints for a module, in outline: ``Linear(…)``, and the children of a container below each other.

MindSpore writes ``Dense(…)``, and `<` where torch opens the parenthesis of a module with children. What stands between a layer's
parentheses is MindSpore's.
"""

from mindspore import nn

from mindport.layers.class_names import class_name

CONTAINERS = (nn.SequentialCell, nn.CellList, nn.CellDict)


def module_text(value):
    """``str(value)``, a module's as torch begins it."""
    if not isinstance(value, nn.Cell):
        return str(value)
    cls = type(value)
    written = next(one for one in cls.__mro__ if "__repr__" in vars(one) or "__str__" in vars(one))
    if not written.__module__.startswith("mindspore."):
        return str(value)
    own = not cls.__module__.startswith("mindspore.") and cls.__module__ != module_text.__module__
    children = value._cells if own or isinstance(value, CONTAINERS) else {}
    lines = [f"  ({name}): " + module_text(child).replace("\n", "\n  ") for name, child in children.items() if child is not None]
    return f"{class_name(value)}(\n" + "\n".join(lines) + "\n)" if lines else f"{class_name(value)}({value.extend_repr()})"
