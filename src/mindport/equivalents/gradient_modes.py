"""Where gradients are computed. MindSpore differentiates functions, so most marks stop a gradient or do nothing."""

from contextlib import ContextDecorator

from mindspore import _no_grad

from mindport.declare import absent, equivalent


class NoGradient(ContextDecorator):
    """No gradient flows through what runs inside; works as a context and as a decorator."""

    def __init__(self):
        self._contexts = []

    def __enter__(self):
        self._contexts.append(_no_grad())
        self._contexts[-1].__enter__()
        return self

    def __exit__(self, *problem):
        self._contexts.pop().__exit__(*problem)
        return False


@equivalent("torch.no_grad", "torch.autograd.no_grad")
def no_grad():
    """No gradient flows through what runs inside. https://docs.pytorch.org/docs/2.13/generated/torch.no_grad.html"""
    return NoGradient()


@equivalent("torch.inference_mode", "torch.autograd.inference_mode")
def inference_mode(mode=True):
    """no_grad, and views are not tracked."""
    if not mode:
        raise ValueError("inference_mode(False) inside inference mode has no counterpart")
    return NoGradient()


absent(
    "torch.autograd.grad", "torch.autograd.backward",
    why="MindSpore differentiates functions: write the forward pass as a function and use mindspore.value_and_grad",
    rung="packaged",
)
absent(
    "torch.enable_grad", "torch.set_grad_enabled", "torch.is_grad_enabled",
    why="MindSpore has no global gradient switch: what value_and_grad calls is differentiated",
)
