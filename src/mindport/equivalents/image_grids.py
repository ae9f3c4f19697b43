"""Pictures of batches: torchvision's `make_grid` and `save_image`.

https://docs.pytorch.org/vision/0.28/utils.html
"""

import numpy as np
from mindspore import Tensor
from PIL import Image

from mindport.declare import equivalent


def stretched(images, value_range):
    """The images with the range's ends, or their own smallest and largest value, at 0 and 1."""
    low, high = (images.min(), images.max()) if value_range is None else value_range
    kind = images.dtype.type
    return (np.clip(images, kind(low), kind(high)) - kind(low)) / kind(max(high - low, 1e-5))


def image_batch(tensor):
    """Images (N, C, H, W) with three channels where there was one, of a tensor of any rank from 2 on or of a list."""
    batch = np.stack([t.asnumpy() for t in tensor]) if isinstance(tensor, (list, tuple)) else tensor.asnumpy()
    if batch.ndim == 2:
        batch = batch[None]
    if batch.ndim == 3:
        batch = batch[None]
    return np.repeat(batch, 3, axis=1) if batch.shape[1] == 1 else batch


@equivalent("torchvision.utils.make_grid")
def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """The images of a batch side by side, `nrow` in a row, as one image (C, H, W)."""
    images = image_batch(tensor)
    if normalize and scale_each:
        images = np.stack([stretched(image, value_range) for image in images])
    elif normalize:
        images = stretched(images, value_range)
    if len(images) == 1:
        return Tensor(images[0])
    columns = min(nrow, len(images))
    rows = -(-len(images) // columns)
    height, width = images.shape[2] + padding, images.shape[3] + padding
    grid = np.full((images.shape[1], height * rows + padding, width * columns + padding), pad_value, images.dtype)
    for place, image in enumerate(images):
        top, left = place // columns * height + padding, place % columns * width + padding
        grid[:, top : top + height - padding, left : left + width - padding] = image
    return Tensor(grid)


@equivalent("torchvision.utils.save_image")
def save_image(tensor, fp, format=None, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """Writes the grid of a batch to a file; 0 is black and 1 is white."""
    grid = make_grid(tensor, nrow, padding, normalize, value_range, scale_each, pad_value).asnumpy()
    pixels = np.clip(grid * grid.dtype.type(255) + grid.dtype.type(0.5), 0, 255).transpose(1, 2, 0).astype(np.uint8)
    Image.fromarray(pixels).save(fp, format=format)
