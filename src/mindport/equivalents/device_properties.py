"""What the device says of itself: its name and its memory. Without one, the error that torch raises where CUDA is absent.

https://docs.pytorch.org/docs/2.13/generated/torch.cuda.get_device_properties.html
"""

from types import SimpleNamespace

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, difference, equivalent

ONE = {"device": "MindSpore has one device"}


def own_properties():
    """MindSpore's record of the device, which is set up by a first operator: before it Ascend's memory reads 0."""
    found = ms.hal.get_device_properties(0)
    if found is None:
        raise AssertionError("there is no device but the processor")
    if found.total_memory == 0:
        (ops.zeros((1,)) + 1).asnumpy()
        found = ms.hal.get_device_properties(0)
    return found


@equivalent("torch.cuda.get_device_properties", drops=ONE, differs=[difference("name and memory are those of MindSpore's device; an Ascend device has no CUDA version (0.0), and what else CUDA tells is missing", risk="style", zh="名称与显存取自 MindSpore 的设备；昇腾没有 CUDA 版本号")])
def get_device_properties(device=None):
    """An object with `name`, `total_memory` (bytes), `major` and `minor`, of a GPU the number of its processors, too."""
    found = own_properties()
    told = {"name": found.name, "total_memory": found.total_memory, "major": getattr(found, "major", 0), "minor": getattr(found, "minor", 0)}
    extra = {name: getattr(found, name) for name in ("multi_processor_count", "warp_size", "is_multi_gpu_board", "is_integrated") if hasattr(found, name)}
    return SimpleNamespace(**told, **extra)


@equivalent("torch.cuda.mem_get_info", drops=ONE)
def mem_get_info(device=None):
    """(free, total) bytes of the device's memory."""
    found = own_properties()
    if not hasattr(found, "free_memory"):
        raise Refused("MindSpore does not tell the free memory of this device: nvidia-smi does")
    return found.free_memory, found.total_memory
