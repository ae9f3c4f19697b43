"""Lists of parameters that a module holds beside its parts: in torch an attribute like any other.

https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html; MindSpore's cells want another name for each parameter of such a list, and names
come with the place in the network, which the parts may get later: ``[a.weight, b.weight]`` of two layers are two of the name ``weight``.
"""

from mindspore import nn


def keep_lists():
    """Has cells keep a list or tuple of parameters as it is."""

    def kept(self, name, value):
        object.__setattr__(self, name, value)

    nn.Cell._set_attr_for_parameter_in_list_or_tuple = kept
    return True


LISTS_OF_PARAMETERS = keep_lists()
