"""``__getattr__`` and ``__setattr__`` of a project's modules, which MindSpore's own code must not reach.

torch's Module reads nothing of a module that may not be there, and sets its own attributes past ``__setattr__``. MindSpore's cells do both: a
wrapper that hands unknown names to its inner module (``return getattr(self.module, name)``) is asked for `bprop` before it holds one, and calls
itself without end. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html
"""

import sys
from functools import wraps

from mindspore import nn


def past_mindspore(method):
    """The method, for all that ask but MindSpore itself: that gets what nn.Cell says."""
    plain = getattr(nn.Cell, method.__name__)

    @wraps(method)
    def answered(self, *arguments):
        frame = sys._getframe(1)
        asking = frame.f_globals.get("__name__", "")
        for_the_program = frame.f_code.co_varnames[:1] == ("receiver",)  # unknown_receiver.py
        if asking.startswith("mindspore.") or (asking == __name__ and not for_the_program):
            return plain(self, *arguments)
        return method(self, *arguments)

    return answered
