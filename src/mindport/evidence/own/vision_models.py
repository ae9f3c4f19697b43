"""Scenarios for torchvision's models: the same weights and small images give the same, new ones have weights of the same kind."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import torch
from PIL import Image

from mindport import catalog
from mindport.evidence.bridge import tensor_to_torch
from mindport.evidence.scenarios import Side, scenario

M = "torchvision.models."
RESIDUAL = ("resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "resnext50_32x4d", "resnext101_32x8d", "resnext101_64x4d", "wide_resnet50_2", "wide_resnet101_2")
#: Every set of weights that knowledge has.
WEIGHTS = tuple(entry.name for entry in catalog.load().entries if entry.name.startswith(M) and entry.name.rpartition(".")[2].endswith("_Weights"))
#: A tensor of fewer numbers says little about how they were drawn.
MANY = 4000
#: Seconds for a network of some hundred megabytes.
LONG = 140.0
#: The distance of two gradients as a share of their length: an input of relu within rounding of zero falls to either side.
FLIPPED = 1e-3


def images(size: int | tuple[int, ...], seed: int = 3, count: int = 2, channels: int = 3) -> torch.Tensor:
    """Images, or what has all these sizes, of standard normal numbers."""
    return torch.randn(count, channels, *((size, size) if isinstance(size, int) else size), generator=torch.Generator().manual_seed(seed))


def stored(side: Side, model: Any) -> list[str]:
    """The names of what is stored; MindSpore's normalisations keep no `num_batches_tracked`."""
    return [name for name in side.state(model) if "num_batches" not in name]


def shares(output: Any) -> Any:
    """A tensor as shares of its largest number."""
    return output / float(abs(output).max())


