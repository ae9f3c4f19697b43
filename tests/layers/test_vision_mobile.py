"""torchvision's mobile networks as library calls: parts, subclasses, options, compiled networks, weights from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.layers.test_vision_models import agrees, loaded

pytestmark = pytest.mark.frameworks


def both(name: str, module: str, **options: Any) -> tuple[Any, Any]:
    """A model of torchvision's and ours, with its weights."""
    import importlib

    import torch

    from mindport.evidence.samples import resolve

    torch.manual_seed(0)
    theirs = resolve(f"torchvision.models.{name}")(**options)
    ours = getattr(importlib.import_module(f"mindport.layers.vision_models.{module}"), name)(**options)
    return theirs, loaded(ours, theirs)


def test_a_compiled_network_gives_the_same() -> None:
    import mindspore as ms
    import numpy as np

    theirs, ours = both("mobilenet_v3_small", "mobilenet_v3", num_classes=3)
    agrees(theirs, ours, 32)
    images = ms.Tensor(np.random.default_rng(0).standard_normal((1, 3, 32, 32)), ms.float32)
    expected = ours(images).asnumpy()
    assert np.abs(ms.jit(ours.construct)(images).asnumpy() - expected).max() <= 1e-5 * np.abs(expected).max()


def test_parts_of_a_network_work_alone() -> None:
    import mindspore as ms
    import torch
    from mindspore import nn

    theirs, ours = both("mobilenet_v2", "mobilenet_v2")
    images = torch.randn(1, 3, 32, 32)
    trunk, expected = ours.features[:4].set_train(False), theirs.features[:4].eval()(images)
    assert abs(trunk(ms.Tensor(images.numpy())).asnumpy() - expected.detach().numpy()).max() < 1e-4
    layers = nn.SequentialCell(*list(ours.features)[:4]).set_train(False)
    assert abs(layers(ms.Tensor(images.numpy())).asnumpy() - expected.detach().numpy()).max() < 1e-4
    assert [block.out_channels for block in list(ours.features)] == [block.out_channels for block in theirs.features]
    assert [type(part).__name__ for part in ours.name_cells().values()] == ["SequentialCell", "SequentialCell"]


def test_a_subclass_overrides_what_the_network_calls() -> None:
    import mindspore as ms
    import numpy as np

    from mindport.layers.vision_models.mobilenet_v2 import MobileNetV2

    class Features(MobileNetV2):
        def _forward_impl(self, x: Any) -> Any:
            return self.features(x)

    made: Any = Features(width_mult=0.25, inverted_residual_setting=[[1, 16, 1, 1]])
    assert made(ms.Tensor(np.zeros((1, 3, 16, 16)), ms.float32)).shape == (1, 1280, 8, 8)


def test_weights_prescribe_a_thousand_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.mobilenet_v2 import mobilenet_v2

    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    torch.manual_seed(0)
    theirs = resolve("torchvision.models.mobilenet_v2")()
    place = tmp_path / "hub" / "checkpoints" / "mobilenet_v2-b0353104.pth"
    place.parent.mkdir(parents=True)
    torch.save(theirs.state_dict(), place)
    ours: Any = mobilenet_v2(pretrained=True)
    assert ours.training
    agrees(theirs, ours, 32)
    with pytest.raises(ValueError, match="num_classes"):
        mobilenet_v2(weights="IMAGENET1K_V1", num_classes=10)


def test_what_torchvision_refuses_is_refused() -> None:
    from mindport.layers.vision_models.efficientnet import EfficientNet
    from mindport.layers.vision_models.efficientnet_builders import efficientnet_b5
    from mindport.layers.vision_models.mnasnet import MNASNet
    from mindport.layers.vision_models.mobilenet_v2 import InvertedResidual
    from mindport.layers.vision_models.mobilenet_v3 import MobileNetV3
    from mindport.layers.vision_models.regnet import BlockParams

    with pytest.raises(ValueError, match="stride"):
        InvertedResidual(4, 4, 3, 1)
    with pytest.raises(ValueError, match="empty"):
        MobileNetV3([], 8)
    with pytest.raises(TypeError, match="MBConvConfig"):
        EfficientNet([(1, 3, 1, 8, 8, 1)], 0.1)
    with pytest.raises(TypeError, match="norm_layer"):
        efficientnet_b5(norm_layer=None)  # torchvision fixes it, too
    with pytest.raises(ValueError, match="alpha"):
        MNASNet(0.0)
    with pytest.raises(ValueError, match="RegNet"):
        BlockParams.from_init_params(4, 9, 1.0, 2.0, 8)
