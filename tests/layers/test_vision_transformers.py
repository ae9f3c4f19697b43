"""torchvision's transformers over images and ConvNeXt: weights, former names, what raises, parts, training, graphs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.layers.test_vision_models import agrees, loaded

pytestmark = pytest.mark.frameworks

VIT = (12, 4, 2, 2, 16, 32, 0.0, 0.0, 5)
SWIN: tuple[Any, ...] = ([2, 2], 16, [2, 1], [2, 4], [3, 2], 2.0, 0.0, 0.0, 0.0, 5)
MAXVIT: tuple[Any, ...] = ((32, 32), 8, 4, [16, 24], [1, 1], 8, 0.0)


def pair(name: str, *arguments: Any, **options: Any) -> tuple[Any, Any]:
    """torchvision's network with numbers everywhere, and ours with the same."""
    import torch

    from mindport import catalog
    from mindport.evidence.knowledge import declaration
    from mindport.evidence.samples import resolve

    torch.manual_seed(0)
    theirs = resolve(name)(*arguments, **options)
    for parameter in theirs.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    return theirs, loaded(declaration(catalog.load().find(name)[-1]).target(*arguments, **options), theirs)


@pytest.mark.parametrize(("name", "arguments", "size"), [("VisionTransformer", VIT, 12), ("SwinTransformer", SWIN, 15), ("MaxVit", MAXVIT, 32)])
def test_compiled_as_in_pynative(name: str, arguments: tuple[Any, ...], size: int) -> None:
    import mindspore as ms
    import numpy as np

    theirs, ours = pair(f"torchvision.models.{name}", *arguments)
    agrees(theirs, ours, size)
    images = ms.Tensor(np.random.default_rng(0).normal(size=(2, 3, size, size)).astype(np.float32))
    assert np.abs(ms.jit(ours)(images).asnumpy() - ours(images).asnumpy()).max() < 1e-5


def test_the_second_swin_transformer_and_convnext_compiled() -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.evidence.samples import resolve
    from mindport.layers.vision_models.convnext import CNBlockConfig, ConvNeXt
    from mindport.layers.vision_models.swin_transformer import (
        PatchMergingV2,
        SwinTransformer,
        SwinTransformerBlockV2,
    )

    swin, convnext = "torchvision.models.swin_transformer.", "torchvision.models.convnext."
    stages = [(8, 16, 2), (16, None, 1)]
    both = [
        (
            resolve(swin + "SwinTransformer")(*SWIN, block=resolve(swin + "SwinTransformerBlockV2"), downsample_layer=resolve(swin + "PatchMergingV2")),
            SwinTransformer(*SWIN, block=SwinTransformerBlockV2, downsample_layer=PatchMergingV2),
        ),
        (resolve(convnext + "ConvNeXt")([resolve(convnext + "CNBlockConfig")(*stage) for stage in stages]), ConvNeXt([CNBlockConfig(*stage) for stage in stages])),
    ]
    for theirs, ours in both:
        for parameter in theirs.parameters():
            torch.nn.init.normal_(parameter, std=0.1)
        loaded(ours, theirs).set_train(False)
        images = torch.randn(2, 3, 32, 32)
        expected = theirs.eval()(images).detach().numpy()
        found = ms.jit(ours)(ms.Tensor(images.numpy())).asnumpy()
        assert np.abs(found - expected).max() < 2e-5 * np.abs(expected).max()


def test_files_of_vision_transformers_have_former_names() -> None:
    import mindspore as ms

    from mindport.layers.state_dict import load_state_dict
    from mindport.layers.vision_models.vision_transformer import VisionTransformer

    theirs, ours = pair("torchvision.models.VisionTransformer", *VIT)
    former = {name.replace("mlp.0.", "mlp.linear_1.").replace("mlp.3.", "mlp.linear_2."): ms.Tensor(value.numpy()) for name, value in theirs.state_dict().items()}
    assert "encoder.layers.encoder_layer_1.mlp.linear_2.weight" in former
    other = VisionTransformer(*VIT)
    load_state_dict(other, former)
    agrees(theirs, other, 12)
    with pytest.raises(AssertionError, match="Wrong image height! Expected 12 but got 16!"):
        ours(ms.ops.zeros((1, 3, 16, 16)))
    with pytest.raises(AssertionError, match="indivisible"):
        VisionTransformer(13, *VIT[1:])


def test_what_weights_of_transformers_prescribe() -> None:
    from mindport.layers.vision_models.maxvit import MaxVit, maxvit_t
    from mindport.layers.vision_models.vision_transformer_builders import vit_b_16, vit_h_14

    with pytest.raises(ValueError, match="'image_size' expected value 384 but got 224"):
        vit_b_16(weights="IMAGENET1K_SWAG_E2E_V1", image_size=224)
    with pytest.raises(ValueError, match="No weights available"):
        vit_h_14(pretrained=True)
    with pytest.raises(ValueError, match="input_size"):
        maxvit_t(True, input_size=(448, 448))
    with pytest.raises(ValueError, match="not divisible by partition size 4"):
        MaxVit((40, 32), *MAXVIT[1:])


def test_paths_are_dropped_while_training_alone() -> None:
    import mindspore as ms
    import numpy as np

    from mindport.layers.vision_models.convnext import CNBlock

    block = CNBlock(4, 1.0, 0.6)
    images = ms.Tensor(np.random.default_rng(0).normal(size=(40, 4, 5, 5)).astype(np.float32))
    kept = [int((abs(block.set_train(mode)(images) - images).asnumpy().reshape(40, -1).max(1) > 0).sum()) for mode in (True, False)]
    assert 5 < kept[0] < 28 and kept[1] == 40
