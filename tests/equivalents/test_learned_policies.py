"""AutoAugment's tables, and what a converted program makes of images, beside torchvision's."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks

NAMES = {
    "Posterize": "posterize", "Rotate": "turn", "Solarize": "solarize", "AutoContrast": "autocontrast", "Equalize": "equalize", "Invert": "invert",
    "Color": "colour", "Contrast": "contrast", "Sharpness": "sharpness", "Brightness": "brightness", "ShearX": "lean", "ShearY": "rise",
    "TranslateX": "right", "TranslateY": "down",
}  # fmt: skip


@pytest.mark.parametrize("policy", ["imagenet", "cifar10", "svhn"])
def test_the_tables_are_torchvisions(policy: str) -> None:
    from mindport.equivalents.image_learned_policies import AutoAugment, AutoAugmentPolicy
    from mindport.evidence import torchvision_source

    try:
        theirs = torchvision_source.resolve("torchvision.transforms.AutoAugment")
        policies = torchvision_source.resolve("torchvision.transforms.AutoAugmentPolicy")
    except AttributeError:
        pytest.skip("torchvision is not unpacked here")
    expected = [tuple((NAMES[name], chance, strength) for name, chance, strength in pair) for pair in theirs(policies(policy)).policies]
    assert AutoAugment(AutoAugmentPolicy(policy)).policies == expected


def test_each_operation_makes_an_image() -> None:
    import numpy as np
    from PIL import Image

    from mindport.equivalents.generators import default_generator
    from mindport.equivalents.image_learned_policies import AutoAugment, AutoAugmentPolicy

    picture = Image.fromarray(np.random.default_rng(0).integers(0, 255, (12, 17, 3), dtype=np.uint8))
    default_generator.manual_seed(3)
    for policy in AutoAugmentPolicy:
        transform = AutoAugment(policy)
        made = [transform(picture) for _ in range(40)]
        assert {each.size for each in made} == {(17, 12)}
        assert any(np.asarray(each).tolist() != np.asarray(picture).tolist() for each in made)
    with pytest.raises(ValueError, match="not recognized"):
        AutoAugment("imagenet")
