"""A weight that spectral normalisation computes, where a program fills it before the layer's first call."""


def memory_of(module, name):
    """What a program that writes into ``module.weight`` before the first call changes: the parameter that a spectral norm has taken in its place, as the attribute is that parameter's memory in torch until then.

    torch/nn/utils/spectral_norm.py, `SpectralNorm.apply`: ``setattr(module, fn.name, weight.data)``. Otherwise the attribute itself.
    """
    return getattr(module, f"{name}_orig") if hasattr(module, f"{name}_u") and hasattr(module, f"{name}_orig") else getattr(module, name)
