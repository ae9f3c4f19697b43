"""Casts of modules beside complex parameters and buffers, which PyTorch leaves as they are: MindSpore's `to` makes them real."""

import mindspore as ms
from mindspore import Tensor

from mindport.declare import equivalent
from mindport.layers.module import NO_KERNELS

COMPLEX_TYPES = (ms.complex64, ms.complex128)


def real_ones_in(cell, dtype):
    """The cell, its floating parameters and buffers in another dtype."""
    parameters = [(p, p.dtype, p.asnumpy()) for p in cell.get_parameters() if p.dtype in COMPLEX_TYPES]
    holders = [part._buffers for _, part in cell.cells_and_names()]
    buffers = [(held, name, kept) for held in holders for name, kept in held.items() if kept is not None and kept.dtype in COMPLEX_TYPES]
    cell.to(dtype=dtype)
    for p, own, kept in parameters:
        p.set_dtype(own)
        p.set_data(Tensor(kept))
    for held, name, kept in buffers:
        held[name] = kept
    return cell


@equivalent("torch.nn.Module.half_of_complex")
def half_of_complex(self):
    """Floating parameters and buffers as float16."""
    return real_ones_in(self, ms.float16)


@equivalent("torch.nn.Module.bfloat16_of_complex")
def bfloat16_of_complex(self):
    """Floating parameters and buffers as bfloat16."""
    return real_ones_in(self, ms.bfloat16)


@equivalent("torch.nn.Module.float_of_complex")
def float_of_complex(self):
    """Floating parameters and buffers as float32."""
    return real_ones_in(self, ms.float32)


@equivalent("torch.nn.Module.double_of_complex", differs=[NO_KERNELS])
def double_of_complex(self):
    """Floating parameters and buffers as float64."""
    return real_ones_in(self, ms.float64)
