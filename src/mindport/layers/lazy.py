"""Layers that learn their input's size from their first call.

Built with the smallest size there is; the first call puts the data of a layer of the right size into the same parameters, so that
an optimizer that holds them already goes on holding them. Where torch raises for a parameter without a shape, these have a small one.
MindSpore goes on giving zeros of that first size as the gradient of a parameter that a function does not use.
"""

from mindport.declare import insert_axis, layer
from mindport.layers.convolution import (
    DEVICE,
    WITHOUT_BATCH_1D,
    WITHOUT_BATCH_2D,
    WITHOUT_BATCH_3D,
    Conv1d,
    Conv2d,
    Conv3d,
)
from mindport.layers.instance_normalization import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from mindport.layers.linear import NO_ROWS, Linear
from mindport.layers.normalization import AFFINE, EMPTY, INNER, RUNNING, BatchNorm1d, BatchNorm2d, BatchNorm3d
from mindport.layers.transposed_convolution import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d

CONVOLUTION = {"groups": "group"}


class Lazy:
    """What the lazy layers share; `axis` is the one whose length the first input tells."""

    axis = 1
    plain = None
    missing = True

    def __call__(self, *args, **kwargs):
        if self.missing:
            self.initialize_parameters(*args, **kwargs)
        return super().__call__(*args, **kwargs)

    def initialize_parameters(self, input, *args, **kwargs):
        """Gives the parameters the size that the input asks for, and their initial values."""
        if self.missing:
            self.make(input.shape[self.axis])

    def take_sizes(self, state):
        """Gives the parameters the size that they have in a state that is about to be loaded, by torch's names and shapes."""
        if self.missing and "weight" in state:
            self.make(self.told_by(state["weight"].shape))
        elif self.missing and "running_mean" in state:
            self.make(state["running_mean"].shape[0])

    def told_by(self, shape):
        """The input's size, by the shape of a weight."""
        return shape[0]

    def make(self, size):
        """Gives the parameters their initial values for an input of a size."""
        fresh = self.plain(size, **self.given)
        for parameter, filled in zip(self.get_parameters(), fresh.get_parameters()):
            parameter.set_data(filled, slice_shape=True)
        if "in_channels" in self.__dict__:
            self.in_channels = size
        if "num_features" in self.__dict__:
            self.num_features = size
        if "bn2d" in self._cells:
            self.bn2d.num_features = size
        self.missing = False

    def has_uninitialized_params(self):
        """Whether the first call is still to come."""
        return self.missing


class LazyConvolution(Lazy):
    """What the lazy convolutions are made with: all that a convolution is, but its in_channels."""

    def __init__(
        self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros",
        device=None, dtype=None,
    ):
        self.given = {
            "out_channels": out_channels, "kernel_size": kernel_size, "stride": stride, "padding": padding, "dilation": dilation,
            "groups": groups, "bias": bias, "padding_mode": padding_mode, "dtype": dtype,
        }
        super().__init__(groups, **self.given)

    def told_by(self, shape):
        """The input's channels: a group's, times the groups."""
        return shape[1] * self.given["groups"]


class LazyTransposedConvolution(Lazy):
    """The same of the transposed convolutions."""

    def __init__(
        self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode="zeros",
        device=None, dtype=None,
    ):
        self.given = {
            "out_channels": out_channels, "kernel_size": kernel_size, "stride": stride, "padding": padding, "dilation": dilation,
            "groups": groups, "bias": bias, "padding_mode": padding_mode, "dtype": dtype,
            "output_padding": output_padding,
        }
        super().__init__(groups, **self.given)

    def make(self, size):
        """The operator counts the input's channels, too: its backward pass asks for them."""
        super().make(size)
        for operator, count in (("conv2d_transpose", "out_channel"), ("conv3d_transpose", "in_channel")):
            if hasattr(self, operator):
                setattr(getattr(self, operator), count, size)
                getattr(self, operator).add_prim_attr(count, size)


