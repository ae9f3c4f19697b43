"""torchvision's densely connected and shuffled networks and those over videos: what their evidence does not show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.layers.test_vision_models import agrees, loaded

pytestmark = pytest.mark.frameworks


def test_files_of_dense_networks_have_former_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import re

    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.densenet_builders import densenet121

    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    torch.manual_seed(0)
    theirs = resolve("torchvision.models.densenet121")()
    place = tmp_path / "hub" / "checkpoints" / "densenet121-a639ec97.pth"
    place.parent.mkdir(parents=True)
    former = {re.sub(r"(denselayer\d+\.(?:norm|conv))([12])", r"\1.\2", name): value for name, value in theirs.state_dict().items()}
    assert "features.denseblock1.denselayer2.norm.1.weight" in former
    torch.save(former, place)
    agrees(theirs, densenet121(pretrained=True), 32)
    with pytest.raises(ValueError, match="num_classes"):
        densenet121(weights="DEFAULT", num_classes=10)


def test_a_dense_network_is_taken_apart_and_compiled() -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.densenet import DenseNet, _DenseBlock

    torch.manual_seed(0)
    sizes: tuple[Any, ...] = (4, (1, 2), 8, 2, 0.0, 5)
    theirs = resolve("torchvision.models.DenseNet")(*sizes).eval()
    ours = loaded(DenseNet(*sizes), theirs)
    ours.set_train(False)
    images = torch.randn(2, 3, 32, 32)
    given = ms.Tensor(images.numpy())
    found, expected = ours.features[:6](given), theirs.features[:6](images).detach().numpy()
    assert np.abs(found.asnumpy() - expected).max() < 1e-5
    assert isinstance(ours.features.denseblock2, _DenseBlock) and list(ours.features.denseblock2) == ["denselayer1", "denselayer2"]
    assert np.abs(ms.jit(ours)(given).asnumpy() - theirs(images).detach().numpy()).max() < 1e-5


def test_dropout_in_a_dense_layer_acts_while_training() -> None:
    import mindspore as ms
    import numpy as np

    from mindport.layers.vision_models.densenet import _DenseLayer

    layer = _DenseLayer(3, 8, 2, 0.75)
    given = ms.Tensor(np.random.default_rng(0).normal(size=(2, 3, 8, 8)).astype(np.float32))
    dropped = [float((layer.set_train(mode)([given]) == 0).float().mean()) for mode in (True, False)]
    assert 0.6 < dropped[0] < 0.9 and dropped[1] == 0


def test_a_shuffled_network_with_blocks_of_ones_own_compiled() -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.shufflenetv2 import InvertedResidual, ShuffleNetV2

    class Own(InvertedResidual):
        pass

    torch.manual_seed(0)
    sizes = ([1, 2, 1], [8, 16, 24, 32, 40])
    theirs = resolve("torchvision.models.ShuffleNetV2")(*sizes).eval()
    ours = loaded(ShuffleNetV2(*sizes, inverted_residual=Own), theirs)
    ours.set_train(False)
    images = torch.randn(2, 3, 32, 32)
    assert isinstance(ours.stage3[1], Own)
    assert np.abs(ms.jit(ours)(ms.Tensor(images.numpy())).asnumpy() - theirs(images).detach().numpy()).max() < 1e-5
    with pytest.raises(ValueError, match="illegal stride"):
        InvertedResidual(4, 4, 0)


def test_weights_of_video_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mindspore as ms
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.video_resnet_builders import mc3_18

    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    torch.manual_seed(0)
    theirs = resolve("torchvision.models.video.mc3_18")().eval()
    place = tmp_path / "hub" / "checkpoints" / "mc3_18-a90a0ba3.pth"
    place.parent.mkdir(parents=True)
    torch.save(theirs.state_dict(), place)
    ours = mc3_18(pretrained=True).set_train(False)
    videos = torch.randn(1, 3, 2, 16, 16)
    given = ms.Tensor(videos.numpy())
    with torch.no_grad():
        expected = theirs(videos).numpy()
    assert abs(ours(given).asnumpy() - expected).max() < 1e-4 * abs(expected).max()
    assert abs(ms.jit(ours)(given).asnumpy() - expected).max() < 1e-4 * abs(expected).max()
    with pytest.raises(ValueError, match="num_classes"):
        mc3_18(True, num_classes=10)
