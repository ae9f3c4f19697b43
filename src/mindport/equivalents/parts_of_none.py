"""Parts of complex numbers, pseudo-inverses and picked elements of tensors without elements, for which MindSpore raises. No torch name."""

import mindspore as ms
from mindspore import ops

from mindport.equivalents.of_nothing import tied

#: What the parts of complex numbers are.
PARTS = {ms.complex64: ms.float32, ms.complex128: ms.float64}


def compute_parts_of_none():
    """Has MindSpore's functions give tensors without elements there, which gradients reach, as torch's do."""
    plain_real, plain_imag, plain_pinv, plain_gather = ops.real, ops.imag, ops.pinv, ops.gather_elements

    def part(input):
        return tied(ops.zeros(input.shape, PARTS.get(input.dtype, input.dtype)), input)

    def real(input):
        return part(input) if input.size == 0 else plain_real(input)

    def imag(input):
        return part(input) if input.size == 0 else plain_imag(input)

    def pinv(x, *, atol=None, rtol=None, hermitian=False):
        return ops.swapaxes(x, -1, -2) if x.size == 0 else plain_pinv(x, atol=atol, rtol=rtol, hermitian=hermitian)

    def gather_elements(input, dim, index):
        return tied(ops.zeros(index.shape, input.dtype), input) if index.size == 0 else plain_gather(input, dim, index)

    ops.real, ops.imag, ops.pinv, ops.gather_elements = real, imag, pinv, gather_elements
