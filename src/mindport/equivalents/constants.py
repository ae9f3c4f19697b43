"""torch names that stand for values and types."""

import mindspore as ms
from mindspore import Tensor

from mindport.declare import constant

constant("torch.Tensor", Tensor)
constant("torch.float32", ms.float32)
constant("torch.float", ms.float32)
