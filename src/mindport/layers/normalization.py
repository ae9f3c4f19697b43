"""Batch, layer, group and response normalisation.

MindSpore weights its running statistics with ``1 - momentum`` of torch, keeps them as `moving_mean` and
`moving_variance`, and calls weight and bias `gamma` and `beta`; it has no `num_batches_tracked`. Without
`affine` (or `track_running_stats`) the cell still holds these parameters, as constants.
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, nn, ops

from mindport.declare import Refused, difference, layer
from mindport.equivalents.python_data import seen_int

DEVICE = {"device": "MindSpore places every parameter on the device of the context"}
EMPTY = difference("an empty batch changes the running statistics to unspecified values", when="track_running_stats and inputs and inputs[0].numel() == 0", zh="空批次会破坏滑动统计量")
RUNNING = {"running_mean": "moving_mean", "running_var": "moving_variance", "num_batches_tracked": None}
AFFINE = {"weight": "gamma", "bias": "beta"}
STATISTICS = {"weight": "gamma", "bias": "beta", "running_mean": "moving_mean", "running_var": "moving_variance"}
INNER = {
    "weight": "bn2d.gamma", "bias": "bn2d.beta", "running_mean": "bn2d.moving_mean",
    "running_var": "bn2d.moving_variance", "num_batches_tracked": None,
}


def rebuilt(cell):
    """MindSpore's cell bakes eps and momentum into its operators when it is built: bake again."""
    if "bn_infer" in cell.__dict__:
        cell.bn_train = ops.BatchNorm(is_training=True, epsilon=float(cell.eps), momentum=float(cell.momentum))
        cell.bn_infer = ops.BatchNorm(is_training=False, epsilon=float(cell.eps))


@layer("torch.nn.BatchNorm1d", state={**AFFINE, **RUNNING}, drops=DEVICE, base_suffices=True, differs=[EMPTY])
class BatchNorm1d(nn.BatchNorm1d):
    """Normalisation of (N, C) or (N, C, L) over all axes but C.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.BatchNorm1d.html
    """

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None,
        *, bias=True,
    ):
        if affine and not bias:
            raise Refused("bias=False with affine: MindSpore's cell has both or none; freeze `beta` by hand")
        if momentum is None:
            raise Refused("momentum=None (a cumulative average of the statistics): give a number")
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if not affine:
            batch_only = None if track_running_stats else True
            super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=False, use_batch_statistics=batch_only)
            self.affine = False  # gamma and beta are constants: torch has no parameters here
        elif track_running_stats:
            super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=affine)
        else:
            super().__init__(
                num_features, eps=eps, momentum=1 - momentum, affine=affine, use_batch_statistics=True
            )

    def __setattr__(self, name, value):
        super().__setattr__(STATISTICS.get(name, name), value)

    @property
    def weight(self):
        return self.gamma

    @property
    def bias(self):
        return self.beta

    @property
    def running_mean(self):
        return self.moving_mean

    @property
    def running_var(self):
        return self.moving_variance

    @property
    def eps(self):
        return self._eps

    @eps.setter
    def eps(self, value):
        self._eps = float(value)
        rebuilt(self)

    @property
    def momentum(self):
        return self._momentum

    @momentum.setter
    def momentum(self, value):
        self._momentum = value
        rebuilt(self)


@layer("torch.nn.BatchNorm2d", state={**AFFINE, **RUNNING}, drops=DEVICE, base_suffices=True, differs=[EMPTY])
class BatchNorm2d(nn.BatchNorm2d):
    """Normalisation of (N, C, H, W) over all axes but C.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.BatchNorm2d.html
    """

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None,
        *, bias=True,
    ):
        if affine and not bias:
            raise Refused("bias=False with affine: MindSpore's cell has both or none; freeze `beta` by hand")
        if momentum is None:
            raise Refused("momentum=None (a cumulative average of the statistics): give a number")
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if not affine:
            batch_only = None if track_running_stats else True
            super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=False, use_batch_statistics=batch_only)
            self.affine = False  # gamma and beta are constants: torch has no parameters here
        elif track_running_stats:
            super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=affine)
        else:
            super().__init__(
                num_features, eps=eps, momentum=1 - momentum, affine=affine, use_batch_statistics=True
            )

    def __setattr__(self, name, value):
        super().__setattr__(STATISTICS.get(name, name), value)

    @property
    def weight(self):
        return self.gamma

    @property
    def bias(self):
        return self.beta

    @property
    def running_mean(self):
        return self.moving_mean

    @property
    def running_var(self):
        return self.moving_variance

    @property
    def eps(self):
        return self._eps

    @eps.setter
    def eps(self, value):
        self._eps = float(value)
        rebuilt(self)

    @property
    def momentum(self):
        return self._momentum

    @momentum.setter
    def momentum(self, value):
        self._momentum = value
        rebuilt(self)


