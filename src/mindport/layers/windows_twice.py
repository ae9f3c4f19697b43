"""Greatest elements of windows by the function whose backward pass has a rule (equivalents/registered_pooling.py): on CPU those of MindSpore's layers have none."""

from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.python_data import each_axis
from mindport.layers.pooling import WHOLE


@layer("torch.nn.MaxPool2d_of_windows_differentiated_twice", differs=[WHOLE])
class MaximaOfWindows(nn.Cell):
    """Largest value of each window of (N, C, H, W); with return_indices also its flat position.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MaxPool2d.html
    """

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride, self.padding, self.dilation = each_axis(2, kernel_size, kernel_size if stride is None else stride, padding, dilation)
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def construct(self, input):
        return ops.max_pool2d(
            input, self.kernel_size, self.stride, padding=self.padding, dilation=self.dilation,
            return_indices=self.return_indices, ceil_mode=self.ceil_mode,
        )
