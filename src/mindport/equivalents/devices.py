"""Devices and global settings. MindSpore places tensors by its context, not one by one."""

import math
from contextlib import nullcontext

import mindspore as ms

from mindport.declare import Refused, attribute, difference, equivalent

PLACED = difference(
    "the device is MindSpore's own, set by mindspore.set_device; the call counts no CUDA devices", risk="style", zh="设备由 MindSpore 上下文决定"
)

#: What was asked for, which the kernels, once deterministic, do not tell.
ASKED = {"deterministic": False}


@equivalent("torch.cuda.is_available", "torch.backends.mps.is_available", "torch.backends.mps.is_built", "torch.cuda.is_bf16_supported", "torch.accelerator.is_available", differs=[PLACED])
def is_available():
    """Whether CUDA is at hand: MindSpore's device is set by its context."""
    return False


@equivalent("torch.backends.mkldnn.is_available", differs=[
    difference("PyTorch's own CPU kernels are not at work; a program that asks for them takes its other way", risk="style", zh="PyTorch 自带的 CPU 加速库不起作用"),
])
def onednn_is_available():
    """Whether torch's kernels of oneDNN are at hand: MindSpore chooses its own. https://docs.pytorch.org/docs/2.13/backends.html"""
    return False


@equivalent("torch.cuda.device_count", "torch.accelerator.device_count", differs=[PLACED])
def device_count():
    """The number of CUDA devices."""
    return 0


@equivalent("torch.accelerator.current_accelerator", differs=[PLACED], drops={"check_available": "no accelerator is counted either way"})
def current_accelerator(check_available=False):
    """The accelerator to place tensors on: none is chosen tensor by tensor."""
    return None


@equivalent("torch.cuda.empty_cache", "torch.cuda.ipc_collect", "torch.accelerator.empty_cache")
def empty_cache():
    """Hand cached memory back: nothing to do."""
    return None


@equivalent("torch.cuda.synchronize", "torch.accelerator.synchronize", drops={"device": "MindSpore has one device"})
def synchronize(device=None):
    """Wait for the device."""
    return ms.runtime.synchronize()


@equivalent("torch.cuda.set_device", "torch.accelerator.set_device_index", "torch.accelerator.set_device_idx", drops={"device": "the device is set by mindspore.set_device"}, differs=[PLACED])
def set_device(device):
    """Choose the CUDA device."""
    return None


@equivalent("torch.device", differs=[difference("a device is its name, a string", risk="style", zh="设备以字符串表示")])
def device(type, index=None):
    """A device, by its name."""
    if index is None:
        return type
    return f"{type}:{index}"


@equivalent("torch.device_as_context", drops={"index": "MindSpore has one device"})
def entered_device(type, index=None):
    """What ``with torch.device(…)`` enters: tensors are made on the device that `mindspore.set_device` chose."""
    if type == "meta":
        raise Refused("the meta device: MindSpore's tensors and parameters always hold values")
    return nullcontext()


@attribute("torch.device.type")
def device_type(self):
    """The kind of a device, from its name."""
    kind, _, _ = str(self).partition(":")
    return kind.lower()


@attribute("torch.device.index")
def device_index(self):
    """The number of a device, from its name; None where the name has none."""
    _, _, number = str(self).partition(":")
    return int(number) if number else None


@equivalent("torch.Size")
def Size(iterable=()):
    """The lengths of axes, a tuple."""
    return tuple(iterable)


@equivalent("torch.Size.numel")
def size_numel(self):
    """The number of elements of a tensor with these lengths."""
    return math.prod(self)


@equivalent("torch.get_default_dtype")
def get_default_dtype():
    """The dtype of new floating tensors: float32."""
    return ms.float32


@equivalent("torch.set_default_dtype")
def set_default_dtype(d):
    """Choose the dtype of new floating tensors: only float32 is."""
    if d != ms.float32:
        raise Refused("the default dtype is float32 in MindSpore: give dtype= where tensors are made")
    return None


@equivalent("torch.set_num_threads", "torch.set_num_interop_threads", drops={"int": "MindSpore's threads are set by mindspore.runtime.set_cpu_affinity"})
def set_num_threads(int):
    """The number of CPU threads."""
    return None


@equivalent("torch.use_deterministic_algorithms", drops={"warn_only": "MindSpore raises nothing here"})
def use_deterministic_algorithms(mode, *, warn_only=False):
    """Ask for deterministic kernels. `mindspore.set_deterministic` raises when it is called again: once they are deterministic they stay so."""
    ASKED["deterministic"] = bool(mode)
    if mode and ms.get_context("deterministic") != "ON":
        ms.set_deterministic(True)
