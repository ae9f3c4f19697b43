"""Dtypes, devices, copies, sizes and what a tensor tells about itself."""

import mindspore as ms
from mindspore import Parameter, Tensor, ops

from mindport.declare import Refused, absent, equivalent

PLACE = {
    "device": "MindSpore computes on the target that ms.set_device names",
    "non_blocking": "MindSpore orders its own copies",
    "memory_format": "MindSpore chooses the memory order itself",
}


@equivalent("torch.Tensor.to", drops=PLACE)
def to(self, other=None, dtype=None, non_blocking=False, copy=False, *, device=None, memory_format=None):
    """The tensor in another dtype; a device changes nothing. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.to.html

    `other` is what stands first: a dtype, a tensor or a device.
    """
    if copy:
        return Tensor.copy(to(self, other, dtype))
    if isinstance(other, ms.Type):
        return self.to(other)
    if isinstance(other, Tensor):
        return self.to(other.dtype)
    if dtype is None:
        return self
    return self.to(dtype)


@equivalent("torch.Tensor.cpu", drops=PLACE)
def cpu(self, memory_format=None):
    """The tensor itself: MindSpore moves data where an operator needs it."""
    return self


@equivalent("torch.Tensor.share_memory_")
def share_memory_(self):
    """The tensor itself: which processes see its memory changes no value."""
    return self


@equivalent("torch.Tensor.cuda", "torch.Tensor.npu", "torch.Tensor.xpu", drops=PLACE)
def cuda(self, device=None, non_blocking=False, memory_format=None):
    """The tensor itself: MindSpore computes on the target that ms.set_device names."""
    return self


@equivalent("torch.Tensor.pin_memory", drops=PLACE)
def pin_memory(self, device=None):
    """The tensor itself."""
    return self


@equivalent("torch.Tensor.contiguous", drops=PLACE)
def contiguous(self, memory_format=None):
    """The tensor with its elements in row order."""
    return self.contiguous()


@equivalent("torch.Tensor.is_contiguous")
def is_contiguous(self, memory_format=None):
    """Whether the elements lie in row order."""
    if memory_format not in (None, "contiguous_format"):
        raise Refused("MindSpore's tensors have no channels-last order to ask for")
    return self.is_contiguous()


@equivalent("torch.Tensor.float", drops=PLACE)
def tensor_float(self, memory_format=None):
    """float32."""
    return self.float()


@equivalent("torch.Tensor.double", drops=PLACE)
def tensor_double(self, memory_format=None):
    """float64."""
    return self.double()


@equivalent("torch.Tensor.half", drops=PLACE)
def tensor_half(self, memory_format=None):
    """float16."""
    return self.half()


@equivalent("torch.Tensor.bfloat16", drops=PLACE)
def tensor_bfloat16(self, memory_format=None):
    """bfloat16."""
    return self.bfloat16()


@equivalent("torch.Tensor.long", drops=PLACE)
def tensor_long(self, memory_format=None):
    """int64."""
    return self.long()


@equivalent("torch.Tensor.int", drops=PLACE)
def tensor_int(self, memory_format=None):
    """int32."""
    return self.int()


@equivalent("torch.Tensor.short", drops=PLACE)
def tensor_short(self, memory_format=None):
    """int16."""
    return self.short()


@equivalent("torch.Tensor.char", drops=PLACE)
def tensor_char(self, memory_format=None):
    """int8. MindSpore has no such method."""
    return self.astype(ms.int8)


@equivalent("torch.Tensor.byte", drops=PLACE)
def tensor_byte(self, memory_format=None):
    """uint8."""
    return self.byte()


@equivalent("torch.Tensor.bool", drops=PLACE)
def tensor_bool(self, memory_format=None):
    """True where nonzero."""
    return self.bool()


TENSOR_TYPES = {
    "torch.FloatTensor": ms.float32, "torch.DoubleTensor": ms.float64, "torch.HalfTensor": ms.float16,
    "torch.BFloat16Tensor": ms.bfloat16, "torch.LongTensor": ms.int64, "torch.IntTensor": ms.int32,
    "torch.ShortTensor": ms.int16, "torch.CharTensor": ms.int8, "torch.ByteTensor": ms.uint8, "torch.BoolTensor": ms.bool_,
    "torch.ComplexFloatTensor": ms.complex64, "torch.ComplexDoubleTensor": ms.complex128,
}  # fmt: skip


