"""Modules in training mode from their birth, as in torch, where a program makes them in ways that its text does not show.

https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html; MindSpore's cells are born in evaluation mode.
"""

from functools import wraps

from mindspore import nn


def train_from_birth():
    """Has each new cell begin in training mode; `set_train` and what a constructor says afterwards hold."""
    plain = nn.Cell.__init__
    if getattr(plain, "trains", False):  # another converted project did it
        return True

    @wraps(plain)
    def made(self, *args, **kwargs):
        plain(self, *args, **kwargs)
        nn.Cell.set_train(self)  # not the class's own: nothing of it is there yet

    made.trains = True
    nn.Cell.__init__ = made
    return True


BORN_IN_TRAINING = train_from_birth()
