"""timm's measures of a training run: how many of the first k classes are right, and means over batches."""

import mindspore as ms

from mindport.declare import difference, equivalent, layer
from mindport.equivalents.sorting import topk

EQUAL_SCORES = difference(
    "of equal scores another class may be counted; torch leaves it open, too", risk="style",
    when="(ms.sort(output, 1)[0].diff(dim=1) == 0).any()", zh="得分相等时可能计入另一个类别",
)  # fmt: skip


@equivalent("timm.utils.accuracy", differs=[EQUAL_SCORES])
def accuracy(output, target, topk=(1,)):
    """The percentage of rows whose target is among the k greatest of its scores, a tensor without axes for each k."""
    return shares_found(output, target, topk)


def shares_found(output, target, counts):
    """`accuracy`; its parameter has the name of the function that finds the places."""
    most = min(max(counts), output.shape[1])
    found = topk(output, most, 1)[1].T == target.reshape(1, -1)
    return [found[: min(k, most)].reshape(-1).astype(ms.float32).sum(0) * 100.0 / target.shape[0] for k in counts]


@layer("timm.utils.AverageMeter")
class AverageMeter:
    """The last value, the sum and the mean of what it was told, each with the number of examples that it stands for."""

    def __init__(self):
        self.reset()

    def reset(self):
        """Back to nothing told."""
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        """A value of n examples."""
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count if self.count else 0
