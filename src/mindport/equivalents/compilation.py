"""Names that direct torch's compilers and tracers, and have no meaning in MindSpore.

A decorator whose equivalent returns the function as it is disappears; a call that is a constant
decides its test; a statement that does nothing goes.
"""

from mindport.declare import Refused, constant, difference, equivalent

EAGER = difference("the code stays eager; compile it with mindspore.jit(…, fullgraph=True): without that word what no graph holds has gradients of zero, silently", risk="style", zh="保持动态图执行")


class TracerWarning(Warning):
    """What torch's tracer warns with; nothing warns with it here, so a filter for it changes nothing."""


constant("torch.jit.TracerWarning", TracerWarning)


@equivalent("torch.jit.unused", "torch.jit.export", "torch.jit.script_method", "torch.jit.interface", "torch.jit._overload_method", "torch.jit._overload")
def unused(fn):
    """A mark for TorchScript's compiler. https://docs.pytorch.org/docs/2.13/jit.html"""
    return fn


@equivalent("torch.jit.ignore", drops={"drop": "directs TorchScript", "kwargs": "directs TorchScript"})
def ignore(fn, drop=False, **kwargs):
    """A mark for TorchScript's compiler."""
    return fn


@equivalent("torch.jit.script_if_tracing", "torch.jit._script_if_tracing")
def script_if_tracing(fn):
    """A mark for torch's tracer."""
    return fn


@equivalent(
    "torch.jit.script", differs=[EAGER],
    drops={"optimize": "directs TorchScript", "_frames_up": "directs TorchScript", "_rcb": "directs TorchScript", "example_inputs": "directs TorchScript"},
)
def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """Compile with TorchScript."""
    return obj


@equivalent(
    "torch.compile", differs=[EAGER],
    drops={
        "fullgraph": "directs torch's compiler", "dynamic": "directs torch's compiler", "backend": "directs torch's compiler",
        "mode": "directs torch's compiler", "options": "directs torch's compiler", "disable": "directs torch's compiler",
    },
)
def compile(model, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """Compile a function or module. https://docs.pytorch.org/docs/2.13/generated/torch.compile.html"""
    return model


@equivalent("torch.nn.Module.compile", differs=[EAGER], drops={"args": "directs torch's compiler", "kwargs": "directs torch's compiler"})
def compile_in_place(self, *args, **kwargs):
    """Compile the module where it stands; `compile` of MindSpore's cells is another thing, which wants an input."""
    return None


@equivalent(
    "torch.jit.trace", "torch.jit.trace_module", differs=[EAGER],
    drops={
        "example_inputs": "nothing is traced", "optimize": "directs TorchScript", "check_trace": "nothing is traced", "check_inputs": "nothing is traced",
        "check_tolerance": "nothing is traced", "strict": "nothing is traced", "_force_outplace": "directs TorchScript", "_module_class": "directs TorchScript",
        "_compilation_unit": "directs TorchScript", "example_kwarg_inputs": "nothing is traced", "_store_inputs": "directs TorchScript",
    },
)
def trace(
    func, example_inputs=None, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True,
    _force_outplace=False, _module_class=None, _compilation_unit=None, example_kwarg_inputs=None, _store_inputs=True,
):
    """Compile by tracing; a branch on data keeps both ways here, where a trace keeps the one that it took."""
    return func


@equivalent("torch.jit.freeze", "torch.jit.optimize_for_inference", drops={
    "preserved_attrs": "directs TorchScript", "optimize_numerics": "directs TorchScript", "preserve_parameters": "directs TorchScript",
    "other_methods": "directs TorchScript",
})
def freeze(mod, preserved_attrs=None, optimize_numerics=True, preserve_parameters=False, other_methods=None):
    """Fold the weights into a compiled module."""
    return mod


@equivalent("torch.jit.is_scripting", "torch.jit.is_tracing", "torch._C._is_tracing", "torch.compiler.is_compiling", "torch.compiler.is_dynamo_compiling", "torch.onnx.is_in_onnx_export", "torch.jit._script.is_scripting")
def is_scripting():
    """Whether TorchScript, a tracer or a compiler of torch is at work: never."""
    return False


@equivalent("torch._C._get_tracing_state")
def _get_tracing_state():
    """The state of torch's tracer: none."""
    return None


@equivalent("torch.fx.wrap")
def wrap(fn_or_name):
    """A mark for torch.fx."""
    return fn_or_name


@equivalent("torch._C._log_api_usage_once", drops={"arg0": "torch counts API uses"})
def _log_api_usage_once(arg0):
    """torch's usage counter."""
    return None


@equivalent("torch.overrides.has_torch_function", "torch.overrides.has_torch_function_unary", "torch.overrides.has_torch_function_variadic", drops={"relevant_args": "no tensor overrides functions in MindSpore"})
def has_torch_function(relevant_args):
    """Whether an argument overrides torch functions: never."""
    return False


@equivalent("torch._assert")
def _assert(condition, message):
    """An assertion that torch's tracer keeps; a tensor condition must be true throughout."""
    assert condition, message


@equivalent("torch.jit._unwrap_optional")
def unwrap_optional(x):
    """A value that is not None, to TorchScript's compiler."""
    return x


@equivalent(
    "torch.overrides.handle_torch_function",
    drops={"public_api": "never called", "relevant_args": "never called", "args": "never called", "kwargs": "never called"},
)
def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """What stands behind ``if has_torch_function(…)``, which is never true. https://docs.pytorch.org/docs/2.13/torch.overrides.html"""
    raise Refused("no class overrides PyTorch's functions in MindSpore: call the function itself")
