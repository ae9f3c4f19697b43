"""Indices that hold numbers beside index tensors, as torch takes them: the numbers first."""

from mindspore import Tensor


def indexed(x, *index):
    """``x[index]`` where numbers (and tensors without axes) take their axes away before index tensors are looked at."""
    if not isinstance(x, Tensor):
        return x[index]
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
            mask = str(getattr(item, "dtype", "")).lower() == "bool"
            first.extend([slice(None)] * (item.ndim if mask else 1))
    return x[tuple(first)][tuple(rest)]
