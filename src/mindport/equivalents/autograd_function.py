"""Functions with a backward pass of their own. `ms._Function` computes what `torch.autograd.Function` computes, eagerly.

Measured on the CPU, first and second order: contexts, `setup_context`, several outputs, outputs without gradient,
None for what needs none, too few gradients (an error), `mark_dirty`. The compiler of `ms.jit` refuses the class.
"""

import mindspore as ms

from mindport.declare import absent, constant, difference, equivalent

EAGER_ONLY = difference(
    "mindspore's function with a backward pass of its own runs eagerly only: ms.jit raises an error where it meets one; "
    "in a graph write a Cell with a method bprop", risk="loud", zh="只在 PyNative 模式下工作",
)

constant("torch.autograd.Function", ms._Function, differs=[EAGER_ONLY])
constant("torch.autograd.function.FunctionCtx", ms._Function)


@equivalent("torch.autograd.function.once_differentiable")
def once_differentiable(fn):
    """A mark that the backward pass has no gradient of its own; here it has one where its operators have."""
    return fn


absent(
    "torch.autograd.function.InplaceFunction", "torch.autograd.function.NestedIOFunction",
    why="an old base class of functions with a backward pass: derive from torch.autograd.Function before converting",
)
