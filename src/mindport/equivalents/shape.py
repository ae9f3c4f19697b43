"""Shapes and axes, in the function form and as tensor methods. All but copies are views in torch."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import difference, equivalent
from mindport.equivalents.python_data import seen_axes

# A guard would put a function of ours in the place of every flip.
FLIPPED_NOTHING = difference(
    "without elements, MindSpore's kernel on CPU now and then divides by zero, which ends the process (SIGFPE)",
    when="input.numel() == 0", risk="loud", zh="翻转空张量时 MindSpore 的 CPU 内核可能因除零使进程终止",
)  # fmt: skip
SELF_FLIPPED_NOTHING = difference(
    "without elements, MindSpore's kernel on CPU now and then divides by zero, which ends the process (SIGFPE)",
    when="self.numel() == 0", risk="loud", zh="翻转空张量时 MindSpore 的 CPU 内核可能因除零使进程终止",
)  # fmt: skip


@equivalent("torch.reshape", view=True)
def reshape(input, shape):
    """The same elements in another shape. https://docs.pytorch.org/docs/2.13/generated/torch.reshape.html"""
    return ops.reshape(input, shape)


@equivalent("torch.Tensor.reshape", view=True)
def tensor_reshape(self, *shape):
    """The same elements in another shape."""
    return self.reshape(*shape)


@equivalent("torch.Tensor.view", view=True)
def view(self, *shape, size=None):
    """The same elements in another shape; a dtype instead of a shape is refused.

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.view.html
    """
    if size is not None:
        return self.view(size)
    return self.view(*shape)


@equivalent("torch.Tensor.view_as", "torch.Tensor.reshape_as", view=True)
def view_as(self, other):
    """The same elements in the shape of another tensor."""
    return self.view_as(other)


@equivalent("torch.flatten", view=True)
def flatten(input, start_dim=0, end_dim=-1):
    """Axes from `start_dim` to `end_dim` become one. https://docs.pytorch.org/docs/2.13/generated/torch.flatten.html

    `ops.flatten` starts at axis 1 where nothing is said.
    """
    return ops.flatten(input, start_dim=start_dim, end_dim=end_dim)


@equivalent("torch.Tensor.flatten", view=True)
def tensor_flatten(self, start_dim=0, end_dim=-1):
    """Axes from `start_dim` to `end_dim` become one."""
    return self.flatten(start_dim=start_dim, end_dim=end_dim)


@equivalent("torch.ravel", "torch.Tensor.ravel", view=True)
def ravel(input):
    """All elements in one axis."""
    return input.reshape(-1)


@equivalent("torch.unflatten", "torch.Tensor.unflatten", view=True)
def unflatten(input, dim, sizes):
    """An axis becomes several. https://docs.pytorch.org/docs/2.13/generated/torch.unflatten.html"""
    dim = dim % input.ndim
    return input.reshape(*input.shape[:dim], *sizes, *input.shape[dim + 1 :])


@equivalent("torch.squeeze", view=True)
def squeeze(input, dim=None):
    """Without the axes of length 1, or without the given ones where their length is 1.

    https://docs.pytorch.org/docs/2.13/generated/torch.squeeze.html. `ops.squeeze` raises for a longer axis.
    """
    if dim is None:
        return ops.squeeze(input)
    dims = [d % max(input.ndim, 1) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))]
    return input.reshape([n for i, n in enumerate(input.shape) if i not in dims or n != 1])


@equivalent("torch.Tensor.squeeze", view=True)
def tensor_squeeze(self, dim=None):
    """Without the axes of length 1, or without the given ones where their length is 1."""
    if dim is None:
        return self.squeeze()
    return squeeze(self, dim)


@equivalent("torch.unsqueeze", view=True)
def unsqueeze(input, dim):
    """A new axis of length 1. https://docs.pytorch.org/docs/2.13/generated/torch.unsqueeze.html"""
    return ops.unsqueeze(input, dim)


@equivalent("torch.Tensor.unsqueeze", view=True)
def tensor_unsqueeze(self, dim):
    """A new axis of length 1."""
    return self.unsqueeze(dim)


@equivalent("torch.permute", view=True)
def permute(input, dims):
    """The axes in another order. https://docs.pytorch.org/docs/2.13/generated/torch.permute.html"""
    return ops.permute(input, dims)


@equivalent("torch.Tensor.permute", view=True)
def tensor_permute(self, *dims):
    """The axes in another order."""
    return self.permute(*dims)


@equivalent("torch.Tensor.permute", view=True)
def tensor_permute_by_keyword(self, *, dims):
    """The axes in another order."""
    return self.permute(dims)


