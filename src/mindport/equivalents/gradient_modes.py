"""Where gradients are computed. MindSpore differentiates functions, so most marks stop a gradient or do nothing."""

import functools
import inspect
from contextlib import ContextDecorator

from mindspore import _no_grad
from mindspore.nn.cell import _pynative_executor

from mindport.declare import absent, equivalent


def by_turns(function, mode):
    """A generator function each turn of which runs inside of `mode`; what its caller does between the turns does not."""

    @functools.wraps(function)
    def generator(*args, **kwargs):
        running = function(*args, **kwargs)
        go_on = functools.partial(next, running)
        while True:
            try:
                with mode:
                    given = go_on()
            except StopIteration as done:
                return done.value
            try:
                go_on = functools.partial(running.send, (yield given))
            except GeneratorExit:
                running.close()
                raise
            except BaseException as error:
                go_on = functools.partial(running.throw, error)

    return generator


class NoGradient(ContextDecorator):
    """No gradient flows through what runs inside; works as a context and as a decorator."""

    def __init__(self):
        self._contexts = []

    def __call__(self, function):
        return by_turns(function, self) if inspect.isgeneratorfunction(function) else super().__call__(function)

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


class GradientMode(ContextDecorator):
    """Gradients on or off from its construction on; the end of the `with` block brings back what was before."""

    def __init__(self, mode):
        self.mode = mode
        self.before = _pynative_executor.enable_grad()
        _pynative_executor.set_enable_grad(mode)

    def __call__(self, function):
        _pynative_executor.set_enable_grad(self.before)
        return by_turns(function, self) if inspect.isgeneratorfunction(function) else super().__call__(function)

    def __enter__(self):
        _pynative_executor.set_enable_grad(self.mode)
        return self

    def __exit__(self, *problem):
        _pynative_executor.set_enable_grad(self.before)
        return False


@equivalent("torch.set_grad_enabled", "torch.autograd.set_grad_enabled")
def set_grad_enabled(mode):
    """Gradients on or off, as a function, a context or a decorator.

    https://docs.pytorch.org/docs/2.13/generated/torch.autograd.grad_mode.set_grad_enabled.html
    """
    return GradientMode(bool(mode))


class EnabledGradient(ContextDecorator):
    """Gradients flow inside, also within a region without; works as a context and as a decorator."""

    def __init__(self):
        self._before = []

    def __call__(self, function):
        return by_turns(function, self) if inspect.isgeneratorfunction(function) else super().__call__(function)

    def __enter__(self):
        self._before.append(_pynative_executor.enable_grad())
        _pynative_executor.set_enable_grad(True)
        return self

    def __exit__(self, *problem):
        _pynative_executor.set_enable_grad(self._before.pop())
        return False


@equivalent("torch.enable_grad", "torch.autograd.enable_grad")
def enable_grad():
    """Gradients flow inside, also within `no_grad`. https://docs.pytorch.org/docs/2.13/generated/torch.enable_grad.html"""
    return EnabledGradient()


@equivalent("torch.is_grad_enabled")
def is_grad_enabled():
    """Whether what runs now is differentiated where a gradient is asked for."""
    return _pynative_executor.enable_grad()


absent(
    "torch.autograd.backward",
    why="MindSpore's gradients are functions': mindport writes calls of it for MindSpore's tape (2.10), which goes back from several tensors at once, also inside of a Function's backward; for older versions write (a + b).backward() for several losses, out.backward(gradient) with a gradient",
    rung="packaged",
)
absent(
    "torch.autograd.grad",
    why="MindSpore differentiates functions: write the forward pass as a function and use mindspore.value_and_grad",
    rung="packaged",
)
