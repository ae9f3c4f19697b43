"""Scenarios of sequences of different lengths: padded, packed, and back."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

NAME = "torch.nn.utils.rnn."
LENGTHS = ([5, 3, 3, 1], [2, 4, 1], [3])


def sequences(side: Side, lengths: list[int], *axes: int, dtype: torch.dtype = torch.float32) -> list[Any]:
    """One tensor a length, counting through."""
    return [side.value((torch.arange(float(torch.Size((n, *axes)).numel())) + 100 * i).reshape(n, *axes).to(dtype)) for i, n in enumerate(lengths)]


def seen(packed: Any) -> list[Any]:
    """The four parts."""
    return [packed.data, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices]


def packed(side: Side, lengths: list[int], *axes: int) -> Any:
    """A packed sequence of unsorted lengths."""
    return side.make(NAME + "pack_sequence", sequences(side, lengths, *axes), enforce_sorted=False)


@scenario(NAME + "pad_sequence")
def padded(side: Side) -> Any:
    """Several axes, both orders, other values, both sides, whole numbers, a tuple."""
    found: list[Any] = []
    for lengths in LENGTHS:
        for axes in ((), (2,), (2, 3)):
            given = sequences(side, lengths, *axes)
            found += [side.call(given), side.call(given, True), side.call(tuple(given), batch_first=True, padding_value=-1.5), side.call(given, padding_side="left")]
    whole = sequences(side, [3, 1], dtype=torch.int64)
    return [*found, side.call(whole, padding_value=-100), side.call(whole, True, 7)]


@scenario(NAME + "pack_padded_sequence")
def packed_rows(side: Side) -> Any:
    """Sorted and not, both orders, lengths as a list and as a tensor; unsorted lengths where sorted ones are asked for."""
    found: list[Any] = []
    for lengths in LENGTHS:
        for first in (False, True):
            x = side.make(NAME + "pad_sequence", sequences(side, lengths, 2), first)
            found += seen(side.call(x, lengths, first, False))
            found += seen(side.call(x, side.value(torch.tensor(lengths)), batch_first=first, enforce_sorted=False))
            if lengths == sorted(lengths, reverse=True):
                found += seen(side.call(x, lengths, first))
    x = side.make(NAME + "pad_sequence", sequences(side, LENGTHS[1], 2))
    for wrong in ((LENGTHS[1],), ([4, 2, 0],)):
        try:
            side.call(x, *wrong)
        except (RuntimeError, ValueError):
            found.append("raises")
    return found


@scenario(NAME + "pack_sequence")
def packed_list(side: Side) -> Any:
    """Sorted and not."""
    found = seen(side.call(sequences(side, LENGTHS[0], 2)))
    return found + [part for lengths in LENGTHS for part in seen(side.call(sequences(side, lengths), enforce_sorted=False))]


@scenario(NAME + "pad_packed_sequence")
def padded_again(side: Side) -> Any:
    """Both orders, another value, a longer whole; one that is too short raises."""
    found: list[Any] = []
    for lengths in LENGTHS:
        for axes in ((), (2,)):
            given = packed(side, lengths, *axes)
            found += [*side.call(given), *side.call(given, True), *side.call(given, batch_first=True, padding_value=-1.0, total_length=6)]
    try:
        side.call(packed(side, [3, 2]), total_length=2)
    except ValueError:
        found.append("raises")
    return found


@scenario(NAME + "unpack_sequence")
def unpacked(side: Side) -> Any:
    """The tensors of before, in their order."""
    return [list(side.call(packed(side, lengths, 2))) for lengths in LENGTHS]


@scenario(NAME + "unpad_sequence")
def unpadded(side: Side) -> Any:
    """Both orders."""
    found = []
    for lengths in LENGTHS:
        for first in (True, False):
            x = side.make(NAME + "pad_sequence", sequences(side, lengths, 2), first)
            found.append(list(side.call(x, side.value(torch.tensor(lengths)), first)))
    return found


@scenario(NAME + "invert_permutation")
def inverted(side: Side) -> Any:
    """A permutation, one element, none."""
    return [side.call(side.value(torch.tensor([2, 0, 3, 1]))), side.call(side.value(torch.tensor([0]))), side.call(None)]


@scenario(NAME + "PackedSequence")
def constructed(side: Side) -> Any:
    """By its parts, another dtype, equality of its parts."""
    data, sizes = side.value(torch.arange(6.0)), side.value(torch.tensor([3, 2, 1]))
    order = side.value(torch.tensor([1, 2, 0]))
    found = [*seen(side.call(data, sizes)), *seen(side.call(data, sizes, order)), *seen(side.call(data, sizes, sorted_indices=order).to(side.value(torch.float64)))]
    return [*found, side.call(data, sizes).is_cuda, len(side.call(data, sizes))]


@scenario(*(NAME + f"PackedSequence.{part}" for part in ("data", "batch_sizes", "sorted_indices", "unsorted_indices")))
def read(side: Side) -> Any:
    """Sorted, and not."""
    return [side.call(packed(side, lengths, 2)) for lengths in LENGTHS] + [side.call(side.make(NAME + "pack_sequence", sequences(side, LENGTHS[0])))]
