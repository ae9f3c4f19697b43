"""torch.nn.utils.prune's functions: prune a parameter of a module, ask, and undo the machinery.

https://docs.pytorch.org/docs/2.13/nn.html#utilities
"""

from mindspore import ops

from mindport.declare import equivalent
from mindport.layers.parametrization import own_name
from mindport.layers.pruning_methods import (
    DRAWN,
    FRESH,
    TIES,
    CustomFromMask,
    Identity,
    L1Unstructured,
    LnStructured,
    PruningContainer,
    RandomStructured,
    RandomUnstructured,
    prunings,
)
from mindport.layers.state_names import torch_view


@equivalent("torch.nn.utils.prune.identity")
def identity(module, name):
    """The parameter with a mask of ones. The module is the result."""
    Identity.apply(module, name)
    return module


@equivalent("torch.nn.utils.prune.random_unstructured", differs=[DRAWN])
def random_unstructured(module, name, amount):
    """Drawn elements go: a share of them, or a number. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.prune.random_unstructured.html
    """
    RandomUnstructured.apply(module, name, amount)
    return module


@equivalent("torch.nn.utils.prune.l1_unstructured", differs=[TIES, FRESH])
def l1_unstructured(module, name, amount, importance_scores=None):
    """The elements of smallest absolute value go. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.prune.l1_unstructured.html
    """
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


@equivalent("torch.nn.utils.prune.random_structured", differs=[DRAWN])
def random_structured(module, name, amount, dim):
    """Drawn channels along an axis go. The module is the result."""
    RandomStructured.apply(module, name, amount, dim)
    return module


@equivalent("torch.nn.utils.prune.ln_structured", differs=[TIES, FRESH])
def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """The channels of smallest norm along an axis go. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.prune.ln_structured.html
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


@equivalent("torch.nn.utils.prune.custom_from_mask")
def custom_from_mask(module, name, mask):
    """What a given mask leaves. The module is the result."""
    CustomFromMask.apply(module, name, mask)
    return module


def present(module, name):
    """A parameter's present value and mask, in torch's shape."""
    if name not in prunings(module):
        value = torch_view(module, name, module._params[own_name(module, name)])
        return value, ops.ones_like(value)
    return (
        torch_view(module, name, getattr(module, own_name(module, name))),
        torch_view(module, f"{name}_mask", module._buffers[f"{name}_mask"]),
    )


@equivalent("torch.nn.utils.prune.global_unstructured", differs=[TIES, FRESH])
def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """One pruning of several parameters, (module, name) each, as if they were one tensor.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.prune.global_unstructured.html
    """
    parameters, given = list(parameters), {} if importance_scores is None else importance_scores
    if not isinstance(given, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    values = [present(module, name) for module, name in parameters]
    scores = [given.get(each, value) for each, (value, _) in zip(parameters, values)]
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of type {method.PRUNING_TYPE}'
        )
    method._tensor_name = "temp"
    mask = PruningContainer(method).compute_mask(
        ops.cat([ops.stop_gradient(score).reshape((-1,)) for score in scores]), ops.cat([before.reshape((-1,)) for _, before in values])
    )
    place = 0
    for (module, name), (value, _) in zip(parameters, values):
        custom_from_mask(module, name, mask[place : place + value.size].reshape(value.shape))
        place += value.size


@equivalent("torch.nn.utils.prune.remove")
def remove(module, name):
    """What is left of a pruned parameter becomes the parameter. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.prune.remove.html
    """
    method = prunings(module).pop(name, None)
    if method is None:
        raise ValueError(f"Parameter '{name}' of module {type(module).__name__} has to be pruned before pruning can be removed")
    method.remove(module)
    return module


@equivalent("torch.nn.utils.prune.is_pruned")
def is_pruned(module):
    """Whether a parameter of the module, or of one inside it, is pruned."""
    return any(cell.__dict__.get("_prunings") for _, cell in module.cells_and_names())
