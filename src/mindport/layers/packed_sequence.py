"""Sequences of different lengths, packed step by step: `PackedSequence` and the functions that make and undo it.

MindSpore's recurrent cells take padded input and lengths; `run_packed` goes there and back.
Sources: torch/nn/utils/rnn.py, torch/csrc of torch 2.13 (order of packing).
"""

from collections import namedtuple

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import attribute, difference, equivalent, layer

UNSORTED = (
    "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to "
    "pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability."
)


@layer("torch.nn.utils.rnn.PackedSequence")
class PackedSequence(namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])):
    """The rows of all sequences, first steps first: at step t, `batch_sizes[t]` sequences still run.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.rnn.PackedSequence.html
    """

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        dtype = kwargs.get("dtype", args[0] if args else None)
        return self._replace(data=self.data.astype(dtype)) if isinstance(dtype, ms.Type) else self

    def cuda(self, *args, **kwargs):
        return self

    def cpu(self, *args, **kwargs):
        return self

    def pin_memory(self):
        return self

    @property
    def is_cuda(self):
        return False


@equivalent("torch.nn.utils.rnn.invert_permutation")
def invert_permutation(permutation):
    """The permutation that undoes another; None stays None."""
    if permutation is None:
        return None
    return Tensor(np.argsort(permutation.asnumpy(), kind="stable"))


def batch_sizes_of(lengths):
    """How many sequences of descending lengths run at each step."""
    return np.array([(lengths > step).sum() for step in range(lengths[0])], np.int64)


@equivalent("torch.nn.utils.rnn.pack_padded_sequence")
def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Packs padded sequences (L, N, *) or, with batch_first, (N, L, *).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.rnn.pack_padded_sequence.html
    """
    lengths = np.asarray(lengths.asnumpy() if isinstance(lengths, Tensor) else [int(n) for n in lengths]).astype(np.int64)
    steps, batch = (input.shape[1], input.shape[0]) if batch_first else input.shape[:2]
    if lengths.shape != (batch,):
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {lengths.size} (batch_size={batch})")
    if (lengths <= 0).any():
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if lengths.max() > steps:
        raise RuntimeError(f"Expected `lengths` of at most {steps}, but found {lengths.max()}")
    order = None
    if not enforce_sorted:
        order = np.argsort(-lengths, kind="stable")
        lengths = lengths[order]
    elif (lengths[1:] > lengths[:-1]).any():
        raise RuntimeError(UNSORTED)
    sizes = batch_sizes_of(lengths)
    column = np.arange(batch) if order is None else order
    if batch_first:
        rows = np.concatenate([column[:n] * steps + step for step, n in enumerate(sizes)])
    else:
        rows = np.concatenate([step * batch + column[:n] for step, n in enumerate(sizes)])
    data = ops.gather(input.reshape((steps * batch,) + input.shape[2:]), Tensor(rows), 0)
    return PackedSequence(data, Tensor(sizes), None if order is None else Tensor(order))


def padded_rows(sizes):
    """For each step and sequence the row of the packed data, len(data) where the sequence has ended."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    column = np.arange(sizes[0])
    return np.where(column < sizes[:, None], starts[:, None] + column, sizes.sum())


@equivalent("torch.nn.utils.rnn.pad_packed_sequence")
def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """(padded sequences, their lengths), in the order in which they were packed.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.rnn.pad_packed_sequence.html
    """
    data, sizes = sequence.data, sequence.batch_sizes.asnumpy()
    lengths = (sizes[:, None] > np.arange(sizes[0])).sum(0)
    rows = padded_rows(sizes)
    if total_length is not None:
        if total_length < len(sizes):
            raise ValueError(
                f"Expected total_length to be at least the length of the longest sequence in input, but got total_length={total_length} "
                f"and max sequence length being {len(sizes)}"
            )
        rows = np.concatenate([rows, np.full((total_length - len(sizes), sizes[0]), sizes.sum())])
    if sequence.unsorted_indices is not None:
        order = sequence.unsorted_indices.asnumpy()
        rows, lengths = rows[:, order], lengths[order]
    if batch_first:
        rows = rows.T
    ended = ops.full((1,) + data.shape[1:], padding_value, dtype=data.dtype)
    padded = ops.gather(ops.cat((data, ended)), Tensor(rows.reshape(-1)), 0)
    return padded.reshape(rows.shape + data.shape[1:]), Tensor(lengths.astype(np.int64))


@equivalent("torch.nn.utils.rnn.pad_sequence")
def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Stacks sequences (L_i, *), the shorter ones padded: (L, N, *) or, with batch_first, (N, L, *).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.rnn.pad_sequence.html
    """
    if padding_side not in ("right", "left"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    longest = max(sequence.shape[0] for sequence in sequences)
    padded = []
    for sequence in sequences:
        missing = longest - sequence.shape[0]
        if missing:
            filling = ops.full((missing,) + sequence.shape[1:], padding_value, dtype=sequence.dtype)
            sequence = ops.cat((sequence, filling) if padding_side == "right" else (filling, sequence))
        padded.append(sequence)
    return ops.stack(padded, 0 if batch_first else 1)


@equivalent("torch.nn.utils.rnn.pack_sequence")
def pack_sequence(sequences, enforce_sorted=True):
    """Packs sequences (L_i, *)."""
    lengths = [sequence.shape[0] for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


@equivalent("torch.nn.utils.rnn.unpad_sequence", differs=[difference("torch also exchanges the first two axes of the given tensor itself; here it stays as it was", when="not batch_first", zh="PyTorch 会就地交换输入的前两个轴，此处输入保持不变")])
def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The sequences of a padded tensor, as a list."""
    rows = padded_sequences if batch_first else padded_sequences.swapaxes(0, 1)
    return [rows[i][: int(n)] for i, n in enumerate(lengths)]


@equivalent("torch.nn.utils.rnn.unpack_sequence")
def unpack_sequence(packed_sequences):
    """The sequences of a packed one, as a list."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


def permuted(state, indices):
    """A state (or pair of states) with its sequences in another order."""
    if indices is None or state is None:
        return state
    if isinstance(state, tuple):
        return tuple(ops.gather(part, indices, 1) for part in state)
    return ops.gather(state, indices, 1)


def run_packed(recurrent, batch_first, sequence, state):
    """A recurrent cell's construct over a packed sequence: (packed output, last states)."""
    plain = PackedSequence(sequence.data, sequence.batch_sizes)
    padded, lengths = pad_packed_sequence(plain, batch_first)
    output, last = recurrent(padded, permuted(state, sequence.sorted_indices), lengths.astype(ms.int32))
    packed = pack_padded_sequence(output, lengths, batch_first)
    result = PackedSequence(packed.data, sequence.batch_sizes, sequence.sorted_indices, sequence.unsorted_indices)
    return result, permuted(last, sequence.unsorted_indices)


@attribute("torch.nn.utils.rnn.PackedSequence.data")
def packed_data(self):
    """The rows, one step after the other: (sum of lengths, …)."""
    return self.data


@attribute("torch.nn.utils.rnn.PackedSequence.batch_sizes")
def packed_batch_sizes(self):
    """How many sequences run at each step: int64."""
    return self.batch_sizes


@attribute("torch.nn.utils.rnn.PackedSequence.sorted_indices")
def packed_sorted_indices(self):
    """Where each sequence came from, longest first; None where they came sorted."""
    return self.sorted_indices


@attribute("torch.nn.utils.rnn.PackedSequence.unsorted_indices")
def packed_unsorted_indices(self):
    """Where each sequence went; None where they came sorted."""
    return self.unsorted_indices