@equivalent("torch.Tensor.type", drops=PLACE)
def tensor_type(self, dtype=None, non_blocking=False):
    """The tensor in another dtype; without an argument the name of torch's class for its dtype in the host's memory ("torch.FloatTensor").

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.type.html
    """
    if dtype is None:
        return type_name(self)
    if isinstance(dtype, ms.Type):
        return self.type(dtype)
    if isinstance(dtype, str):
        return self.type(TENSOR_TYPES[dtype.replace(".cuda", "")])
    return self.type(ms.float32 if dtype is Tensor else dtype.dtype)


def type_name(tensor):
    """"torch.LongTensor" of int64, and so on."""
    names = {str(kind): name for name, kind in TENSOR_TYPES.items()}
    return names.get(str(tensor.dtype), f"torch.{tensor.dtype}Tensor")


@equivalent("torch.Tensor.type_as")
def type_as(self, tensor):
    """The tensor in the other's dtype."""
    return self.type_as(tensor)


@equivalent("torch.Tensor.numpy", drops={"force": "there is no device or graph to leave first"})
def numpy(self, *, force=False):
    """The elements as an array on the same memory."""
    return self.asnumpy()


@equivalent("torch.Tensor.item")
def item(self):
    """The only element as a Python number."""
    return self.item()


@equivalent("torch.Tensor.tolist")
def tolist(self):
    """The elements as nested lists of Python numbers."""
    return self.tolist()


@equivalent("torch.clone", "torch.Tensor.clone", drops=PLACE)
def clone(input, *, memory_format=None):
    """A copy on memory of its own, with a gradient: `Parameter.copy` is a new parameter without one. `Tensor.clone` has no CPU kernel."""
    return Tensor.copy(input)


@equivalent("torch.detach", "torch.Tensor.detach", view=True)
def detach(input):
    """The same memory, without a gradient."""
    return ops.stop_gradient(input)


@equivalent("torch.Tensor.detach_")
def detach_(self):
    """The same tensor, without a gradient, for all who hold it."""
    if getattr(self, "_requires_grad", True):  # what has no graph stays, also because MindSpore lets nobody assign to a function's inputs
        self.assign_value(ops.stop_gradient(self))
    return self


@equivalent("torch.is_tensor")
def is_tensor(obj):
    """Whether the object is a tensor."""
    return ops.is_tensor(obj)


@equivalent("torch.is_floating_point")
def is_floating_point(input):
    """Whether the dtype is floating."""
    return ops.is_floating_point(input)


@equivalent("torch.Tensor.is_floating_point")
def tensor_is_floating_point(self):
    """Whether the dtype is floating."""
    return self.is_floating_point()


@equivalent("torch.is_complex")
def is_complex(input):
    """Whether the dtype is complex."""
    return ops.is_complex(input)


@equivalent("torch.Tensor.is_complex")
def tensor_is_complex(self):
    """Whether the dtype is complex."""
    return self.is_complex()


@equivalent("torch.Tensor.is_signed")
def tensor_is_signed(self):
    """Whether the dtype has negative numbers; MindSpore's own method says no for float16."""
    return self.dtype not in (ms.bool_, ms.uint8, ms.uint16, ms.uint32, ms.uint64)


@equivalent("torch.numel")
def numel(input):
    """The number of elements."""
    return ops.numel(input)


@equivalent("torch.Tensor.numel", "torch.Tensor.nelement")
def tensor_numel(self):
    """The number of elements."""
    return self.numel()


@equivalent("torch.Tensor.dim", "torch.Tensor.ndimension")
def tensor_dim(self):
    """The number of axes."""
    return self.dim()


@equivalent("torch.Tensor.size")
def size(self, dim=None):
    """The shape, or the length of one axis. `Tensor.size` is the number of elements in MindSpore."""
    if dim is None:
        return self.shape
    return self.shape[dim]


@equivalent("torch.Tensor.element_size")
def element_size(self):
    """The bytes of one element."""
    return self.itemsize


@equivalent("torch.Tensor.data_ptr")
def data_ptr(self):
    """The address of the first element."""
    return self.data_ptr()


@equivalent("torch.Tensor.stride")
def stride(self, dim=None):
    """The steps between neighbours along each axis, or one, in elements."""
    if dim is None:
        return tuple(self.stride())
    return self.stride()[dim]


@equivalent("torch.Tensor.requires_grad_")
def requires_grad_(self, requires_grad=True):
    """The tensor, its gradient wanted or not where it is a Parameter: others have no such flag."""
    if isinstance(self, Parameter):
        setattr(self, "requires_grad", requires_grad)  # noqa: B010 (an assignment to an attribute of `self` does not compile)
    return self


absent(
    "torch.Tensor.backward",
    why="MindSpore returns gradients from ms.value_and_grad and stores none on tensors",
    rung="packaged",
)
