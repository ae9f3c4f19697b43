"""``x.add_(0.1, y)``: a number first, as PyTorch asked for it up to 1.4; 2.13 warns and computes it all the same.

Source: torch/csrc/utils/python_arg_parser.cpp and tools/autograd/deprecated.yaml of PyTorch 2.13, measured.
"""

from mindspore import ops

from mindport.declare import equivalent
from mindport.equivalents.arithmetic import OF_QUOTIENT, with_quotient
from mindport.equivalents.inplace import overwrite


@equivalent("torch.add_in_former_order", "torch.Tensor.add_in_former_order")
def add_scaled(input, alpha, other):
    """input + alpha * other."""
    return input + alpha * other


@equivalent("torch.Tensor.add__in_former_order")
def add_scaled_(self, alpha, other):
    """self += alpha * other."""
    return overwrite(self, self + alpha * other)


@equivalent("torch.sub_in_former_order", "torch.Tensor.sub_in_former_order")
def sub_scaled(input, alpha, other):
    """input - alpha * other."""
    return input - alpha * other


@equivalent("torch.Tensor.sub__in_former_order")
def sub_scaled_(self, alpha, other):
    """self -= alpha * other."""
    return overwrite(self, self - alpha * other)


@equivalent("torch.addcmul_in_former_order", "torch.Tensor.addcmul_in_former_order")
def addcmul_scaled(input, value, tensor1, tensor2):
    """input + value * tensor1 * tensor2."""
    return input + value * tensor1 * tensor2


@equivalent("torch.Tensor.addcmul__in_former_order")
def addcmul_scaled_(self, value, tensor1, tensor2):
    """self += value * tensor1 * tensor2."""
    return overwrite(self, self + value * tensor1 * tensor2)


@equivalent("torch.addcdiv_in_former_order", "torch.Tensor.addcdiv_in_former_order", differs=[OF_QUOTIENT])
def addcdiv_scaled(input, value, tensor1, tensor2):
    """input + value * tensor1 / tensor2."""
    return with_quotient(input, value, tensor1, tensor2)


@equivalent("torch.Tensor.addcdiv__in_former_order", differs=[OF_QUOTIENT])
def addcdiv_scaled_(self, value, tensor1, tensor2):
    """self += value * tensor1 / tensor2."""
    return overwrite(self, with_quotient(self, value, tensor1, tensor2))


@equivalent("torch.Tensor.addmm_in_former_order")
def addmm_scaled(input, beta, alpha, mat1, mat2):
    """beta * input + alpha * mat1 @ mat2."""
    return beta * input + alpha * ops.mm(mat1, mat2)


@equivalent("torch.Tensor.addmm__in_former_order")
def addmm_scaled_(self, beta, alpha, mat1, mat2):
    """self = beta * self + alpha * mat1 @ mat2, in place."""
    return overwrite(self, beta * self + alpha * ops.mm(mat1, mat2))
