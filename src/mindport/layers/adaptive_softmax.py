"""The adaptive softmax: frequent classes in a head, rare ones in clusters behind it.

Every cluster is computed for every row and masked, where torch picks the rows that need it: the same numbers.
Source: torch/nn/modules/adaptive.py; https://arxiv.org/abs/1609.04309
"""

from collections import namedtuple

from mindspore import nn, ops

from mindport.declare import layer
from mindport.layers.linear import Linear

ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])
CUTOFFS = (
    "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is between 1 and n_classes-1"
)


@layer("torch.nn.AdaptiveLogSoftmaxWithLoss", drops={"device": "MindSpore places every parameter on the device of the context"})
class AdaptiveLogSoftmaxWithLoss(nn.Cell):
    """(log probability of each target, their mean with a minus sign).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AdaptiveLogSoftmaxWithLoss.html
    """

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if len(cutoffs) == 0:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if sorted(set(cutoffs)) != cutoffs or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1 or any(int(c) != c for c in cutoffs):
            raise ValueError(CUTOFFS)
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = cutoffs[0]
        self.n_clusters = len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, dtype=dtype)
        self.tail = nn.CellList()
        for i in range(self.n_clusters):
            hidden = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(nn.SequentialCell(
                Linear(in_features, hidden, bias=False, dtype=dtype), Linear(hidden, size, bias=False, dtype=dtype)
            ))

    def construct(self, input_, target_):
        if target_.ndim not in (0, 1):
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if input_.ndim != target_.ndim + 1:
            raise RuntimeError(f"{target_.ndim}D target tensor expects {target_.ndim + 1}D input tensors, but found inputs with size {input_.shape}")
        if target_.ndim == 1 and input_.shape[0] != target_.shape[0]:
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        input = input_ if target_.ndim == 1 else input_.expand_dims(0)
        target = target_ if target_.ndim == 1 else target_.expand_dims(0)
        if bool((target < 0).any()) or bool((target >= self.n_classes).any()):
            raise RuntimeError(f"Target values should be in [0, {self.n_classes - 1}], but values in range [{int(target.min())}, {int(target.max())}] were found. ")
        head = ops.log_softmax(self.head(input), -1)
        column = ops.minimum(target, self.shortlist_size - 1)
        output = ops.gather_elements(head, 1, column.expand_dims(1)).squeeze(1)
        for i in range(self.n_clusters):
            low, high = self.cutoffs[i], self.cutoffs[i + 1]
            inside = ops.logical_and(target >= low, target < high)
            relative = ops.clamp(target - low, 0, high - low - 1)
            local = ops.gather_elements(ops.log_softmax(self.tail[i](input), -1), 1, relative.expand_dims(1)).squeeze(1)
            output = ops.where(inside, head[:, self.shortlist_size + i] + local, output)
        loss = (-output).mean()
        return ASMoutput(output if target_.ndim == 1 else output.squeeze(0), loss)

    def log_prob(self, input):
        """The log probabilities of all classes."""
        head = ops.log_softmax(self.head(input), -1)
        parts = [head[:, : self.shortlist_size]]
        for i in range(self.n_clusters):
            parts.append(ops.log_softmax(self.tail[i](input), -1) + head[:, self.shortlist_size + i].expand_dims(1))
        return ops.cat(parts, 1)

    def predict(self, input):
        """The most probable class of each row, as torch picks it: the head's where the head is for the shortlist."""
        first = ops.argmax(self.head(input), 1)
        return ops.where(first >= self.shortlist_size, ops.argmax(self.log_prob(input), 1), first)
