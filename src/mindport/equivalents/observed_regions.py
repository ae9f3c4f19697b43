"""Marks for PyTorch's profilers and checks: the code inside runs as it is, and nobody looks at the marks."""

from contextlib import ContextDecorator

from mindport.declare import difference, equivalent, layer

UNSEEN = difference("the mark is in no profile: mindspore.profiler.Profiler names operators by itself", risk="style", zh="标记不会出现在性能分析结果中")
UNCHECKED = difference("a NaN in a backward pass is not reported: look at the gradients themselves", risk="style", zh="不检查反向传播中的 NaN")


class ObservedRegion(ContextDecorator):
    """A region, or a function as a decorator, that runs as it is."""

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return False


@layer("torch.profiler.record_function", "torch.autograd.profiler.record_function", differs=[UNSEEN], drops={"name": "no profile holds it", "args": "no profile holds them"})
class record_function(ObservedRegion):
    """A named part of a profile. https://docs.pytorch.org/docs/2.13/autograd.html#profiler"""

    def __init__(self, name, args=None):
        self.name = name


@layer("torch.autograd.detect_anomaly", differs=[UNCHECKED], drops={"check_nan": "nothing is checked"})
class detect_anomaly(ObservedRegion):
    """A region in which backward passes are checked for NaN. https://docs.pytorch.org/docs/2.13/autograd.html#anomaly-detection"""

    def __init__(self, check_nan=True):
        pass


@layer("torch.autograd.set_detect_anomaly", differs=[UNCHECKED], drops={"mode": "nothing is checked", "check_nan": "nothing is checked"})
class set_detect_anomaly(ObservedRegion):
    """Check backward passes for NaN, for good or in a region."""

    def __init__(self, mode, check_nan=True):
        pass


@equivalent("torch.cuda.nvtx.range_push", "torch.cuda.nvtx.mark", differs=[UNSEEN], drops={"msg": "no profile holds it"})
def range_push(msg):
    """The beginning of a named part, or a moment, of a profile."""
    return None


@equivalent("torch.cuda.nvtx.range_pop", differs=[UNSEEN])
def range_pop():
    """The end of a named part of a profile."""
    return None
