"""Joining and splitting along an axis. The parts of a split are views of the input in torch."""

from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent

OUT = "out= is not supported: use the returned tensor"


@equivalent("torch.cat", "torch.concat", "torch.concatenate")
def cat(tensors, dim=0, *, out=None):
    """Tensors one after the other along an axis; dtypes are promoted.

    https://docs.pytorch.org/docs/2.13/generated/torch.cat.html
    """
    if out is not None:
        raise Refused(OUT)
    return ops.cat(tensors, axis=dim)


@equivalent("torch.stack")
def stack(tensors, dim=0, *, out=None):
    """Tensors of one shape along a new axis. https://docs.pytorch.org/docs/2.13/generated/torch.stack.html"""
    if out is not None:
        raise Refused(OUT)
    return ops.stack(tensors, axis=dim)


@equivalent("torch.column_stack")
def column_stack(tensors, *, out=None):
    """Side by side, 1-D tensors as columns. https://docs.pytorch.org/docs/2.13/generated/torch.column_stack.html"""
    if out is not None:
        raise Refused(OUT)
    return ops.cat([x.reshape(-1, 1) if x.ndim < 2 else x for x in tensors], axis=1)


@equivalent("torch.hstack")
def hstack(tensors, *, out=None):
    """Side by side: along axis 1, of 1-D tensors along axis 0. https://docs.pytorch.org/docs/2.13/generated/torch.hstack.html"""
    if out is not None:
        raise Refused(OUT)
    return ops.hstack(tensors)


@equivalent("torch.vstack", "torch.row_stack")
def vstack(tensors, *, out=None):
    """One below the other. https://docs.pytorch.org/docs/2.13/generated/torch.vstack.html"""
    if out is not None:
        raise Refused(OUT)
    return ops.vstack(tensors)


@equivalent("torch.dstack")
def dstack(tensors, *, out=None):
    """Along the third axis. https://docs.pytorch.org/docs/2.13/generated/torch.dstack.html"""
    if out is not None:
        raise Refused(OUT)
    return ops.dstack(tensors)


@equivalent("torch.split", view=True)
def split(tensor, split_size_or_sections, dim=0):
    """Pieces of a length (the last may be shorter), or of given lengths.

    https://docs.pytorch.org/docs/2.13/generated/torch.split.html
    """
    return ops.split(tensor, split_size_or_sections, axis=dim)


@equivalent("torch.Tensor.split", view=True)
def tensor_split_method(self, split_size, dim=0):
    """Pieces of a length (the last may be shorter), or of given lengths."""
    return ops.split(self, split_size, axis=dim)


@equivalent("torch.split_with_sizes", "torch.Tensor.split_with_sizes", view=True)
def split_with_sizes(self, split_sizes, dim=0):
    """Pieces of given lengths."""
    return ops.split(self, split_sizes, axis=dim)


@equivalent("torch.chunk", "torch.Tensor.chunk", view=True, differs=[difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def chunk(input, chunks, dim=0):
    """At most `chunks` pieces of one length (the last may be shorter).

    https://docs.pytorch.org/docs/2.13/generated/torch.chunk.html
    """
    return ops.chunk(input, chunks, axis=dim)


@equivalent("torch.tensor_split", "torch.Tensor.tensor_split", view=True)
def tensor_split(input, indices_or_sections, dim=0):
    """Pieces whose lengths differ by at most one, or between given places.

    https://docs.pytorch.org/docs/2.13/generated/torch.tensor_split.html
    """
    if isinstance(indices_or_sections, Tensor):
        indices_or_sections = indices_or_sections.asnumpy().tolist()
    return ops.tensor_split(input, indices_or_sections, axis=dim)


@equivalent("torch.unbind", view=True)
def unbind(input, dim=0):
    """The slices along an axis, as a tuple. https://docs.pytorch.org/docs/2.13/generated/torch.unbind.html"""
    return ops.unbind(input, dim)


@equivalent("torch.Tensor.unbind", view=True)
def tensor_unbind(self, dim=0):
    """The slices along an axis, as a tuple."""
    return self.unbind(dim)
