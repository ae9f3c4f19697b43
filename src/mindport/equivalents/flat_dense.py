"""Tensors as one flat tensor and back: what data parallel training hands to its collectives (torch._utils)."""

from mindspore import ops

from mindport.declare import difference, equivalent

COPIED = difference("of one tensor alone torch gives its own memory, this a copy", when="len(tensors) == 1", risk="silent", zh="只有一个张量时，torch 返回其自身内存，这里返回副本")


@equivalent("torch._utils._flatten_dense_tensors", "torch._C._nn.flatten_dense_tensors", differs=[COPIED])
def _flatten_dense_tensors(tensors):
    """All tensors' elements one after the other."""
    return ops.cat([t.reshape(-1) for t in tensors])


@equivalent("torch._utils._unflatten_dense_tensors", "torch._C._nn.unflatten_dense_tensors", view=True)
def _unflatten_dense_tensors(flat, tensors):
    """Parts of a flat tensor in the shapes of others; what is left of it belongs to none."""
    parts, begin = [], 0
    for t in tensors:
        parts.append(ops.narrow(flat, 0, begin, t.size).reshape(t.shape) if t.size else ops.zeros(t.shape, flat.dtype))
        begin += t.size
    return tuple(parts)
