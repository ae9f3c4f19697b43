"""Facts about CUDA's devices and PyTorch's build. A program that asks is told what PyTorch says where there is no CUDA.

https://docs.pytorch.org/docs/2.13/cuda.html
"""

import mindspore as ms

from mindport.declare import Refused, constant, difference, equivalent
from mindport.equivalents.legacy_constructors import FloatTensor

ONE = {"device": "MindSpore has one device"}
OWN_DEVICE = difference("the device is MindSpore's own, not one of CUDA's: torch raises where CUDA is absent", risk="style", zh="设备由 MindSpore 决定")
NOT_CAUGHT = difference(
    "MindSpore reports memory that runs out as RuntimeError, which an `except` for this class does not catch", risk="loud",
    zh="MindSpore 以 RuntimeError 报告内存不足",
)

constant("torch.cuda._initialized", False)
constant("torch.version.cuda", None)
constant("torch.version.hip", None)
constant("torch.cuda.OutOfMemoryError", MemoryError, differs=[NOT_CAUGHT])
constant("torch.OutOfMemoryError", MemoryError, differs=[NOT_CAUGHT])


@equivalent(
    "torch.cuda.is_initialized", "torch.cuda.is_tf32_supported", "torch.cuda.is_current_stream_capturing", "torch.xpu.is_available",
    "torch.xpu.is_initialized", "torch.xpu.is_bf16_supported", "torch.backends.cuda.is_built", "torch.backends.cudnn.is_available",
    "torch.mps.is_available", "torch.is_vulkan_available", "torch.distributed.is_nccl_available", "torch.distributed.is_mpi_available",
    "torch.distributed.is_ucc_available",
)
def absent_feature():
    """Whether something of CUDA's or of another maker's is at hand."""
    return False


@equivalent("torch.xpu.device_count", "torch.mps.device_count")
def no_devices():
    """The number of devices of another maker."""
    return 0


@equivalent("torch.cuda.init", "torch.xpu.init", "torch.xpu.empty_cache", "torch.mps.empty_cache", "torch.mps.synchronize", "torch.clear_autocast_cache", "torch.compiler.reset")
def nothing():
    """Nothing to do."""
    return None


@equivalent("torch.cuda.current_device", "torch.accelerator.current_device_index", "torch.accelerator.current_device_idx", "torch.xpu.current_device", differs=[OWN_DEVICE])
def current_device():
    """The number of the device: there is one."""
    return 0


@equivalent("torch.cuda.get_device_name", "torch.xpu.get_device_name", drops=ONE, differs=[OWN_DEVICE])
def get_device_name(device=None):
    """The name of the device."""
    return ms.get_context("device_target")


@equivalent("torch.cuda.get_device_capability", drops=ONE, differs=[
    difference("no capability of CUDA is there: programs that compare it take their way for older devices", risk="style", zh="没有 CUDA 计算能力"),
])
def get_device_capability(device=None):
    """The version of CUDA's instructions."""
    return (0, 0)


@equivalent("torch.cuda.get_arch_list", "torch.xpu.get_arch_list", "torch.cuda.get_rng_state_all", "torch.xpu.get_rng_state_all")
def empty_list():
    """What PyTorch's CUDA part was built for, or the states of its generators: nothing."""
    return []


@equivalent("torch.cuda.set_rng_state_all", "torch.xpu.set_rng_state_all", drops={"new_states": "there is no generator of CUDA's: torch.set_rng_state brings all draws back"})
def set_rng_state_all(new_states):
    """Put back the states of CUDA's generators: none were taken."""
    return None


@equivalent("torch.utils.checkpoint.get_device_states", drops={"args": "MindSpore has one generator for all devices, which torch.get_rng_state knows"})
def get_device_states(*args):
    """The devices that tensors are on beside the processor, and the states of their generators: none."""
    return [], []


@equivalent("torch.utils.checkpoint.set_device_states", drops={
    "devices": "MindSpore has one generator for all devices", "states": "MindSpore has one generator for all devices", "device_type": "the device is MindSpore's own",
})
def set_device_states(devices, states, *, device_type=None):
    """Put back the states of the devices' generators: none were taken."""
    return None


@equivalent("torch.set_default_device", drops={"device": "the device is set by mindspore.set_device"})
def set_default_device(device):
    """Choose the device of new tensors: it is MindSpore's own."""
    return None


@equivalent("torch.get_default_device", differs=[difference("a device is its name, a string", risk="style", zh="设备以字符串表示")])
def get_default_device():
    """The device of new tensors."""
    return ms.get_context("device_target")


@equivalent("torch.set_default_tensor_type")
def set_default_tensor_type(t):
    """Choose the class of new floating tensors: only float32 is."""
    if t in ("torch.FloatTensor", "torch.cuda.FloatTensor"):
        return None
    if t in ("torch.DoubleTensor", "torch.HalfTensor", "torch.BFloat16Tensor", "torch.cuda.DoubleTensor", "torch.cuda.HalfTensor", "torch.cuda.BFloat16Tensor"):
        raise Refused("the default dtype is float32 in MindSpore: give dtype= where tensors are made")
    if t is FloatTensor:
        return None
    raise Refused("the default dtype is float32 in MindSpore: give dtype= where tensors are made")


@equivalent(
    "torch.backends.cuda.enable_flash_sdp", "torch.backends.cuda.enable_math_sdp", "torch.backends.cuda.enable_mem_efficient_sdp",
    "torch.backends.cuda.enable_cudnn_sdp", drops={"enabled": "MindSpore chooses its attention kernel by device"},
)
def enable_attention_kernel(enabled):
    """Let one of PyTorch's attention kernels run or not."""
    return None


@equivalent("torch.compiler.is_exporting", "torch._dynamo.is_compiling")
def is_exporting():
    """Whether torch's exporter reads the code."""
    return False


@equivalent("torch.amp.is_autocast_available", drops={"device_type": "the device is MindSpore's own"})
def is_autocast_available(device_type):
    """Whether autocast regions may be entered."""
    return True
