"""Tuples of integers as data: for projects whose sizes of tensors (torch.Size, here plain tuples) never reach a constructor by another name."""

from mindport.equivalents.legacy_constructors import MAY_BE_SIZES


def take_tuples_as_data():
    """Have ``torch.LongTensor(pair)`` make a tensor of the pair's numbers."""
    MAY_BE_SIZES[0] = False
    return True


TUPLES_ARE_DATA = take_tuples_as_data()
