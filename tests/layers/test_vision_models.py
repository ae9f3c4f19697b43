"""torchvision's models as library calls: weights by every form of the arguments, options, what raises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.frameworks


def agrees(theirs: Any, ours: Any, size: int) -> None:
    """Both compute the same in evaluation, with the same names for what is stored."""
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.layers.state_dict import state_dict

    names = [name for name in theirs.state_dict() if not name.endswith("num_batches_tracked")]
    assert list(state_dict(ours)) == names
    images = torch.randn(2, 3, size, size, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        expected = theirs.eval()(images).numpy()
    found = ours.set_train(False)(ms.Tensor(images.numpy())).asnumpy()
    assert np.abs(found - expected).max() <= 2e-5 * np.abs(expected).max()


def loaded(ours: Any, theirs: Any) -> Any:
    """Our model with torchvision's weights."""
    import mindspore as ms

    from mindport.layers.state_dict import load_state_dict

    load_state_dict(ours, {name: ms.Tensor(value.numpy()) for name, value in theirs.state_dict().items()})
    return ours


def test_every_form_of_asking_for_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.resnet_builders import ResNet18_Weights, resnet18

    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    torch.manual_seed(0)
    theirs = resolve("torchvision.models.resnet18")()
    place = tmp_path / "hub" / "checkpoints" / "resnet18-f37072fd.pth"
    place.parent.mkdir(parents=True)
    torch.save(theirs.state_dict(), place)
    first: Any = resnet18(pretrained=True)
    assert first.training
    agrees(theirs, first, 32)
    asked: list[tuple[Any, ...]] = [(True,), ("DEFAULT",), ("ResNet18_Weights.IMAGENET1K_V1",), (ResNet18_Weights.DEFAULT,)]
    for arguments in asked:
        assert float((resnet18(*arguments).fc.weight - first.fc.weight).abs().max()) == 0
    for arguments in ((), (None,), (False,)):
        assert float((resnet18(*arguments).fc.weight - first.fc.weight).abs().max()) > 0
    assert ResNet18_Weights.DEFAULT.url == resolve("torchvision.models.ResNet18_Weights").DEFAULT.url
    with pytest.raises(ValueError, match="num_classes"):
        resnet18(pretrained=True, num_classes=10)
    with pytest.raises(KeyError):
        resnet18(weights="IMAGENET1K_V9")


@pytest.mark.parametrize("options", [{"replace_stride_with_dilation": [False, True, True]}, {"zero_init_residual": True, "num_classes": 7}, {"width_per_group": 32, "groups": 2}])
def test_options_of_residual_networks(options: dict[str, Any]) -> None:
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.resnet import Bottleneck, ResNet

    torch.manual_seed(0)
    theirs = resolve("torchvision.models.resnet.ResNet")(resolve("torchvision.models.resnet.Bottleneck"), [1, 1, 2, 1], **options)
    ours = ResNet(Bottleneck, [1, 1, 2, 1], **options)
    zeros = {name for name, value in theirs.state_dict().items() if name.endswith("weight") and not value.any()}
    from mindport.layers.state_dict import state_dict

    assert {name for name, value in state_dict(ours).items() if name.endswith("weight") and not value.asnumpy().any()} == zeros
    agrees(theirs, loaded(ours, theirs), 48)


def test_weights_bring_their_preparation_of_images() -> None:
    import numpy as np
    from PIL import Image

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.resnet_builders import ResNet50_Weights

    picture = Image.fromarray(np.random.default_rng(0).integers(0, 256, (300, 260, 3), np.uint8))
    expected = resolve("torchvision.models.ResNet50_Weights").DEFAULT.transforms()(picture).numpy()
    found = ResNet50_Weights.DEFAULT.transforms()(picture).asnumpy()
    assert found.shape == (3, 224, 224)
    assert np.abs(found - expected).max() < 1e-6
