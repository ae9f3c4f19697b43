"""GoogLeNet and Inception v3: what they give in training, their weights, blocks that programs change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.layers.test_vision_models import loaded

pytestmark = pytest.mark.frameworks


def test_auxiliary_outputs_in_training() -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.googlenet import googlenet

    torch.manual_seed(0)
    options: dict[str, Any] = {"num_classes": 3, "init_weights": True, "dropout": 0.0, "dropout_aux": 0.0, "transform_input": True}
    theirs = resolve("torchvision.models.GoogLeNet")(**options)
    ours = loaded(googlenet(**options), theirs)
    images = np.random.default_rng(0).normal(size=(8, 3, 64, 64)).astype(np.float32)
    expected, found = theirs(torch.from_numpy(images)), ours(ms.Tensor(images))
    for name in ("logits", "aux_logits2", "aux_logits1"):
        value = getattr(expected, name).detach().numpy()
        np.testing.assert_allclose(getattr(found, name).asnumpy(), value, rtol=1e-3, atol=1e-3 * np.abs(value).max())
    assert ours.set_train(False)(ms.Tensor(images)).shape == (8, 3)


def test_weights_of_googlenet_bring_no_auxiliary_heads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.state_dict import state_dict
    from mindport.layers.vision_models.googlenet import googlenet

    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    place = tmp_path / "hub" / "checkpoints" / "googlenet-1378be20.pth"
    place.parent.mkdir(parents=True)
    torch.save(resolve("torchvision.models.GoogLeNet")(init_weights=False).state_dict(), place)
    theirs, ours = resolve("torchvision.models.googlenet")(pretrained=True), googlenet(pretrained=True)
    assert ours.aux1 is None and ours.transform_input and not ours.aux_logits
    assert list(state_dict(ours)) == [name for name in theirs.state_dict() if "num_batches" not in name]
    with pytest.raises(ValueError, match="aux_logits"):
        googlenet(pretrained=True, aux_logits=False)


def test_a_block_of_the_distance_of_inception() -> None:
    """FID's networks derive from the blocks and pool otherwise."""
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.equivalents.pooling import avg_pool2d
    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.inception import InceptionA

    theirs_of: Any = resolve("torchvision.models.inception.InceptionA")

    class Theirs(theirs_of):  # type: ignore[misc]
        def _forward(self, x: Any) -> Any:
            return [self.branch1x1(x), self.branch_pool(torch.nn.functional.avg_pool2d(x, 3, 1, 1, count_include_pad=False))]

    class Ours(InceptionA):
        def _forward(self, x: Any) -> Any:
            return [self.branch1x1(x), self.branch_pool(avg_pool2d(x, 3, 1, 1, count_include_pad=False))]

    theirs = Theirs(6, 4).eval()
    ours = loaded(Ours(6, 4), theirs).set_train(False)
    x = np.random.default_rng(1).normal(size=(2, 6, 9, 9)).astype(np.float32)
    np.testing.assert_allclose(ours(ms.Tensor(x)).asnumpy(), theirs(torch.from_numpy(x)).detach().numpy(), rtol=1e-4, atol=1e-5)
    compiled = ms.jit(ours.construct)(ms.Tensor(x)).asnumpy()
    np.testing.assert_allclose(compiled, ours(ms.Tensor(x)).asnumpy(), rtol=1e-5, atol=1e-6)
