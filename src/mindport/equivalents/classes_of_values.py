"""``type(x)(2, 3)``: the class of a tensor, called to make another one."""

from mindspore import Tensor

from mindport.equivalents.legacy_constructors import TorchTensor


def class_of(value):
    """The type of a value; of a tensor the class that makes tensors as `torch.Tensor` does, of sizes or of data, in float32.

    https://docs.pytorch.org/docs/2.13/tensors.html#torch.Tensor
    """
    return TorchTensor if type(value) is Tensor else type(value)
