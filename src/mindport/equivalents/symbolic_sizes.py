"""The classes of symbolic sizes: MindSpore's sizes are Python's numbers, so that nothing is an instance of them."""

from mindport.declare import constant


class SymInt:
    """A size that torch.compile leaves open."""


class SymFloat:
    """A number computed from such a size."""


class SymBool:
    """A comparison of such sizes."""


constant("torch.SymInt", SymInt)
constant("torch.SymFloat", SymFloat)
constant("torch.SymBool", SymBool)
