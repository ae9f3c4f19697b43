"""Segmentations: two outputs in training, weights that prescribe, the backbone's own weights."""

from __future__ import annotations

from typing import Any

import pytest

from tests.layers.test_vision_models import loaded

pytestmark = pytest.mark.frameworks


def test_both_outputs_in_training() -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.layer_getter import IntermediateLayerGetter
    from mindport.layers.vision_models.resnet import Bottleneck, ResNet
    from mindport.layers.vision_models.segmentation import FCN, FCNHead

    torch.manual_seed(0)
    m = "torchvision.models."
    wanted = {"layer4": "out", "layer3": "aux"}

    def network(of: Any, block: Any, getter: Any, fcn: Any, head: Any) -> Any:
        trunk = of(block, [1, 1, 1, 1], width_per_group=16, replace_stride_with_dilation=[False, True, True])
        return fcn(getter(trunk, wanted), head(2048, 4), head(1024, 4))

    theirs = network(*map(resolve, (m + "ResNet", m + "resnet.Bottleneck", m + "_utils.IntermediateLayerGetter", m + "segmentation.FCN", m + "segmentation.fcn.FCNHead")))
    ours = loaded(network(ResNet, Bottleneck, IntermediateLayerGetter, FCN, FCNHead), theirs)
    for dropout in (theirs.classifier[3], theirs.aux_classifier[3]):
        dropout.p = 0.0
    ours.set_train()
    ours.classifier[3].set_train(False)
    ours.aux_classifier[3].set_train(False)
    images = np.random.default_rng(0).normal(size=(4, 3, 48, 48)).astype(np.float32)
    expected, found = theirs(torch.from_numpy(images)), ours(ms.Tensor(images))
    assert list(found) == list(expected) == ["out", "aux"]
    for name, value in expected.items():
        numbers = value.detach().numpy()
        np.testing.assert_allclose(found[name].asnumpy(), numbers, rtol=1e-3, atol=1e-4 * np.abs(numbers).max())


def test_what_the_arguments_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from mindport.layers.vision_models import segmentation_builders as builders

    asked: list[Any] = []

    class Trunk(builders.FCNHead):  # type: ignore[misc]
        def __init__(self, weights: Any, replace_stride_with_dilation: Any) -> None:
            super().__init__(8, 4)
            asked.append(weights)

    monkeypatch.setattr(builders, "IntermediateLayerGetter", lambda trunk, wanted: asked.append(sorted(wanted)) or trunk)
    monkeypatch.setattr(builders, "resnet50", Trunk)
    monkeypatch.setattr(builders, "with_weights", lambda made, weights: (made, weights))
    made, weights = builders.fcn_resnet50()
    assert asked == [builders.ResNet50_Weights.IMAGENET1K_V1, ["layer4"]] and weights is None and made.classifier[4].weight.shape[0] == 21
    asked.clear()
    assert builders.fcn_resnet50(pretrained_backbone=False, num_classes=3)[0].classifier[4].weight.shape[0] == 3
    made, weights = builders.fcn_resnet50(True)
    assert asked == [None, ["layer4"], None, ["layer3", "layer4"]] and weights is builders.FCN_ResNet50_Weights.DEFAULT
    with pytest.raises(ValueError, match="num_classes"):
        builders.fcn_resnet50(weights="DEFAULT", num_classes=3)
