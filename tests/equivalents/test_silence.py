"""What hard samples found and was mended: results that ran and were others than torch's."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="its results are what is asked for")

NAN, INFINITY = float("nan"), float("inf")


def agrees(name: str, *args: Any, **kwargs: Any) -> str:
    """How the equivalent's result of a call differs from torch's, "" where it does not."""
    from mindport import catalog
    from mindport.evidence import compare
    from mindport.evidence.bridge import to_mindspore
    from mindport.evidence.knowledge import declaration
    from mindport.evidence.samples import resolve

    target = declaration(catalog.load().find(name)[0]).target
    return compare.difference(resolve(name)(*args, **kwargs), target(*to_mindspore(args), **to_mindspore(kwargs)))


def layer_agrees(name: str, build: tuple[Any, ...], *inputs: Any, **kwargs: Any) -> str:
    """The same of a layer without parameters, or with those it is built with (ones and zeros)."""
    from mindport import catalog
    from mindport.evidence import compare
    from mindport.evidence.bridge import to_mindspore
    from mindport.evidence.knowledge import declaration
    from mindport.evidence.samples import resolve

    target = declaration(catalog.load().find(name)[0]).target
    ours = target(*build, **kwargs)
    ours.set_train(True)
    return compare.difference(resolve(name)(*build, **kwargs)(*inputs), ours(*to_mindspore(inputs)))


def test_rms_norm_of_small_halves_has_the_epsilon_of_float32() -> None:
    assert agrees("torch.nn.functional.rms_norm", torch.tensor([[1e-3, 2e-3]], dtype=torch.float16), (2,)) == ""


@pytest.mark.parametrize("name, more", [("torch.nn.functional.hardtanh", ()), ("torch.nn.functional.threshold", (0.5, 2.0))])
def test_clamping_keeps_nan(name: str, more: tuple[float, ...]) -> None:
    assert agrees(name, torch.tensor([NAN, 0.25, -3.0, 3.0]), *more) == ""


def test_sums_and_negatives_of_bytes() -> None:
    assert agrees("torch.nansum", torch.tensor([250, 10], dtype=torch.uint8)) == ""
    assert agrees("torch.nn.functional.softmin", torch.tensor([1, 0, 255], dtype=torch.uint8), 0, dtype=torch.float64) == ""


def test_cosine_similarity_of_two_dtypes_is_computed_in_the_common_one() -> None:
    half, whole = torch.tensor([[1.0, 2.0]], dtype=torch.float16), torch.tensor([[3, 4]])
    assert agrees("torch.nn.functional.cosine_similarity", half, whole) == ""
    assert agrees("torch.nn.functional.cosine_similarity", half.float(), half + 1) == ""
    assert layer_agrees("torch.nn.CosineSimilarity", (), half, half.float()) == ""


@pytest.mark.parametrize("name", ["torch.nn.InstanceNorm1d", "torch.nn.RMSNorm"])
def test_half_input_of_float32_layers_gives_half(name: str) -> None:
    assert layer_agrees(name, (3,), torch.randn(2, 3, 3, generator=torch.Generator().manual_seed(0)).half()) == ""


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("name", ["torch.nn.BCELoss", "torch.nn.BCEWithLogitsLoss", "torch.nn.KLDivLoss", "torch.nn.SoftMarginLoss"])
def test_losses_of_nothing(name: str, reduction: str) -> None:
    nothing = torch.zeros(0, 4)
    assert layer_agrees(name, (), nothing, nothing, reduction=reduction) == ""


def test_losses_with_margins_keep_nan() -> None:
    values, target = torch.tensor([NAN, 1.0]), torch.tensor([-1.0, 1.0])
    assert layer_agrees("torch.nn.HingeEmbeddingLoss", (), values, target) == ""
    assert layer_agrees("torch.nn.MarginRankingLoss", (), values, values * 2, target) == ""
    # Here torch counts what is above zero, which NaN is not.
    assert agrees("torch.nn.functional.multi_margin_loss", torch.tensor([[NAN, 1.0, 2.0]]), torch.tensor([1]), reduction="none") == ""


def test_divergence_from_zeros() -> None:
    assert agrees("torch.nn.functional.kl_div", torch.tensor([-1.0, -2.0]), torch.tensor([0.0, 1.0]), reduction="sum") == ""
    assert agrees("torch.nn.functional.kl_div", torch.tensor(-1.0), torch.tensor(0.5), reduction="batchmean") == ""


def test_unflatten_of_an_empty_batch() -> None:
    assert layer_agrees("torch.nn.Unflatten", (1, (2, -1)), torch.zeros(0, 6)) == ""


def test_norms_of_halves_do_not_overflow() -> None:
    large = torch.tensor([[1000.0, -500.0]], dtype=torch.float16)
    assert agrees("torch.linalg.vector_norm", large) == ""
    assert agrees("torch.nn.functional.normalize", large) == ""
    assert agrees("torch.nn.functional.pairwise_distance", large, large * 0) == ""


def test_distances_of_complex_points_are_real() -> None:
    points = torch.tensor([[3 + 4j, 1j]])
    assert agrees("torch.nn.functional.pairwise_distance", points, points * 0) == ""


def test_nextafter_of_two_dtypes_goes_to_the_common_one() -> None:
    assert agrees("torch.nextafter", torch.tensor([1, 2]), torch.tensor([3.0, -3.0])) == ""
