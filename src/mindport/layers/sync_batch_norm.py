"""Batch normalisation over all processes; with one process, over this one."""

from mindport.declare import difference, layer
from mindport.layers.normalization import AFFINE, DEVICE, RUNNING, BatchNorm2d

ALONE = difference("statistics of this process only", risk="loud", zh="仅统计本进程")


@layer("torch.nn.SyncBatchNorm", state={**AFFINE, **RUNNING}, drops={**DEVICE, "process_group": "there is one process"}, differs=[ALONE])
class SyncBatchNorm(BatchNorm2d):
    """Normalisation of (N, C, *) over all axes but C.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.SyncBatchNorm.html
    """

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, process_group=None, device=None, dtype=None,
        *, bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def construct(self, input):
        if input.ndim < 2:
            raise ValueError(f"expected at least 2D input (got {input.ndim}D input)")
        return super(SyncBatchNorm, self).construct(input.reshape(input.shape[:2] + (-1, 1))).reshape(input.shape)