@layer("torch.nn.BatchNorm3d", state=INNER, drops=DEVICE, base_suffices=True, differs=[EMPTY])
class BatchNorm3d(nn.BatchNorm3d):
    """Normalisation of (N, C, D, H, W) over all axes but C.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.BatchNorm3d.html
    """

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None,
        *, bias=True,
    ):
        if affine and not bias:
            raise Refused("bias=False with affine: MindSpore's cell has both or none; freeze `beta` by hand")
        if momentum is None:
            raise Refused("momentum=None (a cumulative average of the statistics): give a number")
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if not affine:
            batch_only = None if track_running_stats else True
            super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=False, use_batch_statistics=batch_only)
            self.bn2d.affine = False  # gamma and beta are constants: torch has no parameters here
        elif track_running_stats:
            super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=affine)
        else:
            super().__init__(
                num_features, eps=eps, momentum=1 - momentum, affine=affine, use_batch_statistics=True
            )

    @property
    def weight(self):
        return self.bn2d.gamma

    @property
    def bias(self):
        return self.bn2d.beta

    @property
    def running_mean(self):
        return self.bn2d.moving_mean

    @property
    def running_var(self):
        return self.bn2d.moving_variance

    @property
    def eps(self):
        return self.bn2d.eps

    @eps.setter
    def eps(self, value):
        self.bn2d.eps = value
        rebuilt(self.bn2d)

    @property
    def momentum(self):
        return self.bn2d.momentum

    @momentum.setter
    def momentum(self, value):
        self.bn2d.momentum = value
        rebuilt(self.bn2d)




@layer(
    "torch.nn.LayerNorm", state=AFFINE, attributes={"eps": "epsilon"}, drops=DEVICE, base_suffices=True,
    differs=[difference("float64 has the accuracy of float32 on CPU, and no second derivative", when="inputs and isinstance(inputs[0], Tensor) and inputs[0].dtype == ms.float64", zh="CPU 上 float64 只有 float32 精度，且没有二阶导数")],
)  # fmt: skip
class LayerNorm(nn.LayerNorm):
    """Normalisation over the last axes, which have the sizes `normalized_shape`.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LayerNorm.html
    """

    def __init__(
        self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if elementwise_affine and bias and isinstance(normalized_shape, int):
            super().__init__((normalized_shape,), epsilon=eps)
        elif elementwise_affine and bias and isinstance(normalized_shape, tuple) and len(normalized_shape) == 1:
            super().__init__(normalized_shape, epsilon=eps)
        else:
            self.elementwise_affine = elementwise_affine
            shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
            super().__init__(shape, epsilon=eps)
            self.gamma.requires_grad = bool(elementwise_affine)
            self.beta.requires_grad = bool(elementwise_affine and bias)
            self.no_bias = not bias

    def construct(self, input):
        first = input.ndim - len(self.normalized_shape)
        norm = ops.LayerNorm(first, first, self.epsilon)
        return norm(input, self.gamma.astype(input.dtype), self.beta.astype(input.dtype))[0]

    def __setattr__(self, name, value):
        super().__setattr__(AFFINE.get(name, name), value)

    @property
    def weight(self):
        return self.gamma

    @property
    def bias(self):
        return self.beta

    @property
    def eps(self):
        return self.epsilon

    @eps.setter
    def eps(self, value):
        self.epsilon = float(value)


@layer("torch.nn.GroupNorm", state=AFFINE, drops=DEVICE, base_suffices=True)
class GroupNorm(nn.GroupNorm):
    """Normalisation of (N, C, *) over groups of channels.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.GroupNorm.html
    """

    def __init__(self, num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, *, bias=True):
        if affine and not bias:
            raise Refused("bias=False with affine: MindSpore's cell has both or none; freeze `beta` by hand")
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if seen_int(affine):
            affine = bool(affine)
        super().__init__(num_groups, num_channels, eps=eps, affine=affine)

    def __setattr__(self, name, value):
        super().__setattr__(AFFINE.get(name, name), value)

    @property
    def weight(self):
        return self.gamma

    @property
    def bias(self):
        return self.beta


@layer("torch.nn.RMSNorm", drops=DEVICE)
class RMSNorm(nn.Cell):
    """x / sqrt(mean(x * x) + eps) * weight over the last axes, which have the sizes `normalized_shape`.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.RMSNorm.html
    """

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = None
        if elementwise_affine:
            self.weight = Parameter(ops.ones(self.normalized_shape, ms.float32 if dtype is None else dtype), name="weight")
        self.reset_parameters()

    def reset_parameters(self):
        if self.elementwise_affine:
            self.weight.set_data(ops.ones(self.weight.shape, self.weight.dtype))

    def construct(self, x):
        eps = self.eps
        if eps is None:
            eps = np.finfo(np.float64).eps if x.dtype == ms.float64 else np.finfo(np.float32).eps
        axes = tuple(range(x.ndim - len(self.normalized_shape), x.ndim))
        wide = x if x.dtype == ms.float64 else x.astype(ms.float32)
        normed = wide * ops.rsqrt(ops.mean(wide * wide, axes, keep_dims=True) + float(eps))
        return (normed if self.weight is None else normed * self.weight).astype(x.dtype)


@layer("torch.nn.LocalResponseNorm", differs=[difference("integers are computed in float32, torch takes whole means", when="inputs and not inputs[0].is_floating_point()", zh="整数以 float32 计算")])
class LocalResponseNorm(nn.Cell):
    """x / (k + alpha * mean of squares over `size` neighbouring channels) ** beta.

    `nn.LRN` sums where torch takes the mean, and knows only odd sizes.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LocalResponseNorm.html
    """

    def __init__(self, size, alpha=0.0001, beta=0.75, k=1.0):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def construct(self, input):
        if input.size == 0:
            return ops.zeros_like(input)
        channels = input.shape[1]
        shape = (input.shape[0], channels, -1)
        squares = ops.pad((input * input).reshape(shape).swapaxes(1, 2), (self.size // 2, (self.size - 1) // 2))
        total = squares.narrow(2, 0, channels)
        for offset in range(1, self.size):
            total = total + squares.narrow(2, offset, channels)
        mean = (total / self.size).swapaxes(1, 2).reshape(input.shape)
        return input / ops.pow(mean * self.alpha + self.k, self.beta)
