"""What the weights of most of torchvision's networks are when they are new."""

from mindspore import nn

from mindport.equivalents.initializers import constant_, kaiming_normal_


def draw(network, linear=None):
    """Draws a new network's weights: of convolutions by He's rule for outputs, of linear layers by the function `linear`, without which they stay as
    they are; biases are zero, normalisations change nothing."""
    for _, cell in network.cells_and_names():
        if isinstance(cell, (nn.Conv2d, nn.Conv3d)):
            kaiming_normal_(cell.weight, mode="fan_out", nonlinearity="relu")
            if cell.has_bias:
                constant_(cell.bias, 0)
        elif isinstance(cell, (nn.BatchNorm2d, nn.GroupNorm)):
            constant_(cell.gamma, 1)
            constant_(cell.beta, 0)
        elif linear is not None and isinstance(cell, nn.Dense):
            linear(cell)
            constant_(cell.bias, 0)
