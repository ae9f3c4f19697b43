"""Complex parameters: torch's optimizers change the real and the imaginary part as numbers of their own (`torch.view_as_real`)."""

import mindspore as ms
from mindspore import Parameter, ops

WHOLE = {ms.complex64: ms.float32, ms.complex128: ms.float64}


def is_complex(value):
    """Whether a tensor is complex."""
    return value.dtype in WHOLE


def parts(value):
    """The real and the imaginary parts along a last axis."""
    return ops.stack((ops.real(value), ops.imag(value)), -1)


def joined(value):
    """The complex numbers of their parts."""
    return ops.Complex()(value[..., 0], value[..., 1])


def update_parts(optimizer, group, params, grads):
    """The optimizer's update, with a parameter of the parts in the place of each complex one; the state is the complex one's."""
    pairs = {p: optimizer.parts_of(p) for p in params if is_complex(p)}
    for p, pair in pairs.items():
        pair.copy_(parts(p))
        optimizer.state[pair] = optimizer.state[p]
    try:
        optimizer.update(group, [pairs.get(p, p) for p in params], [parts(g) if is_complex(p) else g for p, g in zip(params, grads)])
    finally:
        for pair in pairs.values():
            del optimizer.state[pair]
    for p, pair in pairs.items():
        p.copy_(joined(pair))


def state_form(p, shape):
    """Shape and dtype of a state tensor that has a value for each number of a shape."""
    return ((*shape, 2), WHOLE[p.dtype]) if is_complex(p) else (shape, p.dtype)


def saved_whole(p, value):
    """A state tensor as torch saves it: complex where it holds both parts of a complex parameter."""
    return joined(value) if is_complex(p) and value.shape == (*p.shape, 2) else value


def restored_parts(p, value):
    """A saved state tensor as the updates need it, and its dtype."""
    return (parts(value) if is_complex(value) else value), WHOLE.get(p.dtype, p.dtype)


def new_parts(p, number):
    """A parameter for the parts of a complex one."""
    return Parameter(parts(p), name=f"parts.{number}", requires_grad=False)
