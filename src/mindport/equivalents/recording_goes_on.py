"""Derivatives of functions (`ms.grad`, `ms.value_and_grad`) beside the tape: they switch it off at their end.

What was recorded before one is whole (2.10.0), so the recording goes on behind it: but not where what was differentiated
hangs on a leaf of the tape, for torch differentiates such a derivative again, and here it would be a constant: from then on it stays off, and who goes
back is told. What is a constant in torch, too, ends nothing (`constant_results`).
"""

from mindspore import Tensor, nn
from mindspore.nn.cell import _pynative_executor

from mindport.equivalents.constant_results import CONSTANTS
from mindport.equivalents.kept_gradients import nodes_below


def tensors_of(value):
    """The tensors in what a function gave."""
    if isinstance(value, (tuple, list)):
        return [tensor for part in value for tensor in tensors_of(part)]
    return [value] if isinstance(value, Tensor) else []


def go_on_recording(leaves):
    """From now on derivatives of functions that do not hang on one of ``leaves()`` leave the tape as it was; those of a cell end it."""
    executor = type(_pynative_executor)
    begun, ended, differentiated, cleared = executor.check_run, executor.end_graph, executor.grad, executor.clear_res
    recording, hanging = [], []  # of the derivatives that are being taken: whether the tape was on before; what has hung on a leaf

    def check_run(self, function, *args, **kwargs):
        recording.append(self.grad_flag() and not isinstance(function, nn.Cell))
        return begun(self, function, *args, **kwargs)

    def end_graph(self, function, output, *args, **kwargs):
        below = nodes_below(tensors_of(output), leaves_only=True)
        nodes = [leaf._grad_node for leaf in leaves()]
        if not CONSTANTS and any(node is not None and node._unique_id() in below for node in nodes):
            hanging.append(function)
        return ended(self, function, output, *args, **kwargs)

    def grad(self, *args):
        found = differentiated(self, *args)
        if recording and recording.pop() and not hanging:
            self.set_grad_flag(True)
        return found

    def clear_res(self):  # behind what did not compile (a Jacobian that is computed row by row then): what was recorded before is whole, too
        recorded = self.grad_flag()
        cleared(self)
        self.set_grad_flag(recorded)

    executor.check_run, executor.end_graph, executor.grad, executor.clear_res = check_run, end_graph, grad, clear_res
