"""Functions that a library calls back: ``module.apply(fn)`` and hooks say what their parameters are."""

from __future__ import annotations

from typing import Any

from mindport.inference.arguments import Arguments
from mindport.inference.frame import Frame
from mindport.inference.values import Instance, ProjectInstance, Sequence, TensorValue, Value, options

_TENSOR = TensorValue(likely=True)
_TENSORS = Sequence("tuple", None, _TENSOR)
_MODULE = Instance("torch.nn.Module", likely=True)

#: What a hook is called with after its module.
_AFTER_MODULE: dict[str, tuple[Value, ...]] = {
    "register_forward_hook": (_TENSORS, _TENSOR), "register_forward_pre_hook": (_TENSORS,),
    "register_full_backward_hook": (_TENSORS, _TENSORS), "register_full_backward_pre_hook": (_TENSORS,),
    "register_backward_hook": (_TENSORS, _TENSORS),
}  # fmt: skip
#: What a call of a module runs besides its forward pass and that of its gradients.
HOOKS = frozenset(_AFTER_MODULE)
FORWARD_HOOKS = frozenset(name for name in HOOKS if "forward" in name)


def applied(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    """``module.apply(fn)``: fn is called with every module inside; the result is the module."""
    _call(frame, node, arguments, _MODULE)
    return receiver


def hooked(name: str) -> Any:
    """The registration of a hook by the name of its method."""

    def register(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
        kinds = (Instance, ProjectInstance)
        module = receiver if all(isinstance(option, kinds) for option in options(receiver)) else _MODULE
        _call(frame, node, arguments, module, *_AFTER_MODULE[name])
        return Instance("torch.utils.hooks.RemovableHandle")

    return register


def hooked_gradient(frame: Frame, node: Any, receiver: TensorValue, arguments: Arguments) -> None:
    """``x.register_hook(fn)``: fn is called with the gradient, a tensor as x is."""
    _call(frame, node, arguments, TensorValue(receiver.dtype, receiver.shape, likely=receiver.likely))


def call_back(frame: Frame, node: Any, function: Value, arguments: Arguments) -> Value:
    """What a call of a function gives that the library calls at a node; `calls` knows the overlays, so they know it only then."""
    from mindport.inference.calls import call

    return call(frame, node, function, arguments)


def _call(frame: Frame, node: Any, arguments: Arguments, *values: Value) -> None:
    function = arguments.get(0, "fn") or arguments.get(0, "hook")
    if function is not None:
        call_back(frame, node, function, Arguments(list(values)))


METHODS = {"torch.nn.Module.apply": applied} | {f"torch.nn.Module.{name}": hooked(name) for name in _AFTER_MODULE}
#: Methods of tensors that call what they are given.
OF_TENSORS = {"register_hook": hooked_gradient}
