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


def test_a_pose_far_away_is_inverted() -> None:
    """`ops.inverse` of float32 takes pivots for zero from a condition number of 2e6 on."""
    pose = torch.eye(4)
    pose[:3, 3] = torch.tensor([5000.0, -3000.0, 100.0])
    assert agrees("torch.inverse", pose) == ""
    assert agrees("torch.linalg.solve", pose, torch.ones(4, 1)) == ""
    assert agrees("torch.linalg.inv_ex", pose) == ""


def test_correlations_of_a_constant_row_are_nan() -> None:
    assert agrees("torch.corrcoef", torch.tensor([[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]])) == ""


@pytest.mark.parametrize("more", [{}, {"align_corners": True}, {"antialias": True}], ids=str)
def test_bytes_are_resampled_with_whole_weights(more: dict[str, Any]) -> None:
    picture = torch.arange(60, dtype=torch.uint8).reshape(1, 3, 4, 5) * 4
    assert agrees("torch.nn.functional.interpolate", picture, scale_factor=1.7, mode="bilinear", **more) == ""


def test_a_product_of_bytes_and_a_number_leaves_later_products_right() -> None:
    """After `ops.mul(uint8, 2)` MindSpore computes uint8 * int64 in bytes."""
    import mindspore as ms

    from mindport.equivalents.arithmetic import mul

    few = ms.Tensor([[5], [1]], ms.uint8)
    assert mul(few, 2).asnumpy().tolist() == [[10], [2]]
    assert mul(few, ms.Tensor([4, 2], ms.int64)).asnumpy().tolist() == [[20, 10], [4, 2]]
