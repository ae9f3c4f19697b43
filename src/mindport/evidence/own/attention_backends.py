"""The choice among attention kernels: a region, and a decorator."""

from __future__ import annotations

import torch

from mindport.evidence.scenarios import Side, scenario


@scenario("torch.nn.attention.sdpa_kernel")
def one_kernel(side: Side) -> object:
    """One kernel, several, and round a function."""
    backends = torch.nn.attention.SDPBackend
    entered = []
    for choice in (backends.MATH, [backends.MATH, backends.FLASH_ATTENTION]):
        with side.call(choice):
            entered.append(1)

    @side.call(backends.MATH)
    def twice(x: int) -> int:
        return 2 * x

    return entered, twice(3)


@scenario("torch.backends.cuda.sdp_kernel")
def switches(side: Side) -> object:
    """Kernels switched off."""
    with side.call(enable_flash=False):
        return 1
