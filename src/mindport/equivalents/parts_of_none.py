"""Parts of complex numbers, pseudo-inverses, stacks, pieces, running sums and picked elements without elements, for which MindSpore raises, or their gradients do. No torch name."""

import mindspore as ms
from mindspore import Tensor, ops

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
    _pick_nothing()


def _pick_nothing():
    plain_gather, plain_select, plain_stack, plain_cumsum, plain_split = ops.gather, ops.index_select, ops.stack, ops.cumsum, ops.split

    def gather(input_params, input_indices, axis, batch_dims=0):
        made = plain_gather(input_params, input_indices, axis, batch_dims)
        return tied(ops.stop_gradient(made), input_params) if made.size == 0 else made

    def stack(tensors, axis=0):
        made = plain_stack(tensors, axis)
        return tied(ops.stop_gradient(made), *tensors) if made.size == 0 else made

    def cumsum(x, axis, dtype=None):
        if x.size == 0:
            return x * 1 if dtype is None else x.astype(dtype)
        return plain_cumsum(x, axis, dtype)

    def index_select(input, axis, index):
        made = plain_select(input, axis, index)
        return tied(ops.stop_gradient(made), input) if made.size == 0 else made

    def split(tensor, split_size_or_sections, axis=0):
        made = plain_split(tensor, split_size_or_sections, axis)
        return tuple(part if part.size else tied(ops.stop_gradient(part), tensor) for part in made)

    def selected(self, axis, index):
        return index_select(self, axis, index)

    Tensor.index_select = selected
    ops.gather, ops.index_select, ops.stack, ops.cumsum, ops.split = gather, index_select, stack, cumsum, split
