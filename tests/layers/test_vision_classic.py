"""VGG, AlexNet and SqueezeNet: parts that programs cut out and replace, weights of features alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.layers.test_vision_models import agrees, loaded

pytestmark = pytest.mark.frameworks

PLAN = [8, "M", 16, 16, "M", 512, "M"]


def small(kind: Any, make_layers: Any) -> Any:
    return kind(make_layers(PLAN, True), num_classes=3)


def test_a_small_vgg_trains_and_compiles_the_same() -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.vgg import VGG, make_layers

    torch.manual_seed(0)
    theirs = small(resolve("torchvision.models.VGG"), resolve("torchvision.models.vgg.make_layers"))
    ours = loaded(small(VGG, make_layers), theirs)
    agrees(theirs, ours, 32)
    images = torch.randn(4, 3, 32, 32, generator=torch.Generator().manual_seed(2))
    expected = theirs.train().features(images).detach().numpy()
    found = ours.set_train().features(ms.Tensor(images.numpy())).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    ours.set_train(False)
    compiled = ms.jit(ours.construct)(ms.Tensor(images.numpy())).asnumpy()
    np.testing.assert_allclose(compiled, theirs.eval()(images).detach().numpy(), rtol=1e-4, atol=1e-5)


def test_parts_are_cut_out_and_replaced() -> None:
    import mindspore as ms
    from mindspore import nn, ops

    from mindport.layers.linear import Linear
    from mindport.layers.vision_models.squeezenet import squeezenet1_1

    net: Any = squeezenet1_1(num_classes=5)
    assert net.training and net.features[:3](ops.ones((1, 3, 32, 32))).shape == (1, 64, 7, 7)
    net.classifier = nn.SequentialCell(nn.AdaptiveAvgPool2d(1), nn.Flatten(), Linear(512, 2))
    assert net(ops.ones((2, 3, 64, 64))).shape == (2, 2)
    assert all(isinstance(p, ms.Parameter) for p in net.features.get_parameters())


def test_weights_of_features_leave_the_classes_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mindport.layers.vision_models import vgg
    from mindport.layers.vision_models.vgg_builders import VGG16_Weights

    asked: list[Any] = []
    monkeypatch.setattr(vgg, "VGG", lambda features, **options: options)
    monkeypatch.setattr(vgg, "make_layers", lambda plan, batch_norm: None)
    monkeypatch.setattr(vgg, "with_weights", lambda made, weights: asked.append((made, weights.name)))
    vgg.stacked("D", False, VGG16_Weights, VGG16_Weights.IMAGENET1K_FEATURES, {"num_classes": 7})
    vgg.stacked("D", False, VGG16_Weights, "DEFAULT", {})
    assert asked == [({"num_classes": 7, "init_weights": False}, "IMAGENET1K_FEATURES"), ({"num_classes": 1000, "init_weights": False}, "IMAGENET1K_V1")]
    with pytest.raises(ValueError, match="num_classes"):
        vgg.stacked("D", False, VGG16_Weights, "DEFAULT", {"num_classes": 7})
