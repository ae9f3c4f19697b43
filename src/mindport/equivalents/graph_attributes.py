"""What a tensor says of the graph of its gradient: whether it wants one, whether it begins the graph, the operation it comes from.

MindSpore records what runs only while a function is differentiated; on the tape (`tape`) it always does, as torch does.
Measured on the tape: the flags of leaves, results, views, detached and frozen tensors, results under ``no_grad``; whole numbers and
truth values that are computed from what wants a gradient carry MindSpore's flag, torch's never do.
"""

import weakref

from mindspore import Parameter, Tensor, _no_grad

from mindport.declare import attribute, difference, equivalent
from mindport.equivalents.kept_gradients import copied


def is_recorded(self):
    """Whether MindSpore notes what is computed from a tensor of floating or complex numbers."""
    flag = getattr(self, "requires_grad", False) or getattr(self, "_requires_grad", False)
    return flag and (not isinstance(self, Tensor) or self.is_floating_point() or self.is_complex())


@attribute(
    "torch.Tensor.requires_grad",
    differs=[difference("a computed tensor says True only while a gradient is taken of the function that computes it (MindSpore 2.10), in a graph never", when="not on_tape and not isinstance(self, Parameter)", zh="计算所得的张量仅在求其梯度的函数内（MindSpore 2.10）为 True，图模式下恒为 False")],
)
def requires_grad(self):
    """Whether a gradient is wanted: a Parameter's flag; of a tensor that was computed, whether MindSpore records it now."""
    if isinstance(self, Parameter):
        return self.requires_grad
    return is_recorded(self)


@attribute(
    "torch.Tensor.is_leaf",
    differs=[difference("a computed tensor says False only while a gradient is taken of the function that computes it (MindSpore 2.10), in a graph never", when="not on_tape and not isinstance(self, Parameter)", zh="计算所得的张量仅在求其梯度的函数内（MindSpore 2.10）为 False，图模式下恒为 True")],
)
def is_leaf(self):
    """Whether a tensor begins the graph of its gradient: it wants none, or nothing computed it."""
    if isinstance(self, Parameter):
        return True
    return not is_recorded(self) or getattr(self, "_is_leaf", True)


@attribute(
    "torch.Tensor.grad_fn",
    differs=[
        difference("None for a computed tensor, unless a gradient is taken of the function that computes it (MindSpore 2.10)", when="not on_tape and not isinstance(self, Parameter)", zh="计算所得的张量仅在求其梯度的函数内（MindSpore 2.10）不为 None"),
        difference("the node has MindSpore's operator's name: <Muls>, where PyTorch says <MulBackward0>", risk="style", zh="节点名称为 MindSpore 算子名"),
    ],
)
def grad_fn(self):
    """The node of the operation that computed a tensor, None for a leaf."""
    return None if is_leaf(self) else self._grad_node


@attribute("torch.Tensor.retains_grad")
def retains_grad(self):
    """Whether `retain_grad` was asked of a computed tensor."""
    return getattr(self, "keeps_gradient", False)


@equivalent(
    "torch.Tensor.retain_grad",
    differs=[difference("in a compiled step the gradient is not kept", when="not on_tape", zh="编译后的训练步骤中不会保留梯度")],
)
def retain_grad(self):
    """Keeps the gradient of a computed tensor in `grad`, as a leaf's is; several backward passes add up.

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.retain_grad.html
    """
    if not requires_grad(self):
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    if is_leaf(self) or retains_grad(self):
        return
    self.keeps_gradient = True
    held = weakref.ref(self)

    def keep(gradient):
        tensor = held()
        if tensor is not None:
            kept = getattr(tensor, "grad", None)
            with _no_grad():  # a new tensor, as torch's, where a leaf's gradient changes in its place
                tensor.grad = copied(gradient) if kept is None else kept + gradient

    handles = [self.register_hook(keep)]

    def register_hook(hook):
        handles[0].remove()  # what is kept is the gradient behind all hooks
        found = Tensor.register_hook(held(), hook)
        handles[0] = Tensor.register_hook(held(), keep)
        return found

    self.register_hook = register_hook
