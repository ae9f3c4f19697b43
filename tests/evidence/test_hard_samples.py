"""The proof of silence: its samples reach what torch's avoid, and its excuses excuse nothing else."""

from __future__ import annotations

import math

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="the samples are torch's")


def samples() -> list:
    from mindport.evidence.hard_samples import hard
    from mindport.evidence.samples import Sample

    plain = Sample((torch.arange(1.0, 13).reshape(3, 4), torch.arange(2.0, 14).reshape(3, 4)))
    return list(hard([plain], torch.float32, all_of_them=True, numbers=True))


def test_samples_meet_zeros_of_both_signs_nan_and_numbers() -> None:
    made = samples()
    divisors = [s.args[1] for s in made if isinstance(s.args[1], torch.Tensor)]
    assert any(bool((d == 0).any()) and bool(torch.signbit(d[d == 0]).any()) for d in divisors)
    assert any(bool(s.args[0].isnan().any()) and bool((s.args[1] == 0).any()) for s in made if isinstance(s.args[1], torch.Tensor))
    assert {s.args[1] for s in made if not isinstance(s.args[1], torch.Tensor)} >= {2, 2.5, -3, 0}
    assert {s.args[1].dtype for s in made if isinstance(s.args[1], torch.Tensor)} >= {torch.int64, torch.float16, torch.bool}


def test_a_copy_keeps_how_memory_is_laid_out() -> None:
    from mindport.evidence.samples import copied

    for sample in samples():
        if sample.edge in ("stepped", "narrowed", "expanded"):
            again = copied(sample)
            assert [t.stride() for t in again.args] == [t.stride() for t in sample.args]
            assert again.args[0].data_ptr() != sample.args[0].data_ptr()


def test_only_the_frameworks_own_differences_are_excused() -> None:
    import mindspore as ms

    from mindport.evidence import everywhere
    from mindport.evidence.samples import Sample

    sample = Sample((torch.ones(3, dtype=torch.float16), torch.tensor(2.0)))
    expected = sample.args[0] + sample.args[1]

    def again(other: Sample) -> torch.Tensor:
        return other.args[0] + other.args[1]

    assert everywhere.known(sample, expected, ms.Tensor([3.0, 3.0, 3.0]), again) == everywhere.PROMOTION
    assert everywhere.known(sample, expected, ms.Tensor([3.0, 3.0, 4.0]), again) == ""
    hidden = torch.tensor([complex(math.inf, math.nan), 1 + 1j])
    assert everywhere.known(Sample((hidden,)), hidden, ms.Tensor([5 + 0j, 1 + 1j], ms.complex64), lambda s: s.args[0]) == everywhere.COMPLEX
    assert everywhere.known(Sample((hidden,)), hidden, ms.Tensor([5 + 0j, 1 + 2j], ms.complex64), lambda s: s.args[0]) == ""


def test_mish_is_finite_where_its_formula_overflows() -> None:
    import mindspore as ms

    from mindport.equivalents.activation import mish

    assert mish(ms.Tensor([44.0, 45.0, 100.0, 1e4])).asnumpy().tolist() == [44.0, 45.0, 100.0, 1e4]


def test_nothing_is_filled_without_an_index() -> None:
    import mindspore as ms

    from mindport.equivalents.comparison import isin
    from mindport.equivalents.indexing import index_fill

    x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert (index_fill(x, 0, ms.ops.zeros((0,), ms.int64), 9.0) == x).all()
    assert not isin(x, ms.ops.zeros((0,), ms.float32)).any()
