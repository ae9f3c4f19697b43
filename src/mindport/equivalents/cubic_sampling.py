"""Cubic reading of a picture at given places, which `ops.grid_sample` lacks: sixteen neighbours, with torch's rules at the border."""

import mindspore as ms
from mindspore import ops

#: Keys' cubic convolution kernel has one free number.
SHARPNESS = -0.75


def _near(distance):
    """The kernel between 0 and 1."""
    return ((SHARPNESS + 2) * distance - (SHARPNESS + 3)) * distance * distance + 1


def _far(distance):
    """The kernel between 1 and 2."""
    return ((SHARPNESS * distance - 5 * SHARPNESS) * distance + 8 * SHARPNESS) * distance - 4 * SHARPNESS


def _reflected(places, low, high):
    """Places folded back at `low` and `high` until they lie between them."""
    span = high - low
    if span == 0:
        return ops.zeros_like(places)
    beyond = ops.abs(places - low)
    times = ops.floor(beyond / span)
    left = beyond - times * span
    return ops.where(times % 2 == 0, left + low, span - left + low)


def _kept(places, length, padding_mode, align_corners):
    """The places that are read instead, whole numbers still, and which of them are inside."""
    if padding_mode == "reflection":
        places = _reflected(places, 0.0, length - 1.0) if align_corners else _reflected(places, -0.5, length - 0.5)
    inside = ops.logical_and(places >= 0, places <= length - 1)
    return ops.clamp(places, 0, length - 1), inside


def cubic_grid_sample(input, grid, padding_mode, align_corners):
    """(N, C, H, W) read at grid (N, h, w, 2) by Keys' cubic over four neighbours along each axis."""
    (height, width), count = input.shape[-2:], grid.shape[1] * grid.shape[2]
    pixels = input.reshape(input.shape[0], input.shape[1], height * width)
    taps = []
    for axis, length in ((0, width), (1, height)):
        place = grid[..., axis].reshape(grid.shape[0], count)
        place = (place + 1) / 2 * (length - 1) if align_corners else ((place + 1) * length - 1) / 2
        below = ops.stop_gradient(ops.floor(place))
        part = place - below
        weights = (_far(part + 1), _near(part), _near(1 - part), _far(2 - part))
        taps.append([(*_kept(below + n - 1, length, padding_mode, align_corners), weights[n]) for n in range(4)])
    total = 0
    for row, row_inside, row_weight in taps[1]:
        for column, column_inside, column_weight in taps[0]:
            weight = row_weight * column_weight
            if padding_mode == "zeros":
                weight = ops.where(ops.logical_and(row_inside, column_inside), weight, ops.zeros_like(weight))
            index = (row * width + column).astype(ms.int64).unsqueeze(1)
            read = ops.gather_elements(pixels, 2, index.broadcast_to((pixels.shape[0], pixels.shape[1], count)))
            total = total + read * weight.unsqueeze(1)
    return total.reshape(input.shape[0], input.shape[1], grid.shape[1], grid.shape[2]).astype(input.dtype)
