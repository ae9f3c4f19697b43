"""Assigning to a name that may be a buffer's or a plain attribute's."""


def assign_buffer(module, name, value, persistent=None):
    """``module.name = value``: where a buffer has the name, the value takes its place, as in torch; else it is an attribute.

    A buffer stays what it was, saved or not (`persistent` None). MindSpore's cell raises where a tensor is assigned to a buffer's name.
    """
    if name in getattr(module, "__dict__", {}).get("_buffers", {}):
        module.register_buffer(name, value, name not in module._non_persistent_buffers_set if persistent is None else persistent)
    else:
        setattr(module, name, value)
