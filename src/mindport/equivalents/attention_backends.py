"""Which of PyTorch's attention kernels may run: MindSpore chooses by device, every choice computes the same."""

from contextlib import contextmanager

from mindport.declare import constant, equivalent

constant("torch.nn.attention.SDPBackend.MATH", "MATH")
constant("torch.nn.attention.SDPBackend.FLASH_ATTENTION", "FLASH_ATTENTION")
constant("torch.nn.attention.SDPBackend.EFFICIENT_ATTENTION", "EFFICIENT_ATTENTION")
constant("torch.nn.attention.SDPBackend.CUDNN_ATTENTION", "CUDNN_ATTENTION")


@contextmanager
def any_kernel():
    """A region in which nothing is otherwise; also a decorator, as torch's is."""
    yield


@equivalent("torch.nn.attention.sdpa_kernel", drops={
    "backends": "MindSpore chooses its attention kernel by device", "set_priority": "MindSpore chooses its attention kernel by device",
})
def sdpa_kernel(backends, set_priority=False):
    """The region as it is. https://docs.pytorch.org/docs/2.13/generated/torch.nn.attention.sdpa_kernel.html"""
    return any_kernel()


@equivalent("torch.backends.cuda.sdp_kernel", drops={
    "enable_flash": "MindSpore chooses its attention kernel by device", "enable_math": "MindSpore chooses its attention kernel by device",
    "enable_mem_efficient": "MindSpore chooses its attention kernel by device", "enable_cudnn": "MindSpore chooses its attention kernel by device",
})
def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    """The region as it is; deprecated in torch. https://docs.pytorch.org/docs/2.13/backends.html#torch.backends.cuda.sdp_kernel"""
    return any_kernel()