def made(side: Side, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """A new model of a side; arguments that are torch's names stand for classes, tuples
    that begin with one for what these make."""

    def meant(value: Any) -> Any:
        if isinstance(value, list):
            return [meant(one) for one in value]
        if isinstance(value, tuple) and value and isinstance(value[0], str):
            return meant(value[0])(*value[1:])
        return side.named(value) if isinstance(value, str) and value.startswith(("torchvision.", "torch.nn.")) else value

    return meant(name)(*map(meant, arguments), **{key: meant(value) for key, value in options.items()})


def settled(model: Any, size: int | tuple[int, ...], channels: int = 3) -> Any:
    """A model of torchvision's in evaluation mode, its normalisations with statistics of images and biases away from zero, where few inputs of relu are near it."""
    norms = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    for norm in norms:
        norm.momentum = 1.0
        torch.nn.init.uniform_(norm.bias, 3.0, 4.0)
        norm.bias.data *= torch.randn_like(norm.bias).sign()
    for parameter in model.parameters():
        if not parameter.any():  # what is multiplied by nothing would not be seen
            torch.nn.init.normal_(parameter, std=0.02)
    with torch.no_grad():
        model.train()(images(size, count=16, channels=channels))
    for norm in norms:  # what a channel that relu left nothing of gives elsewhere is not blown up
        if norm.running_var is not None:
            norm.running_var.clamp_(min=0.1 * float(norm.running_var.mean()))
    return model.eval()


def drawn_otherwise(side: Side, made: Any, theirs: Any) -> list[str]:
    """Which large tensors of a new network have another mean or spread than those of torchvision's, which others another mean."""
    found = []
    for name, value in side.state(made).items():
        numbers, other = (value if side.declared is None else tensor_to_torch(value)).float(), theirs[name].float()
        if "num_batches" in name or numbers.numel() < 2:
            continue
        spread = float(other.std()) if other.numel() > 1 else 0.0
        near = abs(float(numbers.mean() - other.mean())) <= 1e-6 + 8 * spread / other.numel() ** 0.5
        if not near or other.numel() >= MANY and spread and not 0.93 < float(numbers.std()) / spread < 1.07:
            found.append(f"{name}: mean {float(numbers.mean()):.3g} for {float(other.mean()):.3g}, spread {float(numbers.std()):.3g} for {float(other.std()):.3g}")
    return found


def apart(side: Side, ours: Any, theirs: Any, size: int | tuple[int, ...], channels: int) -> float:
    """How far the gradients with respect to images are from torch's, as a share of their length; the least of three sets of images."""
    found = [1.0]
    for seed in range(3):
        given = images(size, seed, channels=channels).requires_grad_()
        expected = torch.autograd.grad(theirs(given).square().sum(), given)[0]
        if side.declared is None:
            return 0.0
        gradient = tensor_to_torch(ms.grad(lambda x: ours(x).square().sum())(side.value(given.detach())))
        found.append(float((gradient - expected).norm() / expected.norm()))
        if found[-1] < FLIPPED:
            break
    return min(found)


def same(side: Side, size: int | tuple[int, ...], *arguments: Any, channels: int = 3, **options: Any) -> list[Any]:
    """What differs in a new network and in gradients, the names of what is stored, outputs as shares of the largest number. The network is
    what the API under test makes of the arguments and options.
    """
    torch.manual_seed(7)
    theirs = made(side.torchs, side.name, arguments, options)
    fresh = {name: value.clone() for name, value in theirs.state_dict().items()}
    settled(theirs, size, channels)
    model = made(side, side.name, arguments, options)
    complaints = drawn_otherwise(side, model, fresh)
    model = side.trains(side.with_weights(model, theirs), False)
    if (distance := apart(side, model, theirs, size, channels)) > FLIPPED:
        complaints.append(f"the gradient is {distance:.2g} of its length away")
    return ["; ".join(complaints), stored(side, model), shares(model(side.value(images(size, channels=channels))))]


@scenario(*(M + name for name in RESIDUAL), seconds=LONG)
def same_weights_give_the_same(side: Side) -> Any:
    """A network with ten classes: as new, and with torchvision's weights."""
    return same(side, 64, num_classes=10)


@scenario(M + "ResNet")
def a_network_of_other_sizes(side: Side) -> Any:
    """Bottlenecks in two groups, dilation instead of strides, shortcuts that begin as zero."""
    layers = [1, 2, 1, 1]
    return [same(side, 48, M + "resnet.Bottleneck", layers, 7, False, 2, 32, [False, True, True]), same(side, 48, M + "resnet.BasicBlock", layers, 7, True)]


@scenario(M + "resnet.BasicBlock")
def a_basic_block(side: Side) -> Any:
    """With a stride of one; dilation is refused."""
    return same(side, 16, 3, 3)


@scenario(M + "resnet.Bottleneck")
def a_bottleneck(side: Side) -> Any:
    """Of two groups, dilated."""
    return same(side, 16, 12, 3, 1, None, 2, 64, 2, channels=12)


@scenario(M + "resnet.conv3x3", M + "resnet.conv1x1")
def a_convolution(side: Side) -> Any:
    """With a stride."""
    return same(side, 16, 3, 8, 2)


def _preset(preset: Any) -> tuple[Any, ...]:
    return getattr(preset, "crop_size", None), preset.resize_size, preset.interpolation.value


@scenario(*WEIGHTS, M + "WeightsEnum")
def weights(side: Side) -> Any:
    """Members, addresses and the sizes of images; the member of a name."""
    kinds = side.named(side.name)
    found = [(name, member.name, member.url, *_preset(member.transforms())) for name, member in kinds.__members__.items()]
    return [found, kinds.verify("DEFAULT").name if found else "", repr(next(iter(kinds))) if found else ""]


@scenario("torchvision.transforms._presets.ImageClassification")
def prepared_images(side: Side) -> Any:
    """Upright and lying images, colours of their own."""
    pictures = [Image.fromarray(np.random.default_rng(0).integers(0, 256, shape, np.uint8)) for shape in ((40, 30, 3), (31, 50, 3))]
    presets = [side.call(crop_size=20, resize_size=24), side.call(crop_size=28, resize_size=24, mean=[0.5, 0.4, 0.3], std=(0.2, 0.3, 0.4))]
    return [preset(picture) for preset in presets for picture in pictures]


@scenario(M + "WeightsEnum.meta")
def names_of_classes(side: Side) -> Any:
    """Of two sets of weights."""
    kinds = side.named(M + "ResNet50_Weights")
    return [side.call(kinds[name])["categories"] for name in ("IMAGENET1K_V1", "DEFAULT")]
