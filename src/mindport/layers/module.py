"""torch.nn.Module is nn.Cell: the class, its modes, conversions and hooks.

Iteration over the tree: `module_tree.py`; checkpoints: `state_dict.py`; torch's names: `state_names.py`.
"""

import mindspore as ms
from mindspore import Tensor, nn

from mindport.declare import Refused, absent, attribute, difference, equivalent, layer

PLACE = {
    "device": "MindSpore computes on the target that ms.set_device names",
    "non_blocking": "MindSpore decides how it copies",
    "memory_format": "MindSpore decides the layout in memory",
}

NO_KERNELS = difference(
    "on CPU there are no kernels of float64 for convolutions, batch normalisation, PReLU, ReLU6, Softshrink and Hardshrink (nor a gradient of AvgPool3d): such layers raise",
    when="'Conv' in str(self) or 'BatchNorm' in str(self) or 'PReLU' in str(self) or 'ReLU6' in str(self) or 'shrink' in str(self) or 'AvgPool3d' in str(self)",
    risk="loud", zh="CPU 上卷积、批归一化、PReLU、ReLU6、Softshrink、Hardshrink 没有 float64 核函数",
)  # fmt: skip


@layer("torch.nn.Module")
class Module(nn.Cell):
    """The base class of everything with parameters. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html"""


@equivalent("torch.nn.Module.train")
def train(self, mode=True):
    """Sets training mode on this cell and all inside it; the cell itself is the result."""
    return self.set_train(mode)


@equivalent("torch.nn.Module.eval")
def evaluation(self):
    """Sets evaluation mode on this cell and all inside it; the cell itself is the result."""
    return self.set_train(False)


@attribute("torch.nn.Module.training")
def training(self):
    """Whether the cell is in training mode."""
    return self.training


def overridden(self, name):
    """Whether the cell's class has a method of its own under a name: what that method calls with ``super()`` may not call it again."""
    return getattr(type(self), name) is not getattr(nn.Cell, name)


def converted_cell(self, other, dtype):
    """MindSpore's own `to`, where a class has another one."""
    dtype = other if isinstance(other, ms.Type) else other.dtype if isinstance(other, Tensor) else dtype
    return self if dtype is None else nn.Cell.to(self, dtype=dtype)


@equivalent("torch.nn.Module.to", drops=PLACE)
def to(self, other=None, dtype=None, non_blocking=False, *, device=None, memory_format=None):
    """Parameters and buffers in another floating dtype; a device changes nothing.

    `other` is what stands first: a dtype, a tensor or a device.
    """
    if overridden(self, "to"):
        return converted_cell(self, other, dtype)
    if isinstance(other, ms.Type):
        return self.to(dtype=other)
    if isinstance(other, Tensor):
        return self.to(dtype=other.dtype)
    if dtype is None:
        return self
    return self.to(dtype=dtype)


@equivalent("torch.nn.Module.cuda", "torch.nn.Module.xpu", "torch.nn.Module.ipu", drops=PLACE)
def cuda(self, device=None):
    """The cell itself: MindSpore computes on the target that ms.set_device names."""
    return self


@equivalent("torch.nn.Module.cpu", "torch.nn.Module.share_memory")
def cpu(self):
    """The cell itself: MindSpore moves data where an operator needs it."""
    return self


@equivalent("torch.nn.RNNBase.flatten_parameters")
def flatten_parameters(self):
    """Nothing: torch moves the weights of a recurrent layer together for cuDNN, which changes no value."""
    return None


@equivalent("torch.nn.Module.half")
def half(self):
    """Floating parameters and buffers as float16."""
    return self.to(dtype=ms.float16)


@equivalent("torch.nn.Module.bfloat16")
def bfloat16(self):
    """Floating parameters and buffers as bfloat16."""
    return self.to(dtype=ms.bfloat16)


@equivalent("torch.nn.Module.float")
def single(self):
    """Floating parameters and buffers as float32."""
    return self.to(dtype=ms.float32)


@equivalent("torch.nn.Module.double", differs=[NO_KERNELS])
def double(self):
    """Floating parameters and buffers as float64."""
    return self.to(dtype=ms.float64)


@equivalent("torch.nn.Module.type")
def cast(self, dst_type):
    """Floating parameters and buffers as dst_type, a dtype or a class of tensors (`torch.FloatTensor`).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html#torch.nn.Module.type
    """
    if isinstance(dst_type, str):
        raise Refused("a type name such as 'torch.FloatTensor': give a dtype")
    if isinstance(dst_type, ms.Type):
        return self.to(dtype=dst_type)
    return self.to(dtype=ms.float32 if dst_type is Tensor else dst_type.dtype)


@equivalent("torch.nn.Module.apply")
def apply(self, fn):
    """Calls fn on every cell, the innermost first, then on this one."""
    return self.apply(fn)


@equivalent("torch.nn.Module.extra_repr")
def extra_repr(self):
    """What stands between the parentheses when the cell is printed."""
    return self.extend_repr()


@equivalent("torch.nn.Module.register_forward_hook")
def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
    """Calls hook(cell, args, output) after each call; what it returns (unless None) replaces the output."""
    return self.register_forward_hook(hook, prepend=prepend, with_kwargs=with_kwargs, always_call=always_call)


@equivalent("torch.nn.Module.register_forward_pre_hook")
def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
    """Calls hook(cell, args) before each call; what it returns (unless None) replaces the arguments."""
    return self.register_forward_pre_hook(hook, prepend=prepend, with_kwargs=with_kwargs)


@equivalent("torch.utils.hooks.RemovableHandle.remove")
def remove(self):
    """Takes the hook away."""
    return self.remove()


@equivalent("torch.nn.Module.register_full_backward_hook", "torch.nn.Module.register_backward_hook")
def register_full_backward_hook(self, hook, prepend=False):
    """Calls hook(cell, grad_input, grad_output) when the gradient passes through the cell."""
    if prepend:
        raise Refused("prepend: register the hook before the others")
    return self.register_backward_hook(hook)


@equivalent("torch.nn.Module.register_full_backward_pre_hook")
def register_full_backward_pre_hook(self, hook, prepend=False):
    """Calls hook(cell, grad_output) before the gradient passes through the cell."""
    if prepend:
        raise Refused("prepend: register the hook before the others")
    return self.register_backward_pre_hook(hook)


absent("torch.nn.Module.to_empty", why="a cell always holds data, and has no state without it")
