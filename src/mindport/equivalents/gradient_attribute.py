"""``p.grad`` as it is in torch: None where no gradient was kept. MindSpore's tensors have no such attribute before something is put there."""

from mindspore import Tensor

from mindport.declare import attribute


def know_gradients():
    """Tensors of the process have `grad`, None at first; the tape has a property of its own for it (`tape.py`)."""
    if not hasattr(Tensor, "grad"):
        Tensor.grad = None
    return True


TENSORS_HAVE_GRAD = know_gradients()


@attribute("torch.Tensor.grad")
def gradient(self):
    """The gradient that was kept in `grad`, None where there is none."""
    return self.grad
