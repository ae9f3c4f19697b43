"""torch's operator dispatcher: registrations of kernels and rules, which MindSpore has no counterpart for.

What a registration says (a shape rule, an autograd rule, an autocast rule of an operator) has no reader in
MindSpore, so decorators of registration return the function as it is. Dispatch keys are names.
"""

from mindport.declare import constant, equivalent

RULE = {
    "op": "names an operator of torch's dispatcher", "func": "is returned to its name as it is", "lib": "belongs to torch's dispatcher",
    "_stacklevel": "the depth of a torch warning", "allow_override": "directs torch's dispatcher", "device_types": "directs torch's dispatcher",
    "qualname": "names an operator of torch's dispatcher", "types": "directs torch's dispatcher",
    "backward": "a rule of torch's autograd", "setup_context": "a rule of torch's autograd",
    "device_type": "directs torch's autocast", "cast_inputs": "directs torch's autocast",
}


def _as_it_is(function):
    return function


@equivalent("torch.library.register_fake", drops=RULE)
def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    """A shape rule for an operator of torch. https://docs.pytorch.org/docs/2.13/library.html"""
    return _as_it_is


@equivalent("torch.library.register_kernel", drops=RULE)
def register_kernel(op, device_types, func=None, /, *, lib=None):
    """A kernel of an operator of torch."""
    return _as_it_is


@equivalent("torch.library.impl", drops=RULE)
def impl(qualname, types, func=None, *, lib=None):
    """An implementation of an operator of torch."""
    return _as_it_is


@equivalent("torch.library.register_autograd", drops=RULE)
def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """A gradient rule of an operator of torch."""
    return None


@equivalent("torch.library.register_autocast", drops=RULE)
def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    """A casting rule of an operator of torch."""
    return None


constant("torch._C.DispatchKey.AutocastCPU", "AutocastCPU")
constant("torch._C.DispatchKey.AutocastCUDA", "AutocastCUDA")
constant("torch._C.DispatchKey.AutocastXPU", "AutocastXPU")


@equivalent("torch._C.DispatchKeySet")
def DispatchKeySet(key):
    """A set of dispatch keys."""
    return frozenset((key,))


@equivalent("torch._check")
def _check(cond, message=None):
    """Raise RuntimeError with the message, a function, where the condition is false."""
    if not cond:
        raise RuntimeError(message() if message is not None else "Expected cond to be True")


@equivalent("torch.onnx.symbolic_helper.parse_args", drops={"arg_descriptors": "directs torch's ONNX exporter"})
def parse_args(*arg_descriptors):
    """How torch's ONNX exporter reads a symbolic function's arguments."""
    return _as_it_is


@equivalent(
    "torch.onnx.register_custom_op_symbolic", "torch.onnx.utils.register_custom_op_symbolic",
    drops={"symbolic_name": "directs torch's ONNX exporter", "symbolic_fn": "directs torch's ONNX exporter", "opset_version": "directs torch's ONNX exporter"},
)
def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    """A rule of torch's ONNX exporter."""
    return None
