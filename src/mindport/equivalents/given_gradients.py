"""What a program reads of a gradient that is not there: the error that it may catch."""


def given(gradient):
    """The gradient, of which something is read; None has no members, as in torch."""
    if gradient is None:
        raise AttributeError("'NoneType' object has no attribute 'data'")
    return gradient
