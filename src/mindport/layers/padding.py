"""Padding layers. torch's widths run from the last axis: (left, right, top, bottom, front, back)."""

from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.padding import cropped
from mindport.equivalents.python_data import seen_list


def circular_border(x, widths):
    """x continued periodically; widths as torch counts them."""
    if min(widths) < 0:
        raise NotImplementedError("negative widths of circular padding: slice the tensor instead")
    for index in range(len(widths) // 2):
        axis = x.ndim - 1 - index
        before, after = widths[2 * index], widths[2 * index + 1]
        size = x.shape[axis]
        pieces = []
        if before > 0:
            pieces.append(x.narrow(axis, size - before, before))
        pieces.append(x)
        if after > 0:
            pieces.append(x.narrow(axis, 0, after))
        if len(pieces) > 1:
            x = ops.cat(tuple(pieces), axis)
        else:
            x = pieces[0]
    return x


@layer("torch.nn.ConstantPad1d", base_suffices=True)
class ConstantPad1d(nn.ConstantPad1d):
    """A constant border over (N, C, L); the batch axis may be missing. Negative widths crop.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ConstantPad1d.html
    """

    widths = None

    def __init__(self, padding, value):
        if isinstance(padding, int) and padding >= 0:
            super().__init__(padding, value)
        elif isinstance(padding, tuple) and len(padding) == 2 and padding[0] >= 0 and padding[1] >= 0:
            super().__init__(padding, value)
        else:
            self.widths = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
            self.value = value
            super().__init__(0, value)

    def construct(self, x):
        if self.widths is None:
            return super(ConstantPad1d, self).construct(x)
        x, widths = cropped(x, self.widths)
        return ops.pad(x, widths, value=self.value) if any(widths) else x


@layer("torch.nn.ConstantPad2d", base_suffices=True)
class ConstantPad2d(nn.ConstantPad2d):
    """A constant border over (N, C, H, W); the batch axis may be missing. Negative widths crop.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ConstantPad2d.html
    """

    widths = None

    def __init__(self, padding, value):
        if isinstance(padding, int) and padding >= 0:
            super().__init__(padding, value)
        elif isinstance(padding, tuple) and len(padding) == 4 and padding[0] >= 0 and padding[1] >= 0 and padding[2] >= 0 and padding[3] >= 0:
            super().__init__(padding, value)
        else:
            self.widths = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
            self.value = value
            super().__init__(0, value)

    def construct(self, x):
        if self.widths is None:
            return super(ConstantPad2d, self).construct(x)
        x, widths = cropped(x, self.widths)
        return ops.pad(x, widths, value=self.value) if any(widths) else x


@layer("torch.nn.ConstantPad3d", base_suffices=True)
class ConstantPad3d(nn.ConstantPad3d):
    """A constant border over (N, C, D, H, W); the batch axis may be missing. Negative widths crop.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ConstantPad3d.html
    """

    widths = None

    def __init__(self, padding, value):
        if isinstance(padding, int) and padding >= 0:
            super().__init__(padding, value)
        elif (
            isinstance(padding, tuple) and len(padding) == 6 and padding[0] >= 0 and padding[1] >= 0
            and padding[2] >= 0 and padding[3] >= 0 and padding[4] >= 0 and padding[5] >= 0
        ):
            super().__init__(padding, value)
        else:
            self.widths = (padding,) * 6 if isinstance(padding, int) else tuple(padding)
            self.value = value
            super().__init__(0, value)

    def construct(self, x):
        if self.widths is None:
            return super(ConstantPad3d, self).construct(x)
        x, widths = cropped(x, self.widths)
        return ops.pad(x, widths, value=self.value) if any(widths) else x


@layer("torch.nn.ZeroPad1d", base_suffices=True)
class ZeroPad1d(nn.ConstantPad1d):
    """A border of zeros over (N, C, L); the batch axis may be missing. Negative widths crop.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ZeroPad1d.html
    """

    widths = None

    def __init__(self, padding):
        if isinstance(padding, int) and padding >= 0:
            super().__init__(padding, 0.0)
        elif isinstance(padding, tuple) and len(padding) == 2 and padding[0] >= 0 and padding[1] >= 0:
            super().__init__(padding, 0.0)
        else:
            self.widths = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
            super().__init__(0, 0.0)

    def construct(self, x):
        if self.widths is None:
            return super(ZeroPad1d, self).construct(x)
        x, widths = cropped(x, self.widths)
        return ops.pad(x, widths) if any(widths) else x


@layer("torch.nn.ZeroPad2d", base_suffices=True)
class ZeroPad2d(nn.ZeroPad2d):
    """A border of zeros over (N, C, H, W); the batch axis may be missing. Negative widths crop.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ZeroPad2d.html
    """

    widths = None

    def __init__(self, padding):
        if isinstance(padding, int) and padding >= 0:
            super().__init__(padding)
        elif isinstance(padding, tuple) and len(padding) == 4 and padding[0] >= 0 and padding[1] >= 0 and padding[2] >= 0 and padding[3] >= 0:
            super().__init__(padding)
        else:
            self.widths = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
            super().__init__(0)

    def construct(self, x):
        if self.widths is None:
            return super(ZeroPad2d, self).construct(x)
        x, widths = cropped(x, self.widths)
        return ops.pad(x, widths) if any(widths) else x


@layer("torch.nn.ZeroPad3d", base_suffices=True)
class ZeroPad3d(nn.ConstantPad3d):
    """A border of zeros over (N, C, D, H, W); the batch axis may be missing. Negative widths crop.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ZeroPad3d.html
    """

    widths = None

    def __init__(self, padding):
        if isinstance(padding, int) and padding >= 0:
            super().__init__(padding, 0.0)
        elif (
            isinstance(padding, tuple) and len(padding) == 6 and padding[0] >= 0 and padding[1] >= 0
            and padding[2] >= 0 and padding[3] >= 0 and padding[4] >= 0 and padding[5] >= 0
        ):
            super().__init__(padding, 0.0)
        else:
            self.widths = (padding,) * 6 if isinstance(padding, int) else tuple(padding)
            super().__init__(0, 0.0)

    def construct(self, x):
        if self.widths is None:
            return super(ZeroPad3d, self).construct(x)
        x, widths = cropped(x, self.widths)
        return ops.pad(x, widths) if any(widths) else x


@layer("torch.nn.ReflectionPad1d")
class ReflectionPad1d(nn.ReflectionPad1d):
    """A border that mirrors the inside over (N, C, L); the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ReflectionPad1d.html
    """

    def __init__(self, padding):
        if seen_list(padding) and not isinstance(padding, int):
            padding = tuple(padding)
        super().__init__(padding)


@layer("torch.nn.ReflectionPad2d")
class ReflectionPad2d(nn.ReflectionPad2d):
    """A border that mirrors the inside over (N, C, H, W); the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ReflectionPad2d.html
    """

    def __init__(self, padding):
        if seen_list(padding) and not isinstance(padding, int):
            padding = tuple(padding)
        super().__init__(padding)


@layer("torch.nn.ReflectionPad3d")
class ReflectionPad3d(nn.ReflectionPad3d):
    """A border that mirrors the inside over (N, C, D, H, W); the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ReflectionPad3d.html
    """

    def __init__(self, padding):
        if seen_list(padding) and not isinstance(padding, int):
            padding = tuple(padding)
        super().__init__(padding)


@layer("torch.nn.ReplicationPad1d")
class ReplicationPad1d(nn.ReplicationPad1d):
    """A border that repeats the edge over (N, C, L); the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ReplicationPad1d.html
    """

    def __init__(self, padding):
        if seen_list(padding) and not isinstance(padding, int):
            padding = tuple(padding)
        super().__init__(padding)


@layer("torch.nn.ReplicationPad2d")
class ReplicationPad2d(nn.ReplicationPad2d):
    """A border that repeats the edge over (N, C, H, W); the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ReplicationPad2d.html
    """

    def __init__(self, padding):
        if seen_list(padding) and not isinstance(padding, int):
            padding = tuple(padding)
        super().__init__(padding)


@layer("torch.nn.ReplicationPad3d")
class ReplicationPad3d(nn.ReplicationPad3d):
    """A border that repeats the edge over (N, C, D, H, W); the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ReplicationPad3d.html
    """

    def __init__(self, padding):
        if seen_list(padding) and not isinstance(padding, int):
            padding = tuple(padding)
        super().__init__(padding)


@layer("torch.nn.CircularPad1d")
class CircularPad1d(nn.Cell):
    """A periodic border over (N, C, L); the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.CircularPad1d.html
    """

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * 2 if isinstance(padding, int) else tuple(padding)

    def construct(self, x):
        return circular_border(x, self.padding)


@layer("torch.nn.CircularPad2d")
class CircularPad2d(nn.Cell):
    """A periodic border over (N, C, H, W); the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.CircularPad2d.html
    """

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)

    def construct(self, x):
        return circular_border(x, self.padding)


@layer("torch.nn.CircularPad3d")
class CircularPad3d(nn.Cell):
    """A periodic border over (N, C, D, H, W); the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.CircularPad3d.html
    """

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * 6 if isinstance(padding, int) else tuple(padding)

    def construct(self, x):
        return circular_border(x, self.padding)
