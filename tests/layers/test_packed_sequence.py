"""Packed sequences through recurrent layers: values and gradients are torch's."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from torch.nn.utils import rnn  # noqa: E402

from mindport.layers import packed_sequence, recurrent  # noqa: E402
from mindport.layers.state_dict import load_state_dict  # noqa: E402


def ours(tensor: Any) -> Any:
    return ms.Tensor(tensor.detach().numpy())


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize(("kind", "ordered", "both_ways", "depth", "given"), [
    ("LSTM", False, True, 2, False), ("LSTM", True, False, 1, True), ("LSTM", False, True, 1, True), ("GRU", False, True, 1, True),
    ("GRU", True, False, 2, False), ("RNN", False, True, 1, True),
])  # fmt: skip
def test_values_and_gradients(kind: str, batch_first: bool, ordered: bool, both_ways: bool, depth: int, given: bool) -> None:
    torch.manual_seed(1)
    settings = {"num_layers": depth, "batch_first": batch_first, "bidirectional": both_ways}
    theirs, cell = getattr(torch.nn, kind)(3, 4, **settings), getattr(recurrent, kind)(3, 4, **settings)
    load_state_dict(cell, {k: v.numpy() for k, v in theirs.state_dict().items()})
    lengths = [5, 3, 3, 1] if ordered else [3, 5, 1, 3]
    x = torch.randn((4, 5, 3) if batch_first else (5, 4, 3), requires_grad=True)
    states = [torch.randn(depth * (2 if both_ways else 1), 4, 4) for _ in range(2 if kind == "LSTM" else 1)]

    def state(convert: Any) -> Any:
        found = tuple(convert(s) for s in states)
        return None if not given else found if kind == "LSTM" else found[0]

    def run(library: Any, module: Any, value: Any, count: Any, hx: Any, weights: Any) -> Any:
        packed = library.pack_padded_sequence(value, count, batch_first=batch_first, enforce_sorted=ordered)
        output, last = module(packed, hx)
        padded, found = library.pad_packed_sequence(output, batch_first=batch_first, padding_value=-1.0, total_length=6)
        last = last[0] if kind == "LSTM" else last
        return (padded * weights).sum() + (last * last).sum(), padded, last, found

    weights = torch.randn((4, 6, 1) if batch_first else (6, 4, 1))
    loss, padded, last, found = run(rnn, theirs, x, torch.tensor(lengths), state(lambda s: s), weights)
    loss.backward()

    def step(value: Any) -> Any:
        return run(packed_sequence, cell, value, ms.Tensor(lengths), state(ours), ours(weights))

    results, (gradient, parameters) = ms.value_and_grad(step, 0, cell.trainable_params(), has_aux=True)(ours(x))
    assert results[1].asnumpy() == pytest.approx(padded.detach().numpy(), abs=1e-5)
    assert results[2].asnumpy() == pytest.approx(last.detach().numpy(), abs=1e-5)
    assert results[3].asnumpy().tolist() == found.tolist()
    assert gradient.asnumpy() == pytest.approx(x.grad.numpy(), abs=1e-5)
    for parameter, value in zip(cell.trainable_params(), parameters, strict=True):
        assert value.asnumpy() == pytest.approx(dict(theirs.named_parameters())[parameter.name].grad.numpy(), abs=1e-5)


@pytest.mark.parametrize("enforce_sorted", [False, True])
def test_packing_is_torchs(enforce_sorted: bool) -> None:
    sequences = [torch.randn(n, 2) for n in ([4, 2, 2, 1] if enforce_sorted else [2, 4, 1, 2])]
    theirs = rnn.pack_sequence(sequences, enforce_sorted=enforce_sorted)
    packed = packed_sequence.pack_sequence([ours(s) for s in sequences], enforce_sorted=enforce_sorted)
    for name in ("data", "batch_sizes", "sorted_indices", "unsorted_indices"):
        expected, found = getattr(theirs, name), getattr(packed, name)
        assert (expected is None and found is None) or (found.asnumpy() == expected.numpy()).all()
    for expected, found in zip(rnn.unpack_sequence(theirs), packed_sequence.unpack_sequence(packed), strict=True):
        assert (found.asnumpy() == expected.numpy()).all()


@pytest.mark.parametrize(("batch_first", "side"), [(True, "right"), (False, "left")])
def test_padding_is_torchs(batch_first: bool, side: str) -> None:
    sequences = [torch.randn(n, 2) for n in (2, 4, 1)]
    expected = rnn.pad_sequence(sequences, batch_first, 0.5, side)
    assert (packed_sequence.pad_sequence([ours(s) for s in sequences], batch_first, 0.5, side).asnumpy() == expected.numpy()).all()


@pytest.mark.parametrize("lengths", [[2, 3], [2, 0], [3, 2, 1]])
def test_wrong_lengths_are_refused_as_torch_refuses_them(lengths: list[int]) -> None:
    with pytest.raises(RuntimeError) as expected:
        rnn.pack_padded_sequence(torch.zeros(3, 2, 1), torch.tensor(lengths))
    with pytest.raises(RuntimeError) as found:
        packed_sequence.pack_padded_sequence(ms.ops.zeros((3, 2, 1)), ms.Tensor(lengths))
    assert str(found.value).split(",")[0].split(":")[0] == str(expected.value).split(",")[0].split(":")[0]
