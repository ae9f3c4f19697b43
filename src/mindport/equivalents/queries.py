"""What torch tells about tensors, dtypes and settings, and settings that change nothing in MindSpore.

Views of the conjugate and of the negative do not exist in MindSpore: no tensor is one, and making it real is the identity.
"""

import sys

import mindspore as ms
import numpy as np
from mindspore import ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.devices import ASKED, use_deterministic_algorithms

NO_STATE = difference("MindSpore has no such setting: the value is torch's default, whatever was set", risk="style", zh="MindSpore 无此设置, 返回 torch 的默认值")
#: Why a question about a tensor does not look at it.
NONE = "the answer is the same for all tensors of MindSpore"
DTYPES = {
    "kinds": ((ms.bool_,), (ms.uint8, ms.int8, ms.int16, ms.int32, ms.int64), (ms.float16, ms.bfloat16, ms.float32, ms.float64), (ms.complex64, ms.complex128)),
}


@equivalent(
    "torch.is_conj", "torch.Tensor.is_conj", "torch.is_neg", "torch.Tensor.is_neg", "torch.is_distributed", "torch.Tensor.is_distributed",
    drops={"input": NONE}, differs=[difference("MindSpore conjugates at once: no tensor is a lazy conjugate or negative", zh="MindSpore 立即求共轭，不存在惰性共轭张量")],
)  # fmt: skip
def is_conj(input):
    """Whether the tensor is a lazy conjugate, a lazy negative or distributed: none is."""
    return False


@equivalent("torch.is_inference", "torch.Tensor.is_inference", drops={"input": NONE})
def is_inference(input):
    """Whether the tensor was made in inference mode: MindSpore has no such tensors."""
    return False


@equivalent("torch.is_inference_mode_enabled", "torch.is_anomaly_enabled", "torch.is_warn_always_enabled", "torch.is_deterministic_algorithms_warn_only_enabled", differs=[NO_STATE])
def is_inference_mode_enabled():
    """Whether inference mode, anomaly detection or repeated warnings are on: MindSpore has none of them."""
    return False


@equivalent("torch.is_anomaly_check_nan_enabled", differs=[NO_STATE])
def is_anomaly_check_nan_enabled():
    """Whether anomaly detection looks for NaN, torch's default."""
    return True


@equivalent("torch.Tensor.is_pinned", drops={"device": "MindSpore pins no memory"}, differs=[difference("no tensor of MindSpore is pinned", risk="style", zh="MindSpore 张量不会被锁页")])
def is_pinned(self, device=None):
    """Whether the memory is pinned: never."""
    return False


@equivalent("torch.Tensor.is_shared", differs=[difference("no tensor of MindSpore is shared", risk="style", zh="MindSpore 张量不会被共享")])
def is_shared(self):
    """Whether the memory is shared between processes: never."""
    return False


@equivalent("torch.resolve_conj", "torch.Tensor.resolve_conj", "torch.resolve_neg", "torch.Tensor.resolve_neg")
def resolve_conj(input):
    """The tensor itself: MindSpore has no lazy conjugates and negatives."""
    return input


@equivalent("torch.is_signed")
def is_signed(input):
    """Whether the dtype has negative numbers."""
    return input.dtype not in (ms.bool_, ms.uint8, ms.uint16, ms.uint32, ms.uint64)


@equivalent("torch.is_nonzero", "torch.Tensor.is_nonzero")
def is_nonzero(input):
    """Whether the only element differs from zero; RuntimeError unless there is exactly one."""
    if input.size != 1:
        raise RuntimeError(f"is_nonzero takes a tensor with one element, not {input.size}")
    return bool(input.astype(ms.bool_).all())


@equivalent("torch.is_same_size", "torch.Tensor.is_same_size")
def is_same_size(input, other):
    """Whether the shapes are equal."""
    return input.shape == other.shape


@equivalent("torch.is_storage", drops={"obj": "MindSpore has no objects of that kind"})
def is_storage(obj):
    """Whether the object is a storage: MindSpore shows none."""
    return False


