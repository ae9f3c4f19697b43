"""MindSpore's own tape: it notes what runs, and goes back through it from any tensor, as torch does.

For training steps that cannot be written as one function: the graph is carried by attributes, arguments or
lists, or its gradients are used more than once. `mindspore._c_expression.run_backward` is not documented by
MindSpore (2.10 has it, 2.7 does not); documented functions offer the tape only as ``value_and_grad(function)``.
"""

import weakref

from mindspore import Parameter, Tensor, _no_grad, nn, ops
from mindspore._c_expression import run_backward
from mindspore.nn.cell import _pynative_executor

from mindport.equivalents.kept_gradients import add_gradient, apart, nodes_below
from mindport.equivalents.optimizers.optimizer import Optimizer
from mindport.equivalents.recording_goes_on import go_on_recording
from mindport.equivalents.views_of_leaves import begin_with_views

#: What may be a leaf of a graph: parameters, and tensors that want their gradient. The tape does not list its leaves.
LEAVES = {}


def start_recording():
    """Notes from now on what runs; gradients are then found in `grad`, as in torch.

    An optimizer's step is not noted, a closure that it calls is.
    """
    plain = Optimizer.step

    def step(self, closure=None):
        def recorded():
            _pynative_executor.set_enable_grad(True)
            try:
                return closure()
            finally:
                _pynative_executor.set_enable_grad(False)

        with _no_grad():
            return plain(self, None if closure is None else recorded)

    Optimizer.step = step
    born, made, asked = Parameter.__new__, Parameter.__init__, Tensor.requires_grad_

    def new_parameter(cls, default_input, *args, **kwargs):
        if isinstance(default_input, Tensor) and not default_input._is_leaf:  # ``Parameter(w.new_zeros(2))`` would be no leaf
            default_input = ops.stop_gradient(default_input)
        return born(cls, default_input, *args, **kwargs)

    def note_parameter(self, *args, **kwargs):
        made(self, *args, **kwargs)
        LEAVES[id(self)] = weakref.ref(self)

    def note_tensor(self, requires_grad=True):
        if requires_grad and not self._requires_grad and not isinstance(self, Parameter):
            self.assign_value(ops.stop_gradient(self))  # what was computed of it so far would lead its gradient here: torch's graph begins now
        LEAVES[id(self)] = weakref.ref(self)
        asked(self, requires_grad)
        return self

    Parameter.__new__, Parameter.__init__, Tensor.requires_grad_ = staticmethod(new_parameter), note_parameter, note_tensor
    Tensor.grad = property(lambda self: self._grad, lambda self, value: setattr(self, "_grad", value))
    Tensor.requires_grad = property(lambda self: self._requires_grad, lambda self, value: self.requires_grad_(value))
    go_on_recording(leaves)
    _pynative_executor.set_grad_flag(True)
    return True


def check_recording():
    """Raises where gradients would be missing: ``mindspore.grad`` and its kin switch the tape off at their end."""
    if not (RECORDING and _pynative_executor.grad_flag()):
        raise RuntimeError("a mindspore.grad or value_and_grad has ended the recording of gradients; use gradients() in its place")


def leaves():
    """The leaves that are alive and want a gradient."""
    found = []
    for key, reference in list(LEAVES.items()):
        tensor = reference()
        if tensor is None:
            del LEAVES[key]
        elif tensor.requires_grad and tensor._is_leaf:
            found.append(tensor)
    return tuple(found)


RECORDING = start_recording()


def ones_for(output):
    """What a gradient starts from: one, for an output of one element."""
    if output.size != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    return ops.ones_like(output)


def gradients_of(outputs, starts, inputs, keep, create_graph):
    """A gradient for each input, None for one that the outputs were not computed from: MindSpore gives None for a gradient of zeros, too."""
    below = nodes_below(outputs)
    reached = [node is not None and node._unique_id() in below for node in (tensor._grad_node for tensor in inputs)]
    found = run_backward(outputs, starts, keep or begin_with_views(outputs, inputs), create_graph, inputs, True, accumulate_grad=False)
    return [ops.zeros_like(tensor) if value is None and hit else value for tensor, value, hit in zip(inputs, found, reached)]


def backward(loss, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the gradients of `loss` to `grad` of all parameters and leaves that it was computed from, or of `inputs` alone."""
    if not isinstance(loss, Tensor):
        return loss.backward(*(() if gradient is None else (gradient,)))
    return backward_of_all((loss,), (gradient,), retain_graph, create_graph, inputs=inputs)


def backward_of_all(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """The same of several tensors, whose gradients add up; ``torch.autograd.backward``."""
    if create_graph:
        raise NotImplementedError("create_graph=True keeps gradients of gradients in .grad: use torch.autograd.grad inside the loss")
    check_recording()
    tensors = (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)
    given = grad_variables if grad_tensors is None else grad_tensors
    given = (None,) * len(tensors) if given is None else (given,) if isinstance(given, Tensor) else tuple(given)
    wanted = leaves() if inputs is None else (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    starts = tuple(ones_for(tensor) if start is None else start for tensor, start in zip(tensors, given))
    found = gradients_of(tensors, starts, wanted, bool(retain_graph), False)
    pairs = [(tensor, value) for tensor, value in zip(wanted, found) if value is not None]
    with _no_grad():
        for (tensor, _), value in zip(pairs, apart([*starts, *(value for _, value in pairs)])[len(starts) :]):
            add_gradient(tensor, value)
    return None


def gradients(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
    is_grads_batched=False, materialize_grads=False,
):  # fmt: skip
    """The gradients of the sum of `outputs` with respect to each of `inputs`, as a tuple; ``torch.autograd.grad``."""
    check_recording()
    if is_grads_batched or not only_inputs:
        raise NotImplementedError("is_grads_batched and only_inputs=False have no counterpart")
    outputs = (outputs,) if isinstance(outputs, Tensor) else tuple(outputs)
    inputs = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    given = (None,) * len(outputs) if grad_outputs is None else (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)
    starts = tuple(ones_for(output) if start is None else start for output, start in zip(outputs, given))
    keep = create_graph if retain_graph is None else retain_graph
    found = gradients_of(outputs, starts, inputs, keep, create_graph)
    if materialize_grads:
        return tuple(ops.zeros_like(tensor) if value is None else value for tensor, value in zip(inputs, found))
    if not allow_unused and any(value is None for value in found):
        raise RuntimeError("One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.")
    return tuple(found)


def wants_gradient(owner, requires_grad=True):
    """The tensor, or the module whose parameters all, want their gradients from now on, or do not."""
    if isinstance(owner, nn.Cell):
        for parameter in owner.get_parameters():
            parameter.requires_grad = requires_grad
    elif isinstance(owner, Parameter):
        owner.requires_grad = requires_grad
    else:
        owner.requires_grad_(requires_grad)
    return owner
