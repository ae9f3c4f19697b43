"""Sampling at the nearest element: halfway between two, torch takes the one at an even place, and MindSpore's kernel the later one."""

from mindspore import Tensor, ops


def nearest_grid_sample(input, grid, padding_mode, align_corners):
    """`grid_sample` with mode="nearest", at places that are rounded first.

    A place g of an axis of n elements is element ((g + 1) · n - 1) / 2, with aligned corners (g + 1) · (n - 1) / 2.
    """
    sizes = Tensor([float(n) for n in input.shape[:1:-1]], grid.dtype)  # grids have x first, shapes have it last
    if align_corners:
        last = ops.maximum(sizes - 1, 1.0)
        grid = ops.round((grid + 1) * ((sizes - 1) / 2)) * 2 / last - 1
    else:
        grid = (ops.round((grid + 1) * (sizes / 2) - 0.5) * 2 + 1) / sizes - 1
    return ops.grid_sample(input, grid, mode="nearest", padding_mode=padding_mode, align_corners=bool(align_corners))
