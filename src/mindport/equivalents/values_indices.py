"""The pair that torch's searches and sorts return, and the reading of its fields."""

from typing import NamedTuple

from mindspore import Tensor

from mindport.declare import attribute


class ValuesIndices(NamedTuple):
    """Values and their int64 positions, as torch.return_types.sort and its kin."""

    values: Tensor
    indices: Tensor


@attribute(
    "torch.return_types.max.values",
    "torch.return_types.min.values",
    "torch.return_types.median.values",
    "torch.return_types.mode.values",
    "torch.return_types.sort.values",
    "torch.return_types.topk.values",
    "torch.return_types.kthvalue.values",
    "torch.return_types.cummax.values",
    "torch.return_types.cummin.values",
)
def pair_values(self):
    """The values."""
    return self[0]


@attribute(
    "torch.return_types.max.indices",
    "torch.return_types.min.indices",
    "torch.return_types.median.indices",
    "torch.return_types.mode.indices",
    "torch.return_types.sort.indices",
    "torch.return_types.topk.indices",
    "torch.return_types.kthvalue.indices",
    "torch.return_types.cummax.indices",
    "torch.return_types.cummin.indices",
)
def pair_indices(self):
    """The positions, int64."""
    return self[1]