@equivalent("torch.get_device", "torch.Tensor.get_device", drops={"input": "tensors have no device of their own"}, differs=[difference("the answer is that of a CPU tensor, -1, whatever the device", risk="loud", zh="恒为 CPU 张量的 -1")])
def get_device(input):
    """The number of the GPU, -1 for a tensor on the CPU."""
    return -1


@equivalent("torch.broadcast_shapes")
def broadcast_shapes(*shapes):
    """The shape that results from broadcasting; numbers stand for vectors. RuntimeError where the shapes do not fit."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise RuntimeError(f"the shapes {shapes} cannot be broadcast together") from error


def kind(dtype):
    """0 for bool, 1 for integers, 2 for floating, 3 for complex; Refused for others."""
    for number, kinds in enumerate(DTYPES["kinds"]):
        if dtype in kinds:
            return number
    raise Refused(f"promotion of {dtype} is not known: cast both operands")


@equivalent("torch.can_cast")
def can_cast(from_, to):
    """Whether `from_` may be cast without losing its kind (bool < integer < floating < complex). Source: torch's type promotion rules."""
    return kind(from_) <= kind(to)


@equivalent("torch.promote_types")
def promote_types(type1, type2):
    """The smallest dtype that both fit in: the higher kind wins, within a kind the larger.

    uint8 with a signed integer takes the next larger signed one, float16 with bfloat16 float32, complex64 with float64 complex128.
    """
    if type1 == type2:
        return type1
    first, second = kind(type1), kind(type2)
    low, high = (type1, type2) if first <= second else (type2, type1)
    pair = (low, high)
    if ms.float64 in pair and ms.complex64 in pair:
        return ms.complex128
    if first != second:
        return high
    if ms.uint8 in pair and ms.int8 in pair:
        return ms.int16
    if ms.float16 in pair and ms.bfloat16 in pair:
        return ms.float32
    order = DTYPES["kinds"][first]
    return order[max(order.index(type1), order.index(type2))]


def complex_of(dtype):
    """The complex dtype whose parts have a floating dtype."""
    if dtype == ms.float16:
        raise Refused("float16 with a complex operand gives complex32, which MindSpore lacks: cast to float32 first")
    return ms.complex128 if dtype == ms.float64 else ms.complex64


def stronger(higher, lower):
    """The dtype of two operands of which `higher` has priority (None: no operand): only a higher kind of the other changes it."""
    if higher is None or lower is None or kind(higher) == 3:
        return lower if higher is None else higher
    if kind(higher) == 2:
        return complex_of(higher) if kind(lower) == 3 else higher
    if higher == ms.bool_ or kind(lower) >= 2:
        return promote_types(higher, lower)
    return higher


@equivalent("torch.result_type")
def result_type(tensor1, tensor2):
    """The dtype of an arithmetic result of two tensors or numbers.

    Tensors with axes come before 0-d tensors, these before numbers; an operand of lower priority changes the dtype
    only by its kind. Source: torch's type promotion rules, https://docs.pytorch.org/docs/2.13/tensor_attributes.html
    """
    ranks = [None, None, None]
    for value in (tensor1, tensor2):
        if isinstance(value, ms.Tensor):
            rank, dtype = (0 if value.ndim else 1), value.dtype
        elif isinstance(value, bool):
            rank, dtype = 2, ms.bool_
        elif isinstance(value, int):
            rank, dtype = 2, ms.int64
        else:
            rank, dtype = 2, ms.complex64 if isinstance(value, complex) else ms.float32
        ranks[rank] = dtype if ranks[rank] is None else promote_types(ranks[rank], dtype)
    return stronger(ranks[0], stronger(ranks[1], ranks[2]))


@equivalent("torch.typename", differs=[difference("a tensor's name is torch.FloatTensor and the like; a MindSpore tensor's is its class", risk="style", zh="返回 MindSpore 的类名")])
def typename(obj):
    """The name of the object's type with its module."""
    if isinstance(obj, type):
        return f"{obj.__module__}.{obj.__qualname__}" if obj.__module__ != "builtins" else obj.__qualname__
    cls = type(obj)
    return f"{cls.__module__}.{cls.__qualname__}" if cls.__module__ != "builtins" else cls.__qualname__