class LazyNormalization(Lazy):
    """What the lazy normalisations are made with: all but num_features."""

    def __init__(self, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        self.given = {
            "eps": eps, "momentum": momentum, "affine": affine, "track_running_stats": track_running_stats, "dtype": dtype, "bias": bias,
        }
        super().__init__(1, **self.given)


@layer("torch.nn.LazyLinear", attributes={"in_features": "in_channels", "out_features": "out_channels"}, drops=DEVICE, differs=[NO_ROWS])
class LazyLinear(Lazy, Linear):
    """A Linear whose in_features is the length of its first input's last axis.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyLinear.html
    """

    axis = -1
    plain = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        self.given = {"out_features": out_features, "bias": bias, "dtype": dtype}
        super().__init__(1, out_features, bias, dtype=dtype)

    def told_by(self, shape):
        """The input's features."""
        return shape[1]


@layer("torch.nn.LazyConv1d", state={"weight": insert_axis("weight", 2)}, attributes=CONVOLUTION, drops=DEVICE, differs=[WITHOUT_BATCH_1D])
class LazyConv1d(LazyConvolution, Conv1d):
    """A Conv1d whose in_channels is its first input's number of channels.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyConv1d.html
    """

    axis = -2
    plain = Conv1d


@layer("torch.nn.LazyConv2d", attributes=CONVOLUTION, drops=DEVICE, differs=[WITHOUT_BATCH_2D])
class LazyConv2d(LazyConvolution, Conv2d):
    """A Conv2d whose in_channels is its first input's number of channels.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyConv2d.html
    """

    axis = -3
    plain = Conv2d


@layer("torch.nn.LazyConv3d", attributes=CONVOLUTION, drops=DEVICE, differs=[WITHOUT_BATCH_3D])
class LazyConv3d(LazyConvolution, Conv3d):
    """A Conv3d whose in_channels is its first input's number of channels.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyConv3d.html
    """

    axis = -4
    plain = Conv3d


@layer("torch.nn.LazyConvTranspose1d", state={"weight": insert_axis("weight", 2)}, attributes=CONVOLUTION, drops=DEVICE)
class LazyConvTranspose1d(LazyTransposedConvolution, ConvTranspose1d):
    """A ConvTranspose1d whose in_channels is its first input's number of channels.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyConvTranspose1d.html
    """

    axis = -2
    plain = ConvTranspose1d


@layer("torch.nn.LazyConvTranspose2d", attributes=CONVOLUTION, drops=DEVICE, differs=[WITHOUT_BATCH_2D])
class LazyConvTranspose2d(LazyTransposedConvolution, ConvTranspose2d):
    """A ConvTranspose2d whose in_channels is its first input's number of channels.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyConvTranspose2d.html
    """

    axis = -3
    plain = ConvTranspose2d


@layer("torch.nn.LazyConvTranspose3d", attributes=CONVOLUTION, drops=DEVICE, differs=[WITHOUT_BATCH_3D])
class LazyConvTranspose3d(LazyTransposedConvolution, ConvTranspose3d):
    """A ConvTranspose3d whose in_channels is its first input's number of channels.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyConvTranspose3d.html
    """

    axis = -4
    plain = ConvTranspose3d


@layer("torch.nn.LazyBatchNorm1d", state={**AFFINE, **RUNNING}, drops=DEVICE, differs=[EMPTY])
class LazyBatchNorm1d(LazyNormalization, BatchNorm1d):
    """A BatchNorm1d whose num_features is the length of its first input's axis 1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyBatchNorm1d.html
    """

    plain = BatchNorm1d


@layer("torch.nn.LazyBatchNorm2d", state={**AFFINE, **RUNNING}, drops=DEVICE, differs=[EMPTY])
class LazyBatchNorm2d(LazyNormalization, BatchNorm2d):
    """A BatchNorm2d whose num_features is the length of its first input's axis 1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyBatchNorm2d.html
    """

    plain = BatchNorm2d


@layer("torch.nn.LazyBatchNorm3d", state=INNER, drops=DEVICE, differs=[EMPTY])
class LazyBatchNorm3d(LazyNormalization, BatchNorm3d):
    """A BatchNorm3d whose num_features is the length of its first input's axis 1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyBatchNorm3d.html
    """

    plain = BatchNorm3d


@layer("torch.nn.LazyInstanceNorm1d", state={"num_batches_tracked": None}, drops=DEVICE)
class LazyInstanceNorm1d(LazyNormalization, InstanceNorm1d):
    """An InstanceNorm1d whose num_features is the length of its first input's axis 1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyInstanceNorm1d.html
    """

    plain = InstanceNorm1d


@layer("torch.nn.LazyInstanceNorm2d", state={"num_batches_tracked": None}, drops=DEVICE)
class LazyInstanceNorm2d(LazyNormalization, InstanceNorm2d):
    """An InstanceNorm2d whose num_features is the length of its first input's axis 1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyInstanceNorm2d.html
    """

    plain = InstanceNorm2d


@layer("torch.nn.LazyInstanceNorm3d", state={"num_batches_tracked": None}, drops=DEVICE)
class LazyInstanceNorm3d(LazyNormalization, InstanceNorm3d):
    """An InstanceNorm3d whose num_features is the length of its first input's axis 1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LazyInstanceNorm3d.html
    """

    plain = InstanceNorm3d
