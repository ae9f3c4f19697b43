"""``"{:.2f}".format(meter.avg)`` where only the run shows that this is a tensor: torch formats a tensor without axes as its number, MindSpore's raises."""

from mindspore import Tensor


def format_as_torch():
    """Has MindSpore's tensors without axes be formatted as their numbers; without a specification, and with axes, nothing changes."""
    plain = Tensor.__format__
    if getattr(plain, "as_torch", False):  # another converted project did it
        return True

    def formatted(self, spec):
        return format(self.item(), spec) if spec and self.ndim == 0 else plain(self, spec)

    formatted.as_torch = True
    Tensor.__format__ = formatted
    return True


FORMATS_AS_TORCH = format_as_torch()