@equivalent(
    "torch.transpose", "torch.swapaxes", "torch.swapdims", view=True, opinfo="transpose",
    differs=[difference("a tensor without axes raises", when="input.ndim == 0", risk="loud", zh="零维张量会报错")],
)
def transpose(input, dim0, dim1):
    """Two axes swapped. https://docs.pytorch.org/docs/2.13/generated/torch.transpose.html

    `ops.transpose` is another function: it takes the order of all axes.
    """
    return ops.swapaxes(input, dim0, dim1)


@equivalent(
    "torch.Tensor.transpose", "torch.Tensor.swapaxes", "torch.Tensor.swapdims", view=True, opinfo="transpose",
    differs=[difference("a tensor without axes raises", when="self.ndim == 0", risk="loud", zh="零维张量会报错")],
)
def tensor_transpose(self, dim0, dim1):
    """Two axes swapped."""
    return self.swapaxes(dim0, dim1)


@equivalent("torch.t", "torch.Tensor.t", view=True)
def t(input):
    """A matrix transposed. https://docs.pytorch.org/docs/2.13/generated/torch.t.html"""
    return input.T


@equivalent("torch.movedim", "torch.moveaxis", "torch.Tensor.movedim", "torch.Tensor.moveaxis", view=True, opinfo="movedim")
def movedim(input, source, destination):
    """Axes moved to other places. https://docs.pytorch.org/docs/2.13/generated/torch.movedim.html"""
    return ops.movedim(input, source, destination)


@equivalent("torch.Tensor.expand", view=True)
def expand(self, *size):
    """Axes of length 1 repeated without a copy; -1 keeps a length.

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.expand.html
    """
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        return ops.broadcast_to(self, tuple(size[0]))
    return ops.broadcast_to(self, size)


@equivalent("torch.Tensor.expand", view=True)
def expand_by_keyword(self, *, size):
    """Axes of length 1 repeated without a copy; -1 keeps a length."""
    if isinstance(size, tuple):
        return ops.broadcast_to(self, size)
    return ops.broadcast_to(self, tuple(size))


@equivalent("torch.Tensor.expand_as", view=True)
def expand_as(self, other):
    """Expanded to the shape of another tensor."""
    return ops.broadcast_to(self, other.shape)


@equivalent("torch.broadcast_to", "torch.Tensor.broadcast_to", view=True)
def broadcast_to(input, size):
    """Axes of length 1 repeated without a copy. https://docs.pytorch.org/docs/2.13/generated/torch.broadcast_to.html"""
    return ops.broadcast_to(input, size)


@equivalent("torch.broadcast_tensors", view=True)
def broadcast_tensors(*tensors):
    """All tensors in their common shape."""
    shape = common_shape(tensors)
    return tuple(ops.broadcast_to(x, shape) for x in tensors)


def common_shape(tensors):
    """The common shape that broadcasting gives."""
    rank = max(x.ndim for x in tensors)
    shapes = [(1,) * (rank - x.ndim) + tuple(x.shape) for x in tensors]
    return tuple(max(lengths) if 0 not in lengths else 0 for lengths in zip(*shapes))


NO_COPY = difference("where no copy is asked for (a 0) the gradient is unspecified values; a file that holds other empty tensors gets zeros", when="input.tile(dims).numel() == 0", zh="复制次数含 0 时梯度为未定义的值")
NO_COPY_OF_ITSELF = difference("where no copy is asked for (a 0) the gradient is unspecified values; a file that holds other empty tensors gets zeros", when="self.tile(sizes).numel() == 0", zh="复制次数含 0 时梯度为未定义的值")
NO_REPEAT = difference("where no copy is asked for (a 0) the gradient is unspecified values; a file that holds other empty tensors gets zeros", when="self.tile(repeats).numel() == 0", zh="复制次数含 0 时梯度为未定义的值")


@equivalent("torch.Tensor.repeat", differs=[NO_REPEAT])
def repeat(self, *repeats):
    """Copies side by side along each axis. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.repeat.html"""
    if len(repeats) == 1 and isinstance(repeats[0], (tuple, list)):
        return ops.tile(self, tuple(repeats[0]))
    return ops.tile(self, repeats)


@equivalent("torch.tile", differs=[NO_COPY])
def tile(input, dims):
    """Copies side by side along the last axes. https://docs.pytorch.org/docs/2.13/generated/torch.tile.html"""
    return ops.tile(input, dims)


@equivalent("torch.Tensor.tile", differs=[NO_COPY_OF_ITSELF])
def tensor_tile(self, *sizes, dims=None):
    """Copies side by side along the last axes; sizes may be spread out."""
    if dims is not None:
        return ops.tile(self, tuple(dims))
    if len(sizes) == 1 and isinstance(sizes[0], tuple):
        return ops.tile(self, sizes[0])
    if len(sizes) == 1 and isinstance(sizes[0], list):
        return ops.tile(self, tuple(sizes[0]))
    return ops.tile(self, sizes)


