"""Convolution layers."""

from mindspore import nn

from mindport.declare import Refused, layer


@layer("torch.nn.Conv2d", state={"weight": "weight", "bias": "bias"}, attributes={"groups": "group"})
class Conv2d(nn.Conv2d):
    """Cross-correlation over (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Conv2d.html
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1,
        bias=True, padding_mode="zeros", device=None, dtype=None,
    ):
        if padding_mode != "zeros":
            raise Refused("padding_mode other than 'zeros': pad the input first with ops.pad")
        super().__init__(
            in_channels, out_channels, kernel_size, stride, pad_mode="pad", padding=padding,
            dilation=dilation, group=groups, has_bias=bias,
        )
