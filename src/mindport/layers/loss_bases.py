"""What losses of a project derive from: PyTorch's own bases of loss modules.

Source: torch/nn/modules/loss.py.
"""

from mindspore import Parameter, Tensor, nn

from mindport.declare import Refused, layer

#: What losses keep of one number for each class: buffers, which state dictionaries hold.
STATE = ("weight", "pos_weight")
OLD = "size_average and reduce: write reduction='mean', 'sum' or 'none'"


@layer("torch.nn.modules.loss._Loss")
class LossBase(nn.Cell):
    """A module that remembers how its values become one."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        if size_average is not None or reduce is not None:
            raise Refused(OLD)
        super().__init__()
        self.reduction = reduction


@layer("torch.nn.modules.loss._WeightedLoss")
class WeightedLossBase(LossBase):
    """A loss with a weight for each class, which is part of its state."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class LossWithState(nn.Cell):
    """A loss whose weights are part of its state; a tensor that is assigned later takes the old one's place, which a cell refuses for buffers."""

    def __setattr__(self, name, value):
        if name in STATE and (value is None or (isinstance(value, Tensor) and not isinstance(value, Parameter))):
            self.register_buffer(name, value)
        else:
            super().__setattr__(name, value)
