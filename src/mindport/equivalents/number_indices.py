"""Indices that hold numbers beside index tensors, as torch takes them: the numbers first; and masks of several axes before slices."""

from mindspore import Tensor


def indexed(x, *index):
    """``x[index]`` where numbers (and tensors without axes) take their axes away before index tensors are looked at.

    Behind a mask of several axes MindSpore takes slices and negative numbers by the length of another axis.
    """
    if not isinstance(x, Tensor):
        return x[index]
    if _is_mask(index[0]) and index[0].ndim > 1 and all(item is None or item is Ellipsis or isinstance(item, (slice, int)) for item in index[1:]):
        return x[index[0]][(slice(None), *index[1:])]
    numbers = [isinstance(i, int) and not isinstance(i, bool) or (isinstance(i, Tensor) and i.ndim == 0 and str(i.dtype) != "Bool") for i in index]
    if not any(numbers):
        return x[index]
    first, rest = [], []
    for item, number in zip(index, numbers):
        if number:
            first.append(item if isinstance(item, int) else int(item))
            continue
        rest.append(item)
        if item is Ellipsis:
            first.append(item)
        elif item is not None:
            first.extend([slice(None)] * (item.ndim if _is_mask(item) else 1))
    return x[tuple(first)][tuple(rest)]


def _is_mask(item):
    return str(getattr(item, "dtype", "")).lower() == "bool"
