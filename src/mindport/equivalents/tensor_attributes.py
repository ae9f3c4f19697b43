"""What reading an attribute of a tensor gives."""

from mindspore import ops

from mindport.declare import attribute, difference


@attribute("torch.Tensor.shape")
def shape(self):
    """The lengths of the axes, a tuple."""
    return self.shape


@attribute("torch.Tensor.dtype")
def dtype(self):
    """The dtype."""
    return self.dtype


@attribute("torch.Tensor.ndim")
def ndim(self):
    """The number of axes."""
    return self.ndim


@attribute("torch.Tensor.itemsize")
def itemsize(self):
    """The bytes of one element."""
    return self.itemsize


@attribute("torch.Tensor.nbytes")
def nbytes(self):
    """The bytes of all elements."""
    return self.nbytes


@attribute("torch.Tensor.T", view=True)
def T(self):
    """The axes reversed."""
    return self.T


@attribute("torch.Tensor.mT", view=True)
def mT(self):
    """The last two axes swapped."""
    return self.mT


@attribute("torch.Tensor.H", view=True)
def H(self):
    """A matrix transposed and conjugated."""
    return self.H


@attribute("torch.Tensor.mH", view=True)
def mH(self):
    """The last two axes swapped and conjugated."""
    return self.mH


@attribute("torch.Tensor.real", view=True, differs=[difference("a tensor without elements raises", when="self.numel() == 0", risk="loud", zh="空张量会报错"), difference("the gradient is complex", when="self.ndim >= 0", zh="梯度为复数")])
def real(self):
    """The real part; in MindSpore a method."""
    return ops.real(self)


@attribute("torch.Tensor.imag", view=True, differs=[difference("a tensor without elements raises", when="self.numel() == 0", risk="loud", zh="空张量会报错")])
def imag(self):
    """The imaginary part; in MindSpore a method."""
    return ops.imag(self)


@attribute("torch.Tensor.data", view=True)
def data(self):
    """The same memory, without a gradient."""
    return ops.stop_gradient(self)


@attribute("torch.Tensor.device", differs=[difference("a device is its name, a string", risk="style", zh="设备以字符串表示")])
def device(self):
    """The name of the device that the tensor is on, as `torch.device` writes it: "cpu", "ascend"."""
    return self.device.lower()


@attribute("torch.Tensor.is_cuda")
def is_cuda(self):
    """Whether the tensor is on a GPU."""
    return self.device == "GPU"


@attribute("torch.Tensor.is_cpu")
def is_cpu(self):
    """Whether the tensor is in the host's memory."""
    return self.device == "CPU"


@attribute("torch.Tensor.is_sparse")
def is_sparse(self):
    """True of what holds places and values (`sparse_tensors`); a MindSpore Tensor is dense."""
    return getattr(self, "is_sparse", False)


@attribute("torch.Tensor.is_quantized", "torch.Tensor.is_mps", "torch.Tensor.is_meta")
def is_quantized(self):
    """False: a MindSpore Tensor is of plain numbers in real memory."""
    return False
