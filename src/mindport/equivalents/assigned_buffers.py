"""Assigning to a name that may be a buffer's or a plain attribute's."""


def assign_buffer(module, name, value, persistent=True):
    """``module.name = value``: where a buffer has the name, the value takes its place, as in torch; else it is an attribute.

    MindSpore's cell raises where a tensor is assigned to a buffer's name.
    """
    if name in module.__dict__.get("_buffers", {}):
        module.register_buffer(name, value, persistent)
    else:
        setattr(module, name, value)