@equivalent("torch.repeat_interleave", "torch.Tensor.repeat_interleave", drops={"output_size": "it only saves a computation"})
def repeat_interleave(input, repeats, dim=None, *, output_size=None):
    """Each element, or slice along an axis, several times in a row.

    https://docs.pytorch.org/docs/2.13/generated/torch.repeat_interleave.html
    """
    if isinstance(repeats, Tensor):
        repeats = repeats.asnumpy().tolist()
    if dim is None:
        input, dim = input.reshape(-1), 0
    count = input.shape[dim]
    times = repeats if isinstance(repeats, list) else [repeats] * count
    times = times * count if len(times) == 1 else times
    places = sum([[i] * n for i, n in enumerate(times)], [])  # graph mode knows no comprehension with two loops
    return ops.index_select(input, dim, Tensor(places, ms.int32))


@equivalent("torch.flip", differs=[FLIPPED_NOTHING])
def flip(input, dims):
    """Axes reversed, as a copy. https://docs.pytorch.org/docs/2.13/generated/torch.flip.html"""
    if seen_axes(input, 0):
        return Tensor.copy(input)
    return ops.flip(input, dims)


@equivalent("torch.Tensor.flip", differs=[SELF_FLIPPED_NOTHING])
def tensor_flip(self, *dims):
    """Axes reversed, as a copy; MindSpore's method takes them as one tuple."""
    if seen_axes(self, 0):
        return Tensor.copy(self)
    if len(dims) == 1:
        if isinstance(dims[0], (tuple, list)):
            return self.flip(dims[0])
        return self.flip((dims[0],))
    return self.flip(dims)


@equivalent("torch.Tensor.flip", differs=[SELF_FLIPPED_NOTHING])
def tensor_flip_by_keyword(self, *, dims):
    """Axes reversed, as a copy."""
    if seen_axes(self, 0):
        return Tensor.copy(self)
    return self.flip(dims)


@equivalent("torch.fliplr", "torch.Tensor.fliplr", differs=[FLIPPED_NOTHING])
def fliplr(input):
    """Columns reversed."""
    return ops.flip(input, (1,))


@equivalent("torch.flipud", "torch.Tensor.flipud", differs=[FLIPPED_NOTHING])
def flipud(input):
    """Rows reversed."""
    return ops.flip(input, (0,))


@equivalent("torch.roll", "torch.Tensor.roll")
def roll(input, shifts, dims=None):
    """Elements shifted around along axes. https://docs.pytorch.org/docs/2.13/generated/torch.roll.html

    `ops.roll` has no kernel on CPU.
    """
    if dims is None or (isinstance(dims, (tuple, list)) and len(dims) == 0):
        return roll(input.reshape(-1), shifts, 0).reshape(input.shape)
    moves = zip(shifts, dims) if isinstance(dims, (tuple, list)) and isinstance(shifts, (tuple, list)) else [(shifts, dims)]
    for shift, dim in moves:
        shift = shift[0] if isinstance(shift, (tuple, list)) else shift
        dim = dim[0] if isinstance(dim, (tuple, list)) else dim
        length = input.shape[dim] if input.ndim else 0
        if length == 0 or shift % length == 0:
            continue
        head, tail = ops.split(input, [length - shift % length, shift % length], axis=dim)
        input = ops.cat((tail, head), axis=dim)
    return input


@equivalent("torch.rot90", "torch.Tensor.rot90", differs=[FLIPPED_NOTHING])
def rot90(input, k=1, dims=(0, 1)):
    """A quarter turn, k times. https://docs.pytorch.org/docs/2.13/generated/torch.rot90.html"""
    first, second = dims
    if k % 4 == 0:
        return Tensor.copy(input)
    if k % 4 == 2:
        return ops.flip(ops.flip(input, (first,)), (second,))
    if k % 4 == 1:
        return ops.swapaxes(ops.flip(input, (second,)), first, second)
    return ops.flip(ops.swapaxes(input, first, second), (second,))


@equivalent("torch.narrow", "torch.Tensor.narrow", view=True)
def narrow(input, dim, start, length):
    """A range along an axis. https://docs.pytorch.org/docs/2.13/generated/torch.narrow.html"""
    start = int(start) if isinstance(start, Tensor) else start
    start = start + input.shape[dim] if start < 0 else start
    if length == 0:  # the gradient of an empty slice raises
        return ops.zeros((*input.shape[: dim % input.ndim], 0, *input.shape[dim % input.ndim + 1 :]), input.dtype)
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, start + length),)]


@equivalent("torch.select", "torch.Tensor.select", view=True)
def select(input, dim, index):
    """One slice along an axis. https://docs.pytorch.org/docs/2.13/generated/torch.select.html"""
    if dim == 0:
        return input[index]
    if dim == 1:
        return input[:, index]
    if dim == 2:
        return input[:, :, index]
    if dim == -1:
        return input[..., index]
    if dim == -2:
        return input[..., index, :]
    return input[(slice(None),) * (dim % input.ndim) + (index,)]
