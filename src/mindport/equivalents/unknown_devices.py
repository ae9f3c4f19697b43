"""Members of what may be a device, which is its name here: which it is shows when the program runs. These have no torch name."""

from mindport.equivalents.devices import device_index, device_type


def type_of_device(receiver):
    """``receiver.type``: the kind of a device, else the object's own."""
    if isinstance(receiver, str):
        return device_type(receiver)
    return receiver.type


def index_of_device(receiver):
    """``receiver.index``: the number of a device, else the object's own."""
    if isinstance(receiver, str):
        return device_index(receiver)
    return receiver.index
