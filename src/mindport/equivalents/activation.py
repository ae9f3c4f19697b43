"""Activation functions: torch.nn.functional and their forms in torch and torch.Tensor."""

from mindspore import ops

from mindport.declare import difference, equivalent

KEPT = "the input keeps its values: code that reads it again sees them unchanged"


@equivalent("torch.nn.functional.relu", differs=[difference(KEPT, when="inplace", zh="输入张量保持不变")])
def relu(input, inplace=False):
    """max(input, 0), elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.relu.html"""
    return ops.relu(input)
