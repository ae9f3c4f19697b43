"""Hooks on the gradient of one tensor. MindSpore has torch's method; measured: on intermediate tensors and on
parameters, several hooks, results that replace the gradient, and `handle.remove()`."""

from contextlib import contextmanager

from mindport.declare import equivalent


@equivalent("torch.Tensor.register_hook")
def register_hook(self, hook):
    """Calls hook(gradient) when the gradient of this tensor is there; what it returns (unless None) replaces it.

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.register_hook.html
    """
    return self.register_hook(hook)


@contextmanager
def entered_handle(handle):
    """What ``with handle:`` enters: the handle, whose hook is removed at the end."""
    try:
        yield handle
    finally:
        handle.remove()
