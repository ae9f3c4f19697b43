"""Records the module tree of a torch model as plain data (the shape that `tree.Tree` reads).

Runs in the process that has torch; imports nothing else, so that mindport's dependencies
need not be installed there.
"""

from __future__ import annotations

from typing import Any


def walk(model: Any) -> dict[str, Any]:
    """The tree of an ``nn.Module``: every path under which a module or a state_dict tensor can be reached."""
    import torch

    modules = [
        {"path": path, "classes": [f"{c.__module__}.{c.__qualname__}" for c in type(module).__mro__]}
        for path, module in model.named_modules(remove_duplicate=False)
    ]
    trainable = {id(p) for p in model.parameters() if p.requires_grad}
    parameters = {id(p) for p in model.parameters()}
    tensors = [
        {
            "path": name, "name": name, "kind": "parameter" if id(value) in parameters else "buffer",
            "shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch."),
            "trainable": id(value) in trainable,
        }
        for name, value in model.state_dict(keep_vars=True).items()
        if isinstance(value, torch.Tensor)
    ]
    return {"framework": "torch", "modules": modules, "tensors": tensors}
