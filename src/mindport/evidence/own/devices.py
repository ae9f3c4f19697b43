"""What programs ask about devices, memory and streams, on a machine without CUDA: torch's answers there are the right ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from mindport.evidence.samples import Sample, own
from mindport.evidence.scenarios import Side, scenario


@own(
    "torch.cuda.memory_allocated", "torch.cuda.max_memory_allocated", "torch.cuda.memory_reserved", "torch.cuda.max_memory_reserved",
    "torch.cuda.is_initialized", "torch.cuda.is_tf32_supported", "torch.xpu.is_available", "torch.xpu.is_initialized",
    "torch.backends.cuda.is_built", "torch.backends.cudnn.is_available", "torch.distributed.is_nccl_available", "torch.distributed.is_mpi_available",
    "torch.distributed.is_ucc_available", "torch.xpu.device_count", "torch.xpu.empty_cache", "torch.clear_autocast_cache", "torch.compiler.reset",
    "torch.cuda.get_arch_list", "torch.cuda.get_rng_state_all", "torch.compiler.is_exporting", "torch._dynamo.is_compiling",
)  # fmt: skip
def nothing(dtype: torch.dtype) -> Iterator[Sample]:
    """No arguments."""
    if dtype == torch.float32:
        yield Sample(eager=True)


@own("torch.amp.is_autocast_available", "torch.set_default_device")
def processor(dtype: torch.dtype) -> Iterator[Sample]:
    """The device that both sides have."""
    if dtype == torch.float32:
        yield Sample(("cpu",), eager=True)


@own("torch.cuda.set_rng_state_all")
def no_states(dtype: torch.dtype) -> Iterator[Sample]:
    """No generators."""
    if dtype == torch.float32:
        yield Sample(([],), eager=True)


@own("torch.utils.checkpoint.get_device_states")
def tensors(dtype: torch.dtype) -> Iterator[Sample]:
    """Tensors and other values."""
    if dtype == torch.float32:
        yield Sample((torch.ones(2), 3, None, torch.zeros(1)), eager=True)
        yield Sample((), eager=True)


@own("torch.utils.checkpoint.set_device_states")
def states(dtype: torch.dtype) -> Iterator[Sample]:
    """What get_device_states gave."""
    if dtype == torch.float32:
        yield Sample(([], []), eager=True)


@own("torch.backends.cuda.enable_flash_sdp", "torch.backends.cuda.enable_math_sdp", "torch.backends.cuda.enable_mem_efficient_sdp", "torch.backends.cuda.enable_cudnn_sdp")
def switches(dtype: torch.dtype) -> Iterator[Sample]:
    """The default."""
    if dtype == torch.float32:
        yield Sample((True,), eager=True)


@scenario("torch.cuda.device", "torch.cuda.stream")
def regions(side: Side) -> Any:
    """A region around other code, left by an error too."""
    found = []
    for which in (-1, -1) if side.name.endswith("device") else (None, None):
        with side.call(which):
            found.append(1)
        try:
            with side.call(which):
                raise KeyError("inside")
        except KeyError:
            found.append(2)
    return found


@scenario("torch.set_default_tensor_type")
def classes(side: Side) -> Any:
    """float32 by its class's name, which changes nothing."""
    return side.call("torch.FloatTensor")


@scenario("torch.cuda.stream")
def nested(side: Side) -> Any:
    """One in another."""
    with side.call(None), side.call(None):
        return "inside"


@scenario("torch.profiler.record_function", "torch.autograd.profiler.record_function", "torch.autograd.detect_anomaly", "torch.autograd.set_detect_anomaly")
def marks(side: Side) -> Any:
    """As a region, as a decorator, around an error."""
    first: Any = True if side.name.endswith("detect_anomaly") else "part"
    found = []
    with side.call(first):
        found.append(1)
    if "record" in side.name:

        @side.call(first)
        def doubled(x: int) -> int:
            """Twice x."""
            return 2 * x

        found += [doubled(3), doubled.__name__, doubled.__doc__]
    try:
        with side.call(first):
            raise KeyError("inside")
    except KeyError:
        found.append(2)
    if side.name.endswith("set_detect_anomaly"):
        side.call(False)
    return found


@scenario("torch.cuda.get_device_properties", "torch.cuda.mem_get_info")
def no_device(side: Side) -> Any:
    """The error that programs catch on machines without a device, for each way to name one."""
    found = []
    for given in ((0,), ("cuda:0",)):
        try:
            side.call(*given)
        except AssertionError as error:
            found.append(type(error).__name__)
    return found
