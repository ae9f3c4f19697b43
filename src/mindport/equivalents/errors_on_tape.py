"""Handlers of programs on the tape: an operator that refuses its arguments' types ("Failed calling Concat with …") leaves the recording off.

What was recorded before it is still there (``h = p * p``, then the error, then ``(h * 3).sum()``: the gradient is whole), so it goes on where the error is caught.
"""

from mindspore.nn.cell import _pynative_executor

from mindport.equivalents.raised_errors import torch_errors
from mindport.equivalents.tape import RECORDING


def errors_on_tape(kinds):
    """`torch_errors`, asked while the error is being handled; what runs from here on is noted again."""
    _pynative_executor.set_grad_flag(RECORDING)
    return torch_errors(kinds)
