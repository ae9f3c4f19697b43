"""Indices that hold numbers beside index tensors, as torch takes them: the numbers first; and masks of several axes before slices."""

from mindspore import Tensor


def indexed(x, *index):
    """``x[index]`` where numbers (and tensors without axes) take their axes away before index tensors are looked at.

    Beside a mask of several axes MindSpore takes slices and negative numbers by the length of another axis, and raises for ``...``:
    the axes that a mask stands for are made one.
    """
    if not isinstance(x, Tensor):
        return x[index]
    if any(_is_mask(item) and item.ndim > 1 for item in index):
        x, index = _flat_masks(x, index)
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


def _flat_masks(x, index):
    """The tensor and the index with one axis for each mask, and ``...`` written out."""
    taken = sum(item.ndim if _is_mask(item) else item is not None for item in index if item is not Ellipsis)
    whole = (slice(None),) * (x.ndim - taken)
    place = next((n for n, item in enumerate(index) if item is Ellipsis), len(index))
    index = [*index[:place], *whole, *index[place + 1 :]]
    shape, axis = [], 0
    for n, item in enumerate(index):
        count = item.ndim if _is_mask(item) else int(item is not None)
        if _is_mask(item) and count > 1:
            shape.append(item.size)
            index[n] = item.reshape(-1)
        else:
            shape.extend(x.shape[axis : axis + count])
        axis += count
    return x.reshape(shape), tuple(index)
