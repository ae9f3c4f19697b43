"""`parameters` of modules whose class says itself what `named_parameters` gives."""

from mindport.layers.module_tree import named_parameters


def parameters_by_names(module, recurse=True):
    """The parameters that the module's `named_parameters` gives, its class's own where it has one, as torch's `parameters`.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html#torch.nn.Module.parameters
    """
    own = getattr(type(module), "named_parameters", None)
    return (parameter for _, parameter in (named_parameters(module, "", recurse) if own is None else own(module, recurse=recurse)))