@equivalent("torch.set_printoptions", differs=[difference("MindSpore prints through NumPy: the options are NumPy's, the layout of the text differs", risk="style", zh="通过 NumPy 打印, 格式不同")])
def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Set how tensors are printed: NumPy's options, by which MindSpore prints. `profile` ("default", "short", "full") sets four of them."""
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    if profile is not None:
        short = profile.lower() == "short"
        start = {"precision": 2 if short else 4, "threshold": sys.maxsize if profile.lower() == "full" else 1000, "edgeitems": 2 if short else 3, "linewidth": 80}
        given = {name: start[name] if value is None else value for name, value in given.items()}
    if sci_mode is not None:
        given["suppress"] = not sci_mode
    np.set_printoptions(**{name: value for name, value in given.items() if value is not None})
    return None


@equivalent("torch.set_warn_always", drops={"b": "MindSpore repeats its warnings by its own rules"})
def set_warn_always(b):
    """Ask for every warning each time: nothing to do."""
    return None


@equivalent("torch.set_anomaly_enabled", drops={"check_nan": "there is no anomaly detection to ask for it"})
def set_anomaly_enabled(enabled, check_nan=True):
    """Anomaly detection of gradients: only switching it off can be done."""
    if enabled:
        raise Refused("MindSpore has no anomaly detection: mindspore.set_context(pynative_synchronize=True) shows where an operator fails")
    return None


@equivalent("torch.set_float32_matmul_precision", drops={"precision": "MindSpore chooses the precision of float32 products by device"})
def set_float32_matmul_precision(precision):
    """How exact float32 products are: nothing to do."""
    return None


@equivalent("torch.set_deterministic_debug_mode")
def set_deterministic_debug_mode(debug_mode):
    """Ask for deterministic kernels: modes other than 0 and "default" switch them on; MindSpore reports none that is missing."""
    use_deterministic_algorithms(debug_mode not in (0, "default"))


@equivalent("torch.get_float32_matmul_precision", differs=[NO_STATE])
def get_float32_matmul_precision():
    """How exact float32 products are: torch's default."""
    return "highest"


@equivalent("torch.get_deterministic_debug_mode", differs=[NO_STATE])
def get_deterministic_debug_mode():
    """How nondeterministic operators are reported: not at all, torch's default."""
    return 0


@equivalent("torch.are_deterministic_algorithms_enabled")
def are_deterministic_algorithms_enabled():
    """Whether deterministic kernels were asked for."""
    return ASKED["deterministic"]


@equivalent("torch.set_flush_denormal", drops={"mode": "MindSpore does not flush denormal numbers"}, differs=[difference("the answer is that flushing is not supported", risk="style", zh="返回不支持")])
def set_flush_denormal(mode):
    """Flush denormal numbers to zero: not supported, which False says."""
    return False


@equivalent("torch.get_num_threads", "torch.get_num_interop_threads", differs=[difference("it is the number of MindSpore's CPU threads", risk="style", zh="返回 MindSpore 的线程数")])
def get_num_threads():
    """The number of CPU threads."""
    return ms.get_context("runtime_num_threads")


@equivalent("torch.Tensor.sum_to_size", differs=[difference("an empty tensor gives unspecified values", when="self.numel() == 0", zh="空张量的结果不确定")])
def sum_to_size(self, *size):
    """Sum over the axes that broadcasting would repeat, so that the shape is `size`."""
    shape = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else tuple(size)
    lead = self.ndim - len(shape)
    repeated = tuple(i for i in range(self.ndim) if i < lead or shape[i - lead] == 1 != self.shape[i])
    summed = ops.sum(self, repeated, keepdim=True) if repeated else self
    return summed.reshape(shape)


def number(value):
    """What is formatted: a tensor of one element as its number, anything else as it is."""
    return value.item() if isinstance(value, ms.Tensor) and value.size == 1 else value


@equivalent("torch.dtype.__str__")
def dtype_text(self):
    """A dtype's text: ``torch.float32``."""
    return f"torch.{self}".lower()
