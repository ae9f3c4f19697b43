"""How much memory the device holds: questions about CUDA's allocator, answered by MindSpore's memory pool.

https://docs.pytorch.org/docs/2.13/cuda.html#memory-management
"""

import mindspore as ms

from mindport.declare import difference, equivalent

ONE = {"device": "MindSpore has one device"}
POOL = difference("the bytes are those of MindSpore's memory pool on its device (0 on CPU), not of CUDA's allocator", risk="style", zh="数值来自 MindSpore 的内存池，而非 CUDA 的分配器")


@equivalent("torch.cuda.memory_allocated", "torch.accelerator.memory_allocated", "torch.xpu.memory_allocated", drops=ONE, differs=[POOL])
def memory_allocated(device=None):
    """The bytes that tensors hold."""
    return ms.runtime.memory_allocated()


@equivalent("torch.cuda.max_memory_allocated", "torch.accelerator.max_memory_allocated", "torch.xpu.max_memory_allocated", drops=ONE, differs=[POOL])
def max_memory_allocated(device=None):
    """The most bytes that tensors held."""
    return ms.runtime.max_memory_allocated()


@equivalent("torch.cuda.memory_reserved", "torch.cuda.memory_cached", "torch.accelerator.memory_reserved", "torch.xpu.memory_reserved", drops=ONE, differs=[POOL])
def memory_reserved(device=None):
    """The bytes that the pool holds."""
    return ms.runtime.memory_reserved()


@equivalent("torch.cuda.max_memory_reserved", "torch.cuda.max_memory_cached", "torch.accelerator.max_memory_reserved", "torch.xpu.max_memory_reserved", drops=ONE, differs=[POOL])
def max_memory_reserved(device=None):
    """The most bytes that the pool held."""
    return ms.runtime.max_memory_reserved()


@equivalent("torch.cuda.memory_stats", "torch.accelerator.memory_stats", "torch.xpu.memory_stats", drops=ONE, differs=[
    difference("of torch's counters there are the bytes allocated and reserved, now and at most, as MindSpore's memory pool counts them", risk="loud", zh="仅有已分配与已保留字节数"),
])
def memory_stats(device=None):
    """Counters of the pool by torch's names."""
    return {
        "allocated_bytes.all.current": ms.runtime.memory_allocated(), "allocated_bytes.all.peak": ms.runtime.max_memory_allocated(),
        "reserved_bytes.all.current": ms.runtime.memory_reserved(), "reserved_bytes.all.peak": ms.runtime.max_memory_reserved(),
    }


@equivalent("torch.cuda.memory_summary", drops={**ONE, "abbreviated": "the text is MindSpore's"}, differs=[difference("the text is MindSpore's", risk="style", zh="文本由 MindSpore 给出")])
def memory_summary(device=None, abbreviated=False):
    """A table of the pool's counters."""
    return ms.runtime.memory_summary()


@equivalent(
    "torch.cuda.reset_peak_memory_stats", "torch.cuda.reset_max_memory_allocated", "torch.cuda.reset_max_memory_cached",
    "torch.accelerator.reset_peak_memory_stats", "torch.xpu.reset_peak_memory_stats", drops=ONE,
)
def reset_peak_memory_stats(device=None):
    """The most counts from now on."""
    return ms.runtime.reset_peak_memory_stats()


@equivalent("torch.cuda.set_per_process_memory_fraction", "torch.xpu.set_per_process_memory_fraction", drops={
    **ONE, "fraction": "MindSpore's memory is limited before the first tensor, in bytes: mindspore.runtime.set_memory(max_size=…)",
}, differs=[difference("nothing is limited: mindspore.runtime.set_memory(max_size=…) limits MindSpore's memory", risk="style", zh="不限制内存")])
def set_per_process_memory_fraction(fraction, device=None):
    """Limit what this process takes of the device's memory: nothing to do."""
    return None
