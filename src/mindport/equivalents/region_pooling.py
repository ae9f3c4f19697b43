"""torchvision's pooling of regions of feature maps. https://docs.pytorch.org/vision/stable/ops.html

Regions are (image, x1, y1, x2, y2) in one tensor, or a list with the boxes (x1, y1, x2, y2) of each image.
"""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import difference, equivalent
from mindport.equivalents.torchvision_ops import roi_align, roi_pool

SECOND = difference("the second result (which channel each bin is from) is None", risk="loud", zh="第二个返回值为 None")


def regions(boxes):
    """Boxes by image as one tensor with the number of the image before each box."""
    if isinstance(boxes, Tensor):
        if boxes.shape[1] != 5:
            raise AssertionError("The boxes tensor shape is not correct as Tensor[K, 5]")
        return boxes
    for each in boxes:
        if each.shape[1] != 4:
            raise AssertionError("The shape of the tensor in the boxes list is not correct as List[Tensor[L, 4]]")
    numbered = [ops.cat((ops.full((each.shape[0], 1), n, dtype=each.dtype), each), axis=1) for n, each in enumerate(boxes) if each.shape[0] > 0]
    return ops.cat(numbered, axis=0) if numbered else ops.zeros((0, 5), boxes[0].dtype)


def height_and_width(size):
    """One number stands for both."""
    return (size, size) if isinstance(size, int) else (size[0], size[1])


@equivalent("torchvision.ops.roi_align", differs=[difference("float64 and float16 are computed with the accuracy of float32's weights", when="input.dtype in (ms.float64, ms.float16)", zh="float64 与 float16 的插值权重只有 float32 的精度"), difference("NaN or infinity anywhere in a plane reaches all bins of its boxes", when="not ms.isfinite(input).all() or isinstance(boxes, Tensor) and not ms.isfinite(boxes).all()", zh="特征图任何位置的 NaN 或无穷会影响该图的所有网格"), difference("boxes of another dtype than the input, and whole numbers, are computed; torchvision's compiled operator raises, and its Python form rounds otherwise", when="isinstance(boxes, Tensor) and input.dtype != boxes.dtype or not input.is_floating_point()", zh="框与输入类型不同或为整数时照常计算，torchvision 的编译算子报错")])
def roi_align_of_boxes(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
    """The mean of bilinear samples in each bin of each region: (regions, C, height, width)."""
    height, width = height_and_width(output_size)
    return roi_align(input, regions(boxes), spatial_scale, height, width, sampling_ratio, aligned)


@equivalent("torchvision.ops.roi_pool")
def roi_pool_of_boxes(input, boxes, output_size, spatial_scale=1.0):
    """The maximum in each bin of each region, rounded to whole positions; zero in empty bins."""
    height, width = height_and_width(output_size)
    return roi_pool(input, regions(boxes), spatial_scale, height, width)[0]


def own_channels(pooled, height, width):
    """From (K, C·height·width, height, width) the channel that belongs to each bin: (K, C, height, width)."""
    count, channels = pooled.shape[0], pooled.shape[1] // (height * width)
    apart = pooled.reshape((count, channels, height, width, height, width))
    rows = ops.eye(height, height, ms.float32).reshape((height, 1, height, 1))
    columns = ops.eye(width, width, ms.float32).reshape((1, width, 1, width))
    return (apart * (rows * columns).astype(pooled.dtype)).sum((4, 5))


@equivalent("torch.ops.torchvision.ps_roi_align", differs=[SECOND])
def ps_roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio):
    """`roi_align` (aligned) in which each bin has channels of its own: (regions, C / (height·width), height, width)."""
    if input.shape[1] % (pooled_height * pooled_width) != 0:
        raise RuntimeError("input channels must be a multiple of pooling height * pooling width")
    if rois.shape[0] == 0:
        return ops.zeros((0, input.shape[1] // (pooled_height * pooled_width), pooled_height, pooled_width), input.dtype), None
    pooled = roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, True)
    return own_channels(pooled, pooled_height, pooled_width), None


@equivalent("torchvision.ops.ps_roi_align")
def ps_roi_align_of_boxes(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1):
    """`roi_align` in which each bin has channels of its own: (regions, C / (height·width), height, width)."""
    height, width = height_and_width(output_size)
    return ps_roi_align(input, regions(boxes), spatial_scale, height, width, sampling_ratio)[0]
