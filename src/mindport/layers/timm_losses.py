"""timm's losses of classification."""

from mindspore import nn, ops

from mindport.declare import difference, layer
from mindport.equivalents.softmax import log_softmax

NOT_FINITE = difference("NaN or infinity in the input gives another result on CPU", when="inputs and not ms.isfinite(inputs[0]).all()", zh="输入含 NaN 或无穷时结果不同")


@layer("timm.loss.LabelSmoothingCrossEntropy", differs=[NOT_FINITE])
class LabelSmoothingCrossEntropy(nn.Cell):
    """The mean of (1 - smoothing) times the target's negative log-probability and smoothing times the mean of all classes'; scores (N, C), class numbers (N,)."""

    def __init__(self, smoothing=0.1):
        super().__init__()
        if not smoothing < 1.0:
            raise AssertionError("smoothing has to be less than 1")
        self.smoothing = smoothing
        self.confidence = 1.0 - smoothing

    def construct(self, x, target):
        logarithms = log_softmax(x, -1, dtype=x.dtype)
        right = ops.gather_elements(logarithms, -1, target.expand_dims(1)).squeeze(1)
        return -(self.confidence * right + self.smoothing * logarithms.mean(-1)).mean()


@layer("timm.loss.SoftTargetCrossEntropy", differs=[NOT_FINITE])
class SoftTargetCrossEntropy(nn.Cell):
    """The mean over rows of the cross entropy with targets that are probabilities of the classes."""

    def construct(self, x, target):
        return (-target * log_softmax(x, -1, dtype=x.dtype)).sum(-1).mean()
